"""Moments in whatever common form: the order of day and month is found, the zone may stand behind.

A form with two meanings is never guessed: `orders_of` says which orders of day, month and year a
text allows, and the texts of a whole column usually leave one.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.tabular.moments import placed, read_moment, read_zone

DateOrder = Literal["ymd", "dmy", "mdy"]
TimeUnit = Literal["s", "ms", "us"]

MICROS: Final[dict[TimeUnit, int]] = {"s": 1_000_000, "ms": 1_000, "us": 1}

_NAMES: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS: Final = tuple(re.findall("[a-z]+", _NAMES))
_CLOCK: Final = (
    r"(?:(?:T|,? +-? *|;|, *)"
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\b\.?)?"
    r"(?: ?\[?(?P<zone>Z|[A-Za-z]+(?:/[A-Za-z_+\-0-9]+)*[+-]{0,2}[0-9:]{0,5}"
    r"|[+-][0-9]{2}(?::?[0-9]{2})?)\]?)?)?"
)
_FIGURES: Final = expression(
    r"(?P<one>[0-9]{1,4})(?P<mark>[-/.])(?P<two>[0-9]{1,2})(?P=mark)(?P<three>[0-9]{1,4})" + _CLOCK
)
_CLOSED_UP: Final = expression(
    r"(?P<one>[12][0-9]{3})(?P<two>[0-9]{2})(?P<three>[0-9]{2})" + _CLOCK
)
_DAY_WORD: Final = expression(
    r"(?P<one>[0-9]{1,2})[- ](?P<two>[A-Za-z]{3})[a-z]*\.?,?[- ](?P<three>[0-9]{4}|[0-9]{2})"
    + _CLOCK
)
_WORD_DAY: Final = expression(
    r"(?P<two>[A-Za-z]{3})[a-z]*\.? (?P<one>[0-9]{1,2}),? (?P<three>[0-9]{4})" + _CLOCK
)
_EPOCH: Final = expression(r"([0-9]{1,20})(?:\.([0-9]{1,9}))?", re.ASCII)
_USUAL: Final = len("2024-01-01 00:00:00")
_LAST: Final = 253_402_300_799_999_999  # the last microsecond of the year 9999, datetime's end
_FRESH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class _Read(NamedTuple):
    """The parts of a text; `date` is as written."""

    date: tuple[str, str, str]
    mark: str
    clock: tuple[int, int, int, int]
    zone: str | None


def read_epoch(text: str, unit: TimeUnit | None = None) -> datetime | None:
    """Return the moment that a number counts since 1970; None if the text is none.

    Args:
        unit: None finds it by the digits before the point: 9 to 11 are seconds, 12 to 14
            milliseconds, 15 to 17 microseconds; other numbers are then no moments.
    """
    match = _EPOCH.fullmatch(text)
    if match is None:
        return None
    digits = len(match[1])
    if unit is None:
        if not 9 <= digits <= 17:
            return None
        unit = "s" if digits <= 11 else "ms" if digits <= 14 else "us"
    micros = int(match[1]) * MICROS[unit]
    if match[2]:
        micros += int(match[2]) * MICROS[unit] // 10 ** len(match[2])
    return _FRESH + timedelta(microseconds=micros) if micros <= _LAST else None


def orders_of(text: str) -> frozenset[DateOrder]:
    """Return the orders of day, month and year that a text allows; none if it is no moment."""
    parts = _parts(text)
    if parts is None:
        return frozenset()
    return frozenset(order for order in _orders(parts) if _naive(parts, order) is not None)


def read_stamp(text: str, order: DateOrder, zone: tzinfo | None) -> datetime | None:
    """Return the moment in a text as aware UTC; None if it is none in this order.

    A time that a clock shows twice, when it is set back, is the first of the two. One that it never
    shows, when it is set forward, is no moment: its zone is wrong.

    Args:
        order: see `orders_of`; of a text with a single meaning it must be that one.
        zone: of texts that say none; a zone in the text outranks it; without any it is
            no moment.
    """
    if order == "ymd" and zone is not None and len(text) == _USUAL and text[13] == ":":
        quick = read_moment(text, f"%Y-%m-%d{text[10]}%H:%M:%S", zone) if text[10] in " T" else None
        if quick is not None:  # by far the most common form, in a tenth of the time
            return quick
    parts = _parts(text)
    if parts is None or order not in _orders(parts):
        return None
    naive = _naive(parts, order)
    place = _zone(parts.zone) if parts.zone else zone
    if naive is None or place is None:
        return None
    return placed(naive, place)


def says_zone(text: str) -> bool:
    """Tell a moment that says its own zone."""
    parts = _parts(text)
    return parts is not None and parts.zone is not None


def has_clock(text: str) -> bool:
    """Tell a moment that says a time of the day, and not a date only."""
    return ":" in text and _parts(text) is not None


def is_skipped(text: str, order: DateOrder, zone: tzinfo) -> bool:
    """Tell a time that clocks of the zone never showed, since they were set forward over it."""
    parts = _parts(text)
    naive = _naive(parts, order) if parts and order in _orders(parts) else None
    place = (_zone(parts.zone) if parts.zone else zone) if parts else None
    return naive is not None and place is not None and placed(naive, place) is None


def _parts(text: str) -> _Read | None:
    for form in (_FIGURES, _CLOSED_UP, _DAY_WORD, _WORD_DAY):
        if match := form.fullmatch(text):
            clock = _clock(match)
            if clock is None:
                return None
            two = match["two"]
            if form in (_DAY_WORD, _WORD_DAY):
                if two.lower() not in _MONTHS:
                    return None
                two = str(_MONTHS.index(two.lower()) + 1)
            mark = match["mark"] if form is _FIGURES else "" if form is _CLOSED_UP else "a"
            return _Read((match["one"], two, match["three"]), mark, clock, match["zone"])
    return None


def _clock(match: re.Match[str]) -> tuple[int, int, int, int] | None:
    if match["hour"] is None:
        return 0, 0, 0, 0
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] in "pP" else 0)
    micros = int((match["fraction"] or "0").ljust(6, "0")[:6])
    return hour, int(match["minute"]), int(match["second"] or 0), micros


def _orders(parts: _Read) -> tuple[DateOrder, ...]:
    one, _, three = parts.date
    if parts.mark == "a":
        return ("dmy",)
    if len(one) == 4:
        return ("ymd",)
    if len(one) == 3 or len(three) in (1, 3):
        return ()
    if parts.mark == ".":  # months come first with strokes and dashes only
        return ("dmy",)
    return ("dmy", "mdy") if len(three) == 4 else ("dmy", "mdy", "ymd")


def _naive(parts: _Read, order: DateOrder) -> datetime | None:
    named = dict(zip(order, parts.date, strict=True))
    year = int(named["y"])
    if len(named["y"]) == 2:
        year += 2000 if year < 70 else 1900  # as POSIX reads two digits
    try:
        return datetime(year, int(named["m"]), int(named["d"]), *parts.clock)  # noqa: DTZ001
    except ValueError:
        return None


@lru_cache(256)
def _zone(text: str) -> tzinfo | None:
    return read_zone(text)
