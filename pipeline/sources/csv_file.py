"""Prices out of CSV files, strictly: every bad row is named, and then nothing is returned."""

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Final

from pipeline.clock import from_millis, iso
from pipeline.errors import InvalidInputError
from pipeline.market.bars import PRINT, Bar, misshapen
from pipeline.market.decimals import NUMBER, read_amount, read_price
from pipeline.market.splits import Split, read_factor_rows
from pipeline.sources.model import Series

MOST_BYTES: Final = 512 * 1024 * 1024
"""Unpacked; some 7 million bars, thirteen years of minutes."""

MOST_TOLD: Final = 100
"""Bad rows of a file that are told; one too many of these and reading stops."""

BARS: Final = "t_open_ms,open,high,low,close,volume"
PRINTS: Final = "time_ms,coin,price,kind"

_LAST_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999, datetime's end
_SYMBOL: Final = re.compile(r"[A-Za-z0-9@#:/.+-]{1,64}")
_NAMED: Final = re.compile(r"([A-Za-z0-9.-]+)_(?:.+_)?([0-9]+[mhd])\.csv(?:\.gz)?")
_BAR: Final = re.compile(rf"([0-9]{{1,15}}),({NUMBER}),({NUMBER}),({NUMBER}),({NUMBER}),({NUMBER})")
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_ENOUGH: Final = 10
"""Bars whose distances tell the interval; fewer may all have a weekend between them."""


@dataclass(frozen=True, slots=True)
class PriceFile:
    """The bars of one series in a file, in order of time, none twice."""

    series: Series
    bars: tuple[Bar, ...]


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
    raise InvalidInputError("interval", f"{text!a:.20} is none", "a number and m, h or d: 1h")


def write_interval(interval: timedelta) -> str:
    """Write an interval as `read_interval` reads it; `print` for single prints."""
    for unit in "dhm":
        count, rest = divmod(interval, _UNITS[unit])
        if count and not rest:
            return f"{count}{unit}"
    return "print"


def read_prices(
    path: Path,
    source: str,
    symbol: str | None = None,
    interval: str | None = None,
    *,
    known_by: datetime,
) -> list[PriceFile]:
    """Read a file of bars, or of prints of any markets.

    Args:
        path: CSV, gzip if it ends in `.gz`; its first line says which of the two it holds.
        source: what the series are filed under.
        symbol: the market of the bars; without one the file's name begins with it
            (`SOLUSDT_2024_1h.csv.gz`).
        interval: length of the bars; without one the file's name ends with it.
        known_by: the present; a bar that is not closed by then is refused.

    Raises:
        InvalidInputError: it is no such file, or its bars are not of that interval: one too short
            would let each be used before its close.
        ExceptionGroup: of one InvalidInputError for each bad row.
    """
    name = path.name if path.name.isprintable() else ascii(path.name)
    lines = _lines(path, name)
    head = next(lines, "").removeprefix("\ufeff").lower()
    if head == PRINTS:
        return _prints(lines, name, source, known_by)
    if head != BARS:
        raise InvalidInputError(name, f"begins with {head[:60]!a}", f"{BARS}, or {PRINTS}")
    series = _series(name, source, symbol, interval)
    return [PriceFile(series, _bars(lines, name, series.interval, known_by))]


def read_factors(path: Path, symbol: str | None = None) -> tuple[str, tuple[Split, ...]]:
    """Read a factor file, and return its market and the splits it says.

    Args:
        symbol: the market; without one the file's name begins with it (`AAPL_factor_file.csv`).

    Raises:
        InvalidInputError: it is no such file.
    """
    name = path.name if path.name.isprintable() else ascii(path.name)
    market = symbol or name.split("_")[0].split(".")[0]
    rows = [line.split(",") for line in _lines(path, name) if line]
    return _checked(market), read_factor_rows(rows, name)


def _series(name: str, source: str, symbol: str | None, interval: str | None) -> Series:
    named = _NAMED.fullmatch(name)
    if named is None and (symbol is None or interval is None):
        problem = "names no market and interval"
        raise InvalidInputError(name, problem, "SOLUSDT_2024_1h.csv.gz, or both as options")
    found = symbol or (named[1] if named else "")
    length = interval or (named[2] if named else "")
    return Series(source, _checked(found), read_interval(length))


def _checked(symbol: str) -> str:
    if not _SYMBOL.fullmatch(symbol):
        accepted = "1-64 of the characters A-Z a-z 0-9 @ # : / . + -"
        raise InvalidInputError("symbol", f"is {symbol!a:.40}", accepted)
    return symbol


def _lines(path: Path, name: str) -> Iterator[str]:
    """Yield the lines of a file, unpacked, up to a bound."""
    if not path.is_file():
        raise InvalidInputError(name, "is no regular file", "the path of a CSV file")
    left = MOST_BYTES
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while line := file.readline(4096):
                left -= len(line)
                if left < 0:
                    accepted = f"{MOST_BYTES:,} bytes at most, unpacked"
                    raise InvalidInputError(name, "is too large", accepted)
                yield line.decode("utf-8").rstrip("\r\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        accepted = "a readable CSV file in UTF-8, gzip if it ends in .gz"
        raise InvalidInputError(name, f"cannot be read ({error})", accepted) from None


def _bars(
    lines: Iterator[str], name: str, interval: timedelta, known_by: datetime
) -> tuple[Bar, ...]:
    found: dict[datetime, Bar] = {}
    wrong = _Wrong(name)
    for number, line in enumerate(lines, start=2):
        bar = _bar(line, interval)
        problem = bar if isinstance(bar, str) else _unfit(bar, found.get(bar.t_open), known_by)
        if problem is not None:
            wrong.add(number, problem)
        elif not isinstance(bar, str):
            found[bar.t_open] = bar
    wrong.check()
    bars = tuple(found[moment] for moment in sorted(found))
    _check_interval(name, bars, interval)
    return bars


def _bar(line: str, interval: timedelta) -> Bar | str:
    fields = _BAR.fullmatch(line)
    if fields is None:
        return f"is {line[:80]!a}, not {BARS} as plain numbers"
    moment = int(fields[1])
    if moment > _LAST_MS:
        return "opens after the year 9999"
    prices = (Decimal(fields[place]) for place in (2, 3, 4, 5, 6))
    return Bar(from_millis(moment), interval, *prices)


def _unfit(bar: Bar, known: Bar | None, known_by: datetime) -> str | None:
    if known is not None and known != bar:
        return f"says something else of {iso(bar.t_open)} than an earlier row"
    if bar.closed_at > known_by:
        return f"closes at {iso(bar.closed_at)}, which is not yet"
    problem = misshapen(bar)
    return None if problem is None else f"has {problem}"


def _check_interval(name: str, bars: tuple[Bar, ...], interval: timedelta) -> None:
    apart = min((later.t_open - bar.t_open for bar, later in pairwise(bars)), default=interval)
    if apart < interval or (apart > interval and len(bars) >= _ENOUGH):
        problem = f"has bars {apart} apart, not {interval}"
        raise InvalidInputError(name, problem, "the interval of its bars, as --interval 1h")


def _prints(lines: Iterator[str], name: str, source: str, known_by: datetime) -> list[PriceFile]:
    """Read prints: a market's last one of a millisecond counts."""
    found: dict[str, dict[datetime, Bar]] = {}
    wrong = _Wrong(name)
    for number, line in enumerate(lines, start=2):
        fields = line.split(",")
        price = read_price(fields[2]) if len(fields) == 4 else None
        moment = read_amount(fields[0])
        if price is None or moment is None or moment % 1 or not _SYMBOL.fullmatch(fields[1]):
            wrong.add(number, f"is {line[:80]!a}, not {PRINTS}")
        elif moment > _LAST_MS or (at := from_millis(int(moment))) > known_by:
            wrong.add(number, "is of a moment that is not yet")
        else:
            bar = Bar(at, PRINT, price, price, price, price, Decimal(0))
            found.setdefault(fields[1], {})[at] = bar
    wrong.check()
    return [
        PriceFile(Series(source, coin, PRINT), tuple(bars[at] for at in sorted(bars)))
        for coin, bars in sorted(found.items())
    ]


class _Wrong:
    """The bad rows of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows: list[InvalidInputError] = []

    def add(self, number: int, problem: str) -> None:
        accepted = "prices above 0, low <= open, close <= high, closed by now"
        self._rows.append(InvalidInputError(f"{self._name}: line {number}", problem, accepted))
        if len(self._rows) >= MOST_TOLD:
            self.check()

    def check(self) -> None:
        if self._rows:
            raise ExceptionGroup(f"{self._name} has bad rows", self._rows)
