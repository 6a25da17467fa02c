"""When an outcome is due, which price is an entry, how old one may be, how far volatility looks."""

from datetime import UTC, datetime, timedelta
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.taxonomy import AssetGroup

HOUR_US: Final = 3_600_000_000
DAY_US: Final = 24 * HOUR_US
WEEK_US: Final = 7 * DAY_US
"""In microseconds."""

MOST_WINDOW_HOURS: Final = 24 * 366 * 5
"""Longest window; hours."""

_CLOSED: Final = timedelta(days=4)
"""The longest usual pause of markets that close: Easter, from Thursday's close to Tuesday's."""

_DAY: Final = timedelta(days=1)

_PRINTS: Final = timedelta(hours=1)
"""How long a single print counts as the price."""


def due_at(decided_at: datetime, window_hours: int) -> datetime:
    """Return the first moment at which the outcome of a decision can be known; real hours, also
    across a change to summer time. It is known later where its entry is later.

    Raises:
        InvalidInputError: no time zone, or a window that is not 1 to `MOST_WINDOW_HOURS` hours.
    """
    if decided_at.tzinfo is None:
        raise InvalidInputError("decided_at", "has no time zone", "an aware moment")
    if type(window_hours) is not int or not 1 <= window_hours <= MOST_WINDOW_HOURS:
        accepted = f"whole hours, 1 to {MOST_WINDOW_HOURS}"
        raise InvalidInputError("window_hours", f"is {window_hours!r}", accepted)
    # In a zone with summer time, adding to an aware moment would move its wall clock instead.
    return decided_at.astimezone(UTC) + timedelta(hours=window_hours)


def oldest(group: AssetGroup | None, interval: timedelta) -> timedelta:
    """Return how far a price may be from the moment that it is the price of.

    Crypto never closes: one missing bar is accepted, an outage is not. All other markets, and
    unknown ones, may be closed over a long weekend.
    """
    if group == "crypto":
        return 2 * interval or _PRINTS
    return interval + _CLOSED


def enters_at_open(group: AssetGroup | None, interval: timedelta) -> bool:
    """Return whether the price after a moment is the open of a bar, not the close of one.

    The daily bar of a market that closes is filed under its date: its close was printed hours
    before the moment that it counts from, and news came in between. Of a market that never closes,
    and of shorter bars, a close was printed when it says.
    """
    return interval >= _DAY and group != "crypto"


def lookback(interval: timedelta) -> timedelta:
    """Return how far before a decision moves are used to estimate volatility.

    A week of hours (168 moves, deviation known to 5 %), or a quarter of days (some 62 where
    weekends are closed, 9 %). It is recent, because volatility comes in clusters.
    """
    return max(timedelta(days=7), 90 * interval)
