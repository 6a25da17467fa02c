"""What the owner of a file states of its times and numbers in the options of a command, checked."""

from collections.abc import Mapping
from datetime import date, tzinfo
from typing import Final, TypeVar

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import DecimalMark
from afterword.pipeline.rules.tabular.stamps import MICROS, TimeUnit

_ORDERS: Final = ("dmy", "mdy", "ymd")
_UNITS: Final[dict[str, TimeUnit]] = {unit: unit for unit in MICROS}
_MARKS: Final[dict[str, DecimalMark]] = {".": ".", ",": ","}
_Word = TypeVar("_Word", TimeUnit, DecimalMark)


def stated_zone(text: str | None) -> tzinfo | None:
    """Return a time zone; None if none is stated.

    Raises:
        InvalidInputError: no zone is written so.
    """
    zone = None if text is None else read_zone(text)
    if text is not None and zone is None:
        problem = f"{text!a:.40} is not a known time zone"
        raise InvalidInputError("zone", problem, "UTC, UTC+8 or America/New_York")
    return zone


def stated_day(text: str | None) -> date | None:
    """Return the day of times without a date.

    Raises:
        InvalidInputError: it is none.
    """
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError("day", f"is {text!a:.40}", "a day: 2026-03-31") from None


def stated_time_format(text: str | None) -> str | None:
    """Return an order of dates, or a pattern of `strptime` that has a day.

    Raises:
        InvalidInputError: it is neither.
    """
    if text is None or text in _ORDERS or "%d" in text or "%j" in text:
        return text
    accepted = "dmy, mdy, ymd or a pattern such as '%d/%m/%Y %H:%M'"
    raise InvalidInputError("time-format", f"is {text!a:.40}", accepted)


def stated_mark(text: str | None) -> DecimalMark | None:
    """Return a decimal mark.

    Raises:
        InvalidInputError: it is neither a point nor a comma.
    """
    return _one_of("decimal", text, _MARKS)


def stated_unit(text: str | None) -> TimeUnit | None:
    """Return the unit of times that are numbers.

    Raises:
        InvalidInputError: it is none of them.
    """
    return _one_of("time-unit", text, _UNITS)


def _one_of(option: str, text: str | None, known: Mapping[str, _Word]) -> _Word | None:
    if text is not None and text not in known:
        raise InvalidInputError(option, f"is {text!a:.20}", " or ".join(known))
    return None if text is None else known[text]
