"""The length of a bar as people write it: `1m`, `4h`, `1d`."""

import re
from datetime import timedelta
from typing import Final

from afterword.pipeline.errors import InvalidInputError

_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def read_interval(text: str) -> timedelta:
    """Return the interval written as `1m`, `1h` or `1d`.

    Raises:
        InvalidInputError: it is none, or longer than a year.
    """
    count, unit = text[:-1], text[-1:]
    if re.fullmatch("[0-9]{1,5}", count) and int(count) and unit in _UNITS:
        interval = int(count) * _UNITS[unit]
        if interval <= timedelta(days=366):
            return interval
    raise InvalidInputError(
        "interval", f"must be a length of bars, got {text!a:.20}", "a number and m, h or d: 1h"
    )


def write_interval(interval: timedelta) -> str:
    """Write an interval as `read_interval` reads it; `print` for single prints."""
    for unit in "dhm":
        count, rest = divmod(interval, _UNITS[unit])
        if count and not rest:
            return f"{count}{unit}"
    return "print"
