"""Price bars, and the moment from which each may be used."""

from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

PRINT: Final = timedelta(0)
"""The interval of a single print, which may be used from its own moment on."""

_INFINITE: Final = Decimal("Infinity")


class Bar(NamedTuple):
    """The prices of a market in one interval; `misshapen` lists impossible values.

    Args:
        t_open: when it opened, or the trading date at 00:00 UTC; aware UTC.
        interval: its length.
        volume: units traded; 0 if the source has none.
    """

    t_open: datetime
    interval: timedelta
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal

    @property
    def closed_at(self) -> datetime:
        """The moment from which the bar may be used.

        A stock's daily bar closes at 20:00 or 21:00 UTC; the end of its date is always later.
        """
        return self.t_open + self.interval


def misshapen(bar: Bar) -> str | None:
    """Return the impossible field of a bar and why it is impossible; None for a valid bar."""
    try:
        if (
            0 < bar.low <= bar.open <= bar.high < _INFINITE
            and bar.low <= bar.close <= bar.high
            and 0 <= bar.volume < _INFINITE
        ):
            return None
    except InvalidOperation:  # every comparison with NaN is False
        pass
    return _problem(bar)


def _problem(bar: Bar) -> str:
    for name, number in zip(bar._fields[2:], bar[2:], strict=True):
        if not number.is_finite():
            return f"{name} {number}, which is not a finite number"
        if number < 0 or (number == 0 and name != "volume"):
            return f"{name} {number}, which is not {'0 or more' if name == 'volume' else 'above 0'}"
    for name, number in (("open", bar.open), ("close", bar.close), ("low", bar.low)):
        if number > bar.high:
            return f"high {bar.high}, which is below its {name} {number}"
    name, number = min(("open", bar.open), ("close", bar.close), key=lambda one: one[1])
    return f"low {bar.low}, which is above its {name} {number}"
