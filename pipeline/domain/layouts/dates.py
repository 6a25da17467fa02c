"""Moments of files that write days only, or their newest row first."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Origin

NEW_YORK: Final = ZoneInfo("America/New_York")


def new_york_unless_told(origin: Origin) -> tzinfo:
    """Return the zone of a file of days, written by a broker of the United States.

    A day without a time is its first moment. The zone only says where a day begins, so nobody is
    asked for it; `--zone` outranks it.
    """
    return origin.zone or NEW_YORK


def oldest_first(items: Iterable[Item], alone: bool = True) -> Iterator[Item]:
    """Yield fills of one moment in the order they happened, also where the newest row is first.

    Fills of a day that a file does not time would otherwise close before they open. The first two
    moments of a file say which way it runs. At most the fills of one moment are held.

    Args:
        alone: whether a file with a single moment has its newest row first.
    """
    run: list[Fill] = []
    falls: bool | None = None
    for item in items:
        if not isinstance(item, Fill):
            yield item
            continue
        if run and item.time_ms != run[0].time_ms:
            falls = item.time_ms < run[0].time_ms if falls is None else falls
            yield from reversed(run) if falls else run
            run = []
        run.append(item)
    yield from reversed(run) if (alone if falls is None else falls) else run
