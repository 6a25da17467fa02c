"""How the moments of one column are read: one form for the whole column, found by its texts."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.tabular.moments import read_moment
from afterword.pipeline.rules.tabular.numbers import is_blank
from afterword.pipeline.rules.tabular.stamps import (
    DateOrder,
    TimeUnit,
    is_skipped,
    orders_of,
    read_epoch,
    read_stamp,
    says_zone,
)

_CLOCKS: Final = expression("%[HIcXTR]")
"""Parts of a pattern of `strptime` that hold a time of the day."""

_ALL: Final[frozenset[DateOrder]] = frozenset(("ymd", "dmy", "mdy"))
_YEAR_FIRST: Final[frozenset[DateOrder]] = frozenset(("ymd",))


class Timing(NamedTuple):
    """How the moments of a column are read.

    Args:
        orders: of day, month and year that all texts allow; one once it is certain, none if the
            column holds no moments.
        epoch: they are numbers since 1970.
        unit: of numbers; None finds it by the digits of each.
        pattern: of `strptime`; None for the common forms.
        needs_zone: the first text says no zone.
    """

    orders: frozenset[DateOrder]
    epoch: bool = False
    unit: TimeUnit | None = None
    pattern: str | None = None
    needs_zone: bool = True

    @property
    def is_unclear(self) -> bool:
        """Tell a column whose days and months can be read in more ways than one."""
        return len(self.orders) > 1

    def is_day(self, text: str) -> bool:
        """Tell a moment of which only the day is written."""
        if self.epoch:
            return False
        if self.pattern is not None:
            return not _CLOCKS.search(self.pattern)
        return ":" not in text  # every common form of a time has one

    def read(self, text: str, zone: tzinfo | None) -> datetime | None:
        """Return a moment as aware UTC; None if it is none, or says no zone and none is given."""
        if self.epoch:
            return read_epoch(text, self.unit)
        if self.pattern is not None:
            zone = zone or (None if self.needs_zone else UTC)  # an offset in the text outranks it
            return read_moment(text, self.pattern, zone) if zone else None
        for order in self.orders:
            return read_stamp(text, order, zone)
        return None

    def problem(self, text: str, zone: tzinfo | None, shown: str) -> str:
        """Say why `read` returned nothing for a text.

        Args:
            shown: the text as it may be repeated.
        """
        if zone and not self.epoch and not self.pattern:
            for order in self.orders:
                if is_skipped(text, order, zone):
                    return (
                        f"is {shown}, a time that clocks of {zone} skipped: the times are of "
                        "another zone, which --zone names"
                    )
        return f"must be a date and time, got {shown}" if text else "is empty"


def timing_of(
    texts: Iterable[str], unit: TimeUnit | None = None, written: str | None = None
) -> Timing:
    """Return how a column is read.

    Args:
        texts: of the column from its first row on; only as many are taken as are needed.
        unit: of numbers, where the owner says it.
        written: `dmy`, `mdy`, `ymd` or a pattern of `strptime`, where the owner says it.
    """
    if written is not None and "%" in written:
        return Timing(frozenset(), pattern=written, needs_zone="%z" not in written)
    orders: frozenset[DateOrder] = _ALL
    first = ""
    for text in texts:
        if is_blank(text):
            continue
        if not first:
            first = text
            if unit is not None or read_epoch(text) is not None:
                return Timing(frozenset(), epoch=True, unit=unit, needs_zone=False)
            if written is not None and orders_of(text) != _YEAR_FIRST:  # 2026-02-03 has one reading
                orders = frozenset(order for order in _ALL if order == written)
                break
        orders &= orders_of(text) or orders  # what is no moment is refused when it is read
        if len(orders) <= 1 and orders_of(first):
            break
    if not orders_of(first):
        orders = frozenset()
    return Timing(orders, needs_zone=not says_zone(first))
