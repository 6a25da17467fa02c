"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta


class ManualClock:
    """A `Clock` for tests and replays.

    Args:
        start: the first present; aware UTC.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 5, tzinfo=UTC)) -> None:
        self._now = start

    def __call__(self) -> datetime:
        """Return the present as it was last set."""
        return self._now

    def advance(self, **parts: float) -> None:
        """Move forward (or back) by the parts of a timedelta, such as `minutes=5`."""
        self._now += timedelta(**parts)

    def set(self, moment: datetime) -> None:
        """Jump to a moment."""
        self._now = moment
