"""Read what a venue has of a span of time page by page, and prove that nothing is missing.

A page begins with the moment that the one before it ended with, because equal moments may be on
both: rows that came before are dropped by what identifies them. A page that is full of one moment
cannot be continued inside it, so it is told. Pages may be smaller than the venue says: one of many
rows is the last one only if nothing comes after it.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from afterword.pipeline.gateway.http.model import AskFailedError

LEAST_PAGE: Final = 100
"""No venue's pages are smaller: fewer rows are the last page; count."""

VenueRow = Mapping[str, Any]

AskPage = Callable[[int, int], Any]
"""Asks for the rows from one moment to another, both included; UTC milliseconds."""


class VenuePage(NamedTuple):
    """The new rows of a page.

    Args:
        rows: in the venue's order, the oldest first; none that an earlier page had.
        upto_ms: all rows of the span that the venue has up to here were read; UTC milliseconds.
        full_at_ms: a moment with more rows than a page holds, so that some are missing; None
            without one.
    """

    rows: tuple[VenueRow, ...]
    upto_ms: int
    full_at_ms: int | None = None


def read_pages(
    ask: AskPage,
    start_ms: int,
    end_ms: int,
    page_rows: int,
    name_of: Callable[[VenueRow], Hashable],
) -> Iterator[VenuePage]:
    """Yield the pages of a span of time, the oldest first.

    Args:
        ask: one request each.
        start_ms, end_ms: both included; UTC milliseconds.
        page_rows: rows that a full page has, as the venue says; count.
        name_of: what identifies a row among those of its moment.

    Raises:
        AskFailedError: a reply that is no page of this span; what was yielded before holds.
    """
    last_names: set[Hashable] = set()
    before = page_rows
    doubt_ms: int | None = None
    while start_ms <= end_ms:
        rows = _checked(ask(start_ms, end_ms), start_ms, end_ms)
        # A name tells rows of one moment apart; a later moment may have the same names.
        new = tuple(row for row in rows if row["time"] > start_ms or name_of(row) not in last_names)
        if new and before < page_rows:  # more came after it, so it was a full page
            page_rows = before
            if doubt_ms is not None:
                yield VenuePage((), doubt_ms, full_at_ms=doubt_ms)
        if len(rows) < min(page_rows, LEAST_PAGE):
            yield VenuePage(new, end_ms)
            return
        last_ms: int = rows[-1]["time"]
        before, doubt_ms = len(rows), None
        if last_ms > start_ms:
            yield VenuePage(new, last_ms - 1)
            start_ms = last_ms
            last_names = {name_of(row) for row in rows if row["time"] == last_ms}
            continue
        is_full = len(rows) >= page_rows
        doubt_ms = None if is_full else last_ms
        yield VenuePage(new, last_ms, full_at_ms=last_ms if is_full else None)
        start_ms, last_names = last_ms + 1, set()


def _checked(reply: Any, start_ms: int, end_ms: int) -> Sequence[VenueRow]:
    """Return the rows of a reply in the order of their time; equal ones keep the venue's order."""
    if not isinstance(reply, list) or not all(
        isinstance(row, dict) and type(row.get("time")) is int and start_ms <= row["time"] <= end_ms
        for row in reply
    ):
        raise AskFailedError("the venue sent rows of another time than was asked; try again later")
    return sorted(reply, key=_time)


def _time(row: VenueRow) -> int:
    moment: int = row["time"]
    return moment
