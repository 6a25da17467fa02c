"""The window of the trading profile."""

from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.errors import InvalidInputError

PROFILE_DAYS: Final = 30
"""The window of R3; days."""

MOST_PROFILE_DAYS: Final = 3_660
"""Ten years; days."""


def window_start(until: datetime, days: int) -> datetime:
    """Return the beginning of a window; it is not inside.

    Raises:
        InvalidInputError: a number of days that is none.
    """
    if not 1 <= days <= MOST_PROFILE_DAYS:
        raise InvalidInputError("days", f"is {days}", f"1 to {MOST_PROFILE_DAYS:,}")
    return until - timedelta(days=days)
