"""Time as an argument: aware UTC in values, integer microseconds in columns."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
"""Returns the present as aware UTC. Only composition roots choose which clock it is."""

Monotonic = Callable[[], float]
"""Returns seconds that never step, for measuring how long something took."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def system_clock() -> datetime:
    """Return the machine's present; for composition roots only."""
    return datetime.now(UTC)


monotonic: Monotonic = time.monotonic


def to_micros(moment: datetime) -> int:
    """Return the moment as whole microseconds since 1970-01-01T00:00Z.

    Raises:
        ValueError: the moment has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone; pass aware UTC")
    return (moment - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the aware UTC moment of a stored microsecond count."""
    return EPOCH + timedelta(microseconds=micros)


def from_millis(millis: int) -> datetime:
    """Return the aware UTC moment of a `ts_ms` field."""
    return EPOCH + timedelta(milliseconds=millis)


def iso(moment: datetime) -> str:
    """Return the moment as people and JSON read it: `2026-11-21T22:04:05.000000Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
