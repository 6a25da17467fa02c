"""Clocks for tests: wall and monotonic clocks that are set, and one that steps other processes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from afterword.pipeline.clock import Clock, system_clock


class ManualClock:
    """A `Clock` for tests and replays.

    Args:
        start: the first present; aware UTC.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 5, tzinfo=UTC)) -> None:
        self._now = start

    def __call__(self) -> datetime:
        """Return the present that was set last."""
        return self._now

    def advance(self, **parts: float) -> None:
        """Move forward (or back) by the arguments of a timedelta, such as `minutes=5`."""
        self._now += timedelta(**parts)

    def set(self, moment: datetime) -> None:
        """Jump to a moment."""
        self._now = moment


class ManualSeconds:
    """A `Monotonic` clock for tests: set `now` to move it.

    Args:
        step: how far each call moves it; seconds.
    """

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        """Add the step, and return the seconds."""
        self.now += self.step
        return self.now


def stepped_clock(file: Path) -> Clock:
    """Return the system's clock shifted by the seconds in a file, which is read at every call.

    A missing or empty file shifts nothing; writing it steps the clock of a running process.
    """

    def present() -> datetime:
        text = file.read_text() if file.exists() else ""
        return system_clock() + timedelta(seconds=float(text or 0))

    return present
