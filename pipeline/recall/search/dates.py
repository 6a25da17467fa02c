"""Dates in a query: the time they span, and how a text may write them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from afterword.pipeline.clock import to_micros

Span = tuple[int, int]
"""A span of time in microseconds; its end is excluded."""

_YEARS: Final = range(2000, 2100)
"""The years a date without a year may mean."""

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_MONTH: Final = rf"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)}|sept)\b"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)\b"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_LEADS: Final = r"\b(?:in|of|during|since|until|till|by|before|after|last|early|late|mid)[ -]"
# The longest first. A month or a year alone needs a word before it: `you may sell` and
# `ETH above 2000` name no date.
_DATE: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?年\s?(?P<number>\d\d?)\s?月(?:\s?(?P<day>\d\d?)\s?[日号號])?",
        r"(?<![\d年])(?P<number>\d\d?)\s?月\s?(?P<day>\d\d?)\s?[日号號]",
        rf"\b{_DAY} (?:of )?{_MONTH}\.?,?(?: {_YEAR})?",
        rf"\b{_MONTH}\.? {_DAY}(?:,? {_YEAR})?",
        rf"\b{_MONTH}\.?,? (?:of )?{_YEAR}",
        rf"{_LEADS}{_MONTH}",
        rf"{_LEADS}{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Date:
    """A day, a month or a year in a query.

    Args:
        text: as the query writes it.
        spans: when it was; one for each possible year where no year is named.
        words: how a text may write it, each a row of words.
    """

    text: str
    spans: tuple[Span, ...]
    words: tuple[str, ...]


def find_dates(text: str) -> tuple[tuple[Date, ...], str]:
    """Return the dates in a query, and the query without their words."""
    dates = []
    for form in _DATE:
        for match in form.finditer(text):
            date = _read(match)
            if date is None:
                continue
            dates.append(date)
            if "月" not in match[0]:  # its characters are also searched for like any others
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return tuple(dates), text


def _read(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    year, day = (int(parts[name]) if parts.get(name) else None for name in ("year", "day"))
    month = _number(parts)
    years = _YEARS if year is None else (year,)
    spans = tuple(span for possible in years for span in _span(possible, month, day))
    return Date(match[0].strip(), spans, _words(year, month, day)) if spans else None


def _number(parts: dict[str, str | None]) -> int | None:
    """Return the month's number; None where only a year is named."""
    if name := parts.get("month"):
        return next(at for at, full in enumerate(_MONTHS, 1) if full.startswith(name[:3].lower()))
    return int(parts["number"] or 0) if parts.get("number") else None


def _span(year: int, month: int | None, day: int | None) -> tuple[Span, ...]:
    """Return the span of a date; nothing for a date that does not exist."""
    try:
        start = datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return ()
    if day:
        end = start + timedelta(days=1)
    elif month and month < 12:
        end = start.replace(month=month + 1)
    else:
        end = start.replace(year=year + 1, month=1)
    return ((to_micros(start), to_micros(end)),)


def _words(year: int | None, month: int | None, day: int | None) -> tuple[str, ...]:
    if month is None:
        return (str(year),)
    name = _MONTHS[month - 1]
    if day is None:
        return (name if year is None else f"{name} {year}",)
    ways = (f"{name} {day}", f"{day} {name}")
    return ways if year is None else (*ways, f"{year} {month:02} {day:02}")
