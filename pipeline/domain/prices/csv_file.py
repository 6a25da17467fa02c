"""Read prices from files, strictly: one bad row refuses the file; every bad row is named.

Our own form of bars and prints is read here, tables of other programs in `tables`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.core.files.packed import inner_name, open_packed, printable
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.intervals import read_interval
from afterword.pipeline.domain.prices.names import read_name
from afterword.pipeline.domain.prices.read_table import TableOptions, read_table
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import PRINT, Bar, misshapen
from afterword.pipeline.rules.market.decimals import NUMBER, read_amount, read_price
from afterword.pipeline.rules.market.splits import Split, read_factor_rows
from afterword.pipeline.rules.masking import shown

FORM_BYTES: Final = 512 * 1024 * 1024
"""Of a file of our own form, unpacked; some 7 million bars, thirteen years of minutes."""

NAMED_ROWS: Final = 100
"""Bad rows of a file that are named; after one more, reading stops."""

BARS: Final = "t_open_ms,open,high,low,close,volume"
PRINTS: Final = "time_ms,coin,price,kind"

_LAST_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999, datetime's end
_SYMBOL: Final = re.compile(r"[A-Za-z0-9@#:/.+-]{1,64}")
_NAMED: Final = re.compile(r"([A-Za-z0-9.-]+)_(?:.+_)?([0-9]+[mhd])\.csv(?:\.gz)?")
_MOMENT: Final = re.compile("[0-9]{1,15}", re.ASCII)
_BAR: Final = re.compile(rf"({_MOMENT.pattern})" + rf",({NUMBER})" * 5, re.ASCII)
_PRINT: Final = re.compile(rf"({_MOMENT.pattern}),({_SYMBOL.pattern}),({NUMBER}),([^,]*)", re.ASCII)
_MILLISECOND: Final = timedelta(milliseconds=1)
_HEAD_BYTES: Final = 1_024
_AS_FOUND: Final = TableOptions()
_PIECE_BYTES: Final = 65_536  # bytes read at once, and the longest line
_ENOUGH: Final = 10
"""Bars whose distances tell the interval; fewer may all have a weekend between them."""


@dataclass(frozen=True, slots=True)
class PriceFile:
    """The bars of one series in a file, in order of time, none twice, and the splits it tells."""

    series: Series
    bars: tuple[Bar, ...]
    splits: tuple[Split, ...] = ()


def read_prices(
    path: Path,
    source: str,
    symbol: str | None = None,
    interval: str | None = None,
    *,
    known_by: datetime,
    options: TableOptions = _AS_FOUND,
) -> list[PriceFile]:
    """Read a file of bars, or of prints of any markets.

    Args:
        path: our own form, gzip if it ends in `.gz`, or a table of another program; its first line
            says which.
        source: what the series are filed under.
        symbol: the market of the bars; without one the file's name begins with it
            (`SOLUSDT_2024_1h.csv.gz`).
        interval: length of the bars; without one the file's name ends with it.
        known_by: the present; a bar that is not closed by then is refused.
        options: what is said of a table of another program.

    Raises:
        InvalidInputError: it is no such file, or its bars are not of that interval: one too short
            would let each be used before its close.
        ExceptionGroup: of one InvalidInputError for each bad row.
    """
    name = printable(path)
    head = _first_line(path, name)
    if head not in (BARS, PRINTS) or options != _AS_FOUND:
        return [_table(path, name, source, symbol, interval, known_by, options)]
    lines = _lines(path, name)
    next(lines, "")
    if head == PRINTS:
        return _prints(lines, name, source, known_by)
    series = _series(name, source, symbol, interval)
    return [PriceFile(series, _bars(lines, path, name, series.interval, known_by))]


def _first_line(path: Path, name: str) -> str:
    """Return the first line of a file, if it may be one of our own; else a part of it."""
    with open_packed(path, FORM_BYTES) as file:
        line = file.readline(_HEAD_BYTES)
    is_ours = path.suffix == ".gz" or not name.lower().endswith((".gz", ".zip"))
    text = line.decode("utf-8", "backslashreplace").removeprefix("\ufeff").rstrip("\r\n").lower()
    return text if is_ours else ""


def _table(
    path: Path,
    name: str,
    source: str,
    symbol: str | None,
    interval: str | None,
    known_by: datetime,
    options: TableOptions,
) -> PriceFile:
    """Read a table of another program; its name, its columns or the bars tell market and length."""
    named = read_name(inner_name(path))
    wrong = _Wrong(name)
    length = read_interval(interval) if interval else named.interval
    options = replace(options, symbol=symbol or named.symbol)
    table = read_table(path, options, length, known_by, wrong.add, wrong.check)
    series = Series(source, _checked(table.symbol), table.interval)
    return PriceFile(series, table.bars, table.splits)


def read_factors(path: Path, symbol: str | None = None) -> tuple[str, tuple[Split, ...]]:
    """Read a factor file, and return its market and the splits it says.

    Args:
        symbol: the market; without one the file's name begins with it (`AAPL_factor_file.csv`).

    Raises:
        InvalidInputError: it is no such file.
    """
    name = printable(path)
    market = symbol or name.split("_")[0].split(".")[0]
    rows = [line.split(",") for line in _lines(path, name) if line]
    return _checked(market), read_factor_rows(rows, name)


def refuse_unpriced(market: str, priced: Collection[str]) -> None:
    """Refuse the splits of a market of which the same source has no price: they would do nothing.

    Args:
        priced: the markets that have prices.

    Raises:
        InvalidInputError: the market is not among them.
    """
    if market not in priced:
        problem = f"has the splits of {market}, of which there are no prices"
        raise InvalidInputError("factors", problem, ", ".join(sorted(priced)) or "prices first")


def _series(name: str, source: str, symbol: str | None, interval: str | None) -> Series:
    named = _NAMED.fullmatch(name)
    if named is None and (symbol is None or interval is None):
        problem = "must begin with its market and end with its interval"
        raise InvalidInputError(name, problem, "SOLUSDT_2024_1h.csv.gz, or both as options")
    market = symbol or (named[1] if named else "")
    length = interval or (named[2] if named else "")
    return Series(source, _checked(market), read_interval(length))


def _checked(symbol: str) -> str:
    if not _SYMBOL.fullmatch(symbol):
        accepted = "1-64 of the characters A-Z a-z 0-9 @ # : / . + -"
        raise InvalidInputError("symbol", f"is {symbol!a:.40}", accepted)
    return symbol


def _lines(path: Path, name: str) -> Iterator[str]:
    """Yield the lines of a file, unpacked, up to a bound; what is no UTF-8 as `\\xff`."""
    rest = b""
    with open_packed(path, FORM_BYTES) as file:
        while piece := file.read(_PIECE_BYTES):
            whole, newline, rest = (rest + piece).rpartition(b"\n")
            if newline:
                yield from _split(whole)
            elif len(rest) > _PIECE_BYTES:
                accepted = f"lines of {_PIECE_BYTES:,} bytes at most"
                raise InvalidInputError(name, "has a line that does not end", accepted)
    if rest:
        yield from _split(rest)


def _split(whole: bytes) -> list[str]:
    text = whole.decode("utf-8", "backslashreplace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    return text.split("\n")


def _bars(
    lines: Iterator[str], path: Path, name: str, interval: timedelta, known_by: datetime
) -> tuple[Bar, ...]:
    bars: dict[int, Bar] = {}
    wrong = _Wrong(name)
    for number, line in enumerate(lines, start=2):
        fields = _BAR.fullmatch(line)
        if fields is None or (moment := int(fields[1])) > _LAST_MS:
            wrong.add(number, _misread(line, BARS))
            continue
        bar = Bar._make((from_millis(moment), interval, *map(Decimal, fields.groups()[1:])))
        known = bars.setdefault(moment, bar)
        if known is not bar and known != bar:
            wrong.add(number, f"t_open_ms {moment} has other prices than in an earlier line")
        elif bar.closed_at > known_by:
            wrong.add(number, f"t_open_ms {moment} closes at {iso(bar.closed_at)}, not yet")
        elif (problem := misshapen(bar)) is not None:
            wrong.add(number, f"has a {problem}")
    wrong.check()
    moments = sorted(bars)
    _check_interval(path, name, moments, interval)
    return tuple([bars[moment] for moment in moments])


def _check_interval(path: Path, name: str, moments: Sequence[int], interval: timedelta) -> None:
    """Refuse bars that are not of the interval; the first line that shows it is named."""
    step = interval // _MILLISECOND
    apart = min((later - before for before, later in pairwise(moments)), default=step)
    if apart < step or (apart > step and len(moments) >= _ENOUGH):
        first = next(later for before, later in pairwise(moments) if later - before == apart)
        rows = islice(enumerate(_lines(path, name), start=1), 1, None)
        number = next(number for number, row in rows if int(row.partition(",")[0]) == first)
        problem = f"t_open_ms {first} is {apart * _MILLISECOND} after another bar, not {interval}"
        accepted = "the interval of its bars, as --interval 1h"
        raise InvalidInputError(f"{name}: line {number}", problem, accepted)


def _prints(lines: Iterator[str], name: str, source: str, known_by: datetime) -> list[PriceFile]:
    """Read prints: a market's last one of a millisecond counts."""
    markets: dict[str, dict[datetime, Bar]] = {}
    wrong = _Wrong(name)
    for number, line in enumerate(lines, start=2):
        fields = _PRINT.fullmatch(line)
        price = read_price(fields[3]) if fields else None
        if fields is None or price is None or (moment := int(fields[1])) > _LAST_MS:
            wrong.add(number, _misread(line, PRINTS))
        elif (at := from_millis(moment)) > known_by:
            wrong.add(number, f"time_ms {moment} is {iso(at)}, not yet")
        else:
            bar = Bar(at, PRINT, price, price, price, price, Decimal(0))
            markets.setdefault(fields[2], {})[at] = bar
    wrong.check()
    return [
        PriceFile(Series(source, coin, PRINT), tuple(bars[at] for at in sorted(bars)))
        for coin, bars in sorted(markets.items())
    ]


def _misread(line: str, head: str) -> str:
    """Say which field of a line is not what its head says."""
    names, values = head.split(","), line.split(",")
    if len(values) != len(names):
        return f"has {len(values)} fields, not {head}"
    for name, value in zip(names, values, strict=True):
        if name.endswith("_ms") and not _MOMENT.fullmatch(value):
            return f"{name} must be a whole number of milliseconds, got {shown(value, 40)}"
        if name.endswith("_ms") and int(value) > _LAST_MS:
            return f"{name} is {value}, after the year 9999"
        if name == "coin" and not _SYMBOL.fullmatch(value):
            return f"{name} must be a market, got {shown(value, 40)}"
        if name not in ("coin", "kind") and not name.endswith("_ms") and read_amount(value) is None:
            return f"{name} must be a plain number, got {shown(value, 40)}"
    return "price must be above 0, got 0"


class _Wrong:
    """The bad rows of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows: list[InvalidInputError] = []

    def add(self, number: int, problem: str) -> None:
        accepted = "prices above 0, low <= open, close <= high, closed by now"
        self._rows.append(InvalidInputError(f"{self._name}: line {number}", problem, accepted))
        if len(self._rows) >= NAMED_ROWS:
            self.check()

    def check(self) -> None:
        if self._rows:
            raise ExceptionGroup(f"{self._name} has bad rows", self._rows)
