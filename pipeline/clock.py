"""Time as an argument: aware UTC in values, integer microseconds in columns."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from afterword.pipeline.errors import InvalidInputError

Clock = Callable[[], datetime]
"""Returns the present as aware UTC. Only composition roots choose which clock it is."""

Monotonic = Callable[[], float]
"""Returns seconds that never step, for measuring how long something took."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECOND = timedelta(milliseconds=1)


def system_clock() -> datetime:
    """Return the machine's present; for composition roots only."""
    return datetime.now(UTC)


monotonic: Monotonic = time.monotonic


EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(3000, 1, 1, tzinfo=UTC)
"""Moments that may be given lie between: with room for any span before and after, in any zone."""


def checked_moment(value: object, field: str) -> datetime:
    """Return what was given as a moment.

    Raises:
        InvalidInputError: it is none, has no time zone, or lies where no calendar reaches.
    """
    accepted = "a moment with a time zone, from 1900 to 2999"
    if not isinstance(value, datetime):
        raise InvalidInputError(field, f"{value!a:.40} is no moment", accepted)
    if value.utcoffset() is None:
        raise InvalidInputError(field, "has no time zone", accepted)
    if not EARLIEST <= value < LATEST:
        raise InvalidInputError(field, f"{value.isoformat()} is too far away", accepted)
    return value


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
    return EPOCH + micros * _MICROSECOND


def from_millis(millis: int) -> datetime:
    """Return the aware UTC moment of a `ts_ms` field."""
    return EPOCH + millis * _MILLISECOND


def iso(moment: datetime) -> str:
    """Return the moment as people and JSON read it: `2026-11-21T22:04:05.000000Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
