"""Time as an argument: aware UTC in values, integer microseconds in columns."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from afterword.pipeline.errors import InvalidInputError

Clock = Callable[[], datetime]
"""Returns the present as aware UTC. Only composition roots choose the clock."""

Monotonic = Callable[[], float]
"""Returns seconds that never jump, to measure durations."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECOND = timedelta(milliseconds=1)


def system_clock() -> datetime:
    """Return the present of the machine's clock; for composition roots only."""
    return datetime.now(UTC)


monotonic: Monotonic = time.monotonic


EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(3000, 1, 1, tzinfo=UTC)
"""Accepted moments are from `EARLIEST` up to before `LATEST`, so that adding any span is safe."""


def checked_moment(value: object, field: str) -> datetime:
    """Return the value if it is an acceptable moment.

    Raises:
        InvalidInputError: not a moment, without a time zone, or out of range.
    """
    accepted = "a moment with a time zone, from 1900 to 2999"
    if not isinstance(value, datetime):
        raise InvalidInputError(field, f"must be a datetime, got {value!a:.40}", accepted)
    if value.utcoffset() is None:
        example = "date, time and zone, such as 2026-01-05T00:00:00Z"
        raise InvalidInputError(field, "has no time zone", example)
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
    """Return the moment as text for people and JSON: `2026-11-21T22:04:05.000000Z`."""
    text = moment.astimezone(UTC).isoformat(timespec="microseconds")
    return text.removesuffix("+00:00") + "Z"
