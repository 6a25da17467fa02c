"""Moments as other programs write them, and the zone they are in."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from afterword.pipeline.expression import expression

_OFFSET: Final = expression(r"(?:UTC|GMT)?([+-])-?([0-9]{1,2})(?::?([0-9]{2}))?")
_PART: Final = expression(r"%(.)|([^%])", re.DOTALL)
_WIDTHS: Final = {"Y": 4, "y": 2, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2}


class _Shape(NamedTuple):
    """A pattern whose parts stand at fixed places of the text.

    Args:
        length: of the text.
        marks: takes the characters between the parts; `between` are those wanted.
        parts: takes the digits in the order of `iso`, a template of `datetime.fromisoformat`.
        short: where a year of two digits begins; None for one of four.
    """

    length: int
    marks: Callable[[str], object]
    between: object
    parts: Callable[[str], object]
    iso: str
    short: int | None


@lru_cache(maxsize=1_024)  # fills of one order share their second
def read_any(text: str, patterns: tuple[str, ...], zone: tzinfo) -> datetime | None:
    """Return the moment in a cell by the first pattern that fits; see `read_moment`."""
    for pattern in patterns:  # first the cheap way: `strptime` is slow to say no, too
        if (moment := _fixed(text, pattern, zone)) is not None:
            return _in_utc(moment, zone)
    for pattern in patterns:
        if (moment := read_moment(text, pattern, zone)) is not None:
            return moment
    return None


def read_moment(text: str, pattern: str, zone: tzinfo) -> datetime | None:
    """Return the moment in a cell as aware UTC; None if it is not written so.

    Args:
        pattern: of `strptime`, or `iso`; an offset in the text outranks the zone.
        zone: of moments without an offset; see `placed`.
    """
    moment = _fixed(text, pattern, zone)
    try:
        if moment is None and pattern == "iso":
            moment = datetime.fromisoformat(text)
        elif moment is None:
            moment = datetime.strptime(text, pattern)  # noqa: DTZ007 - the zone is set below
    except ValueError:
        return None
    return _in_utc(moment, zone)


def _in_utc(moment: datetime, zone: tzinfo) -> datetime | None:
    if moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None:
        return placed(moment, zone)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # an offset at the edge of the years
        return None


def placed(naive: datetime, zone: tzinfo) -> datetime | None:
    """Return the moment at which clocks of a zone show a time; None if they never do.

    A time that is shown twice, when clocks are set back, is the first of the two. One that is
    skipped, when they are set forward, is none: its zone is wrong.
    """
    try:
        moment = naive.replace(tzinfo=zone).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) != naive.replace(fold=0):
            return None
    except OverflowError:  # an offset at the edge of the years
        return None
    return moment


def _fixed(text: str, pattern: str, zone: tzinfo) -> datetime | None:
    """Read a text by the places of its parts: some ten times as fast as `strptime`.

    Returns:
        None if the pattern has other parts, or the text other places.
    """
    shape = _shape(pattern)
    if shape is None or len(text) != shape.length or shape.marks(text) != shape.between:
        return None
    if shape.short is not None and text[shape.short] > "6":
        return None  # a year of the last century
    try:
        return datetime.fromisoformat(shape.iso % shape.parts(text) + _suffix(zone))
    except ValueError:  # no such day, or a blank before a digit
        return None


@lru_cache(maxsize=64)
def _shape(pattern: str) -> _Shape | None:
    places: dict[str, slice] = {}
    marks: list[tuple[int, str]] = []
    length = 0
    for part, mark in _PART.findall(pattern):
        if mark:
            marks.append((length, mark))
            length += 1
        elif part in _WIDTHS and part not in places:
            places[part] = slice(length, length + _WIDTHS[part])
            length += _WIDTHS[part]
        else:
            return None
    year = "Y" if "Y" in places else "y"
    wanted = [name for name in (year, *"mdHMS") if name in places]
    if len(marks) < 2 or wanted[:3] != [year, "m", "d"]:
        return None
    iso = "-".join(("%s" if year == "Y" else "20%s", "%s", "%s"))
    iso += "T" + ":".join("%s" if name in places else "00" for name in "HMS")
    return _Shape(
        length,
        itemgetter(*(place for place, _ in marks)),
        tuple(mark for _, mark in marks),
        itemgetter(*(places[name] for name in wanted)),
        iso,
        places["y"].start if year == "y" else None,
    )


@lru_cache(maxsize=64)
def _suffix(zone: tzinfo) -> str:
    """Return a fixed zone as `fromisoformat` reads it; empty for one with summer time."""
    if zone is UTC or not isinstance(zone, timezone):
        return "+00:00" if zone is UTC else ""
    return zone.tzname(None).removeprefix("UTC") or "+00:00"


def read_zone(text: str) -> tzinfo | None:
    """Return the zone in a text such as `UTC+8`, `+0200` or `Europe/Berlin`; None if it is none."""
    if text.upper() in ("UTC", "GMT", "Z"):
        return UTC
    if match := _OFFSET.fullmatch(text):
        hours, minutes = int(match[2]), int(match[3] or 0)
        if hours <= 14 and minutes < 60:
            span = timedelta(hours=hours, minutes=minutes)
            return timezone(span if match[1] == "+" else -span)
        return None
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
