"""Read a moment from a command line or a file."""

from datetime import datetime
from typing import Any

from afterword.pipeline.clock import checked_moment
from afterword.pipeline.errors import InvalidInputError


def read_moment(value: Any, field: str) -> datetime | None:
    """Return the aware moment in a text; None without a text.

    Raises:
        InvalidInputError: not a moment, without a time zone, or out of range.
    """
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        accepted = "date, time and zone, such as 2026-01-05T00:00:00Z"
        raise InvalidInputError(field, f"cannot read {value!a:.40}", accepted) from None
    return checked_moment(moment, field)
