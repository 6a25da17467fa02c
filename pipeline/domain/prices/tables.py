"""Read bars from tables of other programs, strictly: every bad row is named, none is kept.

A daily bar is filed under its trading date at 00:00 UTC, whatever midnight the file names; of a
market that trades all week, west of Greenwich, under that midnight, since it closes with it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from itertools import islice, pairwise
from math import log
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.clock import iso
from afterword.pipeline.core.files.packed import open_packed, printable
from afterword.pipeline.domain.prices.columns import (
    EXAMPLE,
    PRICES,
    Columns,
    find_columns,
    named_columns,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar, misshapen
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.decode import LineError, encoding_of, lines_of
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import DecimalMark, mark_of, read_number
from afterword.pipeline.rules.tabular.sheet import MOST_CELLS, Row, delimiter_of, rows_of
from afterword.pipeline.rules.tabular.stamps import read_epoch
from afterword.pipeline.rules.tabular.timing import Timing, timing_of
from afterword.pipeline.rules.tabular.unsaid import MARKET, ZONE, ask_for

MOST_BYTES: Final = 2 * 1024 * 1024 * 1024
"""Unpacked; some ten million bars."""

MOST_JSON_BYTES: Final = 128 * 1024 * 1024
_HEAD: Final = 60
_PIECE: Final = 65_536
_DAY: Final = timedelta(days=1)
_NONE: Final = timedelta(0)
_SECOND: Final = timedelta(seconds=1)
_MIDNIGHT: Final = re.compile(r"[T ]00:00")
_ENOUGH: Final = 10
"""Bars whose distances tell their length; fewer may all have a weekend between them."""

_FEW: Final = 8
"""One bar of so many may begin late."""

_JUMP: Final = 50
"""A price that is this many times its neighbour is taken for an error of its unit, such as pence
for pounds; no day of a liquid market shows such a move."""

_ALLOW: Final = "(--allow-jumps takes it)"

_USUAL: Final = tuple(
    [
        timedelta(minutes=one)
        for one in (1, 2, 3, 5, 10, 15, 30, 60, 90, 120, 180, 240, 360, 480, 720)
    ]
    + [timedelta(days=one) for one in (1, 2, 3, 7)]
)
_NOTHING: Final = frozenset({"", "null", "nan", "none", "na", "n/a", "-", "#n/a"})
_ORDERS: Final = ("dmy", "mdy", "ymd")
_SATURDAY: Final = 5
_COINBASE: Final = (0, 3, 2, 1, 4, 5)
_LISTS: Final = ("candles", "data", "bars", "prices", "result", "results", "ohlcv", "Data")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the owner says of a table.

    Args:
        symbol: the market; None if only a column may name it.
        columns: `time=Date,open=Open,...`; None finds them.
        zone: of times that say none; None if nobody said.
        time_format: `dmy`, `mdy`, `ymd` or a pattern of `strptime`; None finds it.
        mark: decimal mark; None finds it.
        allows_jumps: prices may jump by a factor of 50.
    """

    columns: str | None = None
    zone: tzinfo | None = None
    time_format: str | None = None
    mark: DecimalMark | None = None
    allows_jumps: bool = False
    symbol: str | None = None


def table_options(
    columns: str | None = None,
    zone: str | None = None,
    time_format: str | None = None,
    decimal: str | None = None,
    allows_jumps: bool = False,
) -> TableOptions:
    """Return options as a command is given them.

    Raises:
        InvalidInputError: one of them cannot be meant.
    """
    place = None if zone is None else read_zone(zone)
    if zone is not None and place is None:
        accepted = "UTC, UTC+8 or America/New_York"
        raise InvalidInputError("zone", f"{zone!a:.40} is not a known time zone", accepted)
    if time_format is not None and "%d" not in time_format and time_format not in _ORDERS:
        accepted = "dmy, mdy, ymd or a pattern such as '%d/%m/%Y %H:%M'"
        raise InvalidInputError("time-format", f"is {time_format!a:.40}", accepted)
    if decimal not in (None, ".", ","):
        raise InvalidInputError("decimal", f"is {decimal!a:.20}", ". or ,")
    mark: DecimalMark | None = None if decimal is None else "," if decimal == "," else "."
    return TableOptions(columns, place, time_format, mark, allows_jumps)


class TableBars(NamedTuple):
    """The bars of a table.

    Args:
        bars: in order of time, none twice.
        symbol: the market.
        splits: that the table tells in a column.
    """

    interval: timedelta
    bars: tuple[Bar, ...]
    symbol: str
    splits: tuple[Split, ...]


class _Line(NamedTuple):
    """One row, read.

    Args:
        moment: when the bar opened; `date` is what the file shows, where that is a date only.
        closed: its end, where the file tells it.
        split: how many new units one old one is from this bar on, where the file tells it.
        bar: without its interval, while that is not known.
    """

    line: int
    moment: datetime
    date: datetime | None
    closed: datetime | None
    split: Decimal | None
    bar: Bar


Refuse = Callable[[int, str], None]
"""Takes note of a bad row, by its line."""


def read_table(
    path: Path,
    options: TableOptions,
    interval: timedelta | None,
    known_by: datetime,
    refuse: Refuse,
    check: Callable[[], None],
) -> TableBars:
    """Read the bars of a table: CSV in any dialect, or JSON.

    Args:
        interval: of the bars, where it is known; None finds it by their distances.
        refuse: takes note of a bad row.
        check: raises if a bad row was noted.

    Raises:
        InvalidInputError: it is no table of bars, or something must be said about it.
    """
    table = _Table.open(path, options)
    lines = [line for row in table.rows() if (line := _read(table, row, refuse)) is not None]
    check()
    if not lines:
        raise InvalidInputError(table.name, "has no bars", "at least one row of prices")
    length = interval or _interval(table, lines)
    bars: dict[datetime, _Line] = {}
    for line in _on_days(table, lines, length):
        bar = line.bar._replace(t_open=line.moment, interval=length)
        known = bars.setdefault(line.moment, line._replace(bar=bar))
        if known.bar != bar:
            refuse(line.line, f"{iso(line.moment)} has other prices than line {known.line}")
        elif bar.closed_at > known_by:
            refuse(line.line, f"{iso(line.moment)} closes at {iso(bar.closed_at)}, not yet")
        elif line.closed is not None and not _NONE <= bar.closed_at - line.closed <= _SECOND:
            refuse(line.line, f"lasts until {iso(line.closed)}, not {length}")
    check()
    found = [bars[moment] for moment in sorted(bars)]
    _check_distances(table.name, found, length)
    if not options.allows_jumps:
        _check_jumps(found, refuse)
        check()
    splits = tuple(_splits(found))
    symbol = options.symbol or table.symbol
    if symbol is None:
        raise ask_for(table.name, MARKET)  # the cells of its column are empty
    return TableBars(length, tuple(one.bar for one in found), symbol, splits)


def _splits(lines: Sequence[_Line]) -> Iterator[Split]:
    """Yield the splits that the prices before them do not account for yet.

    Some files (Alpha Vantage) name a split beside prices as they were traded, others (yfinance)
    beside prices that were divided by it afterwards; the step between the two bars tells which.
    """
    for before, line in pairwise(lines):
        if line.split is None:
            continue
        step = log(before.bar.close / line.bar.open)
        if abs(step - log(line.split)) < abs(step):
            yield Split(line.moment, Fraction(line.split))


class _Table:
    """An opened file of bars, with all that was found out before its first bar is read."""

    def __init__(self, path: Path, name: str, records: Sequence[Row] | None, encoding: str) -> None:
        self._path, self._encoding, self.name = path, encoding, name
        self._records = records
        self._delimiter = ","
        self.columns: Columns
        self.timing: Timing
        self.mark: DecimalMark = "."
        self.zone: tzinfo | None = None
        self.are_dates = False
        self.width = 0
        self.symbol: str | None = None

    @classmethod
    def open(cls, path: Path, options: TableOptions) -> "_Table":
        name = printable(path)
        with open_packed(path, MOST_BYTES) as file:
            start = file.read(_PIECE)
        encoding = encoding_of(start)
        text = start.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
        records = _records(path, name, encoding) if text[:1] in ("{", "[") else None
        table = cls(path, name, records, encoding)
        table._delimiter = delimiter_of(text.splitlines()[:_HEAD])
        with closing(table._all()) as rows:
            head = list(islice(rows, _HEAD))
        table.columns = _columns(name, head, options)
        above = [row for row in head if row.line <= table.columns.start]
        table.width = max(len(row.cells) for row in above or head[:1])
        table._settle(options)
        return table

    def rows(self) -> Iterator[Row]:
        """Yield the rows of bars."""
        return (row for row in self._all() if row.line > self.columns.start)

    def text(self, row: Row, places: Sequence[int]) -> str:
        return " ".join([row.cells[place] for place in places if place < len(row.cells)])

    def _all(self) -> Generator[Row, None, None]:
        if self._records is not None:
            yield from self._records
            return
        with open_packed(self._path, MOST_BYTES) as file:
            try:
                yield from rows_of(lines_of(file, self._encoding), self._delimiter)
            except LineError as error:
                place = f"{self.name}: line {error.line}"
                raise InvalidInputError(place, error.problem, error.accepted) from None

    def _settle(self, options: TableOptions) -> None:
        """Find out how moments and numbers are written."""
        places = self.columns.time
        texts = (text for row in self.rows() if (text := self.text(row, places)))
        self.timing = timing_of(texts, written=options.time_format)
        if self.timing.is_unclear:
            problem = "has days and months that can be read in two ways"
            column = f"{self.name}: column {self.columns.names['time']}"
            raise InvalidInputError(column, problem, "--time-format dmy or --time-format mdy")
        self.are_dates = not self.timing.epoch and self._has_midnights()
        self.zone = options.zone
        self.symbol = self.columns.ticker
        needs_zone = self.timing.needs_zone and not self.are_dates
        if options.symbol is None and self.symbol is None and self.columns.symbol is None:
            zone = [ZONE] if needs_zone and self.zone is None else []
            raise ask_for(self.name, *zone, MARKET)
        if needs_zone:
            self.zone_or_refuse()
        head = islice(self.rows(), _HEAD)
        cells = (row.cells[at] for row in head for at in self.columns.prices if at < len(row.cells))
        mark = options.mark or mark_of(cells)
        if mark is None:
            problem = "has numbers such as 1,234 that can be read in two ways"
            raise InvalidInputError(self.name, problem, "--decimal . or --decimal ,")
        self.mark = mark

    def _has_midnights(self) -> bool:
        """Tell a file whose times are all dates, or the midnight of one."""
        order = next(iter(self.timing.orders), None)
        if order is None:
            return False
        texts = (self.text(row, self.columns.time) for row in self.rows())
        return all(":" not in text or _MIDNIGHT.search(text) for text in texts if text)

    def date(self, text: str) -> datetime | None:
        """Return the date that a cell shows at 00:00 UTC; None in a file of times."""
        return self.timing.read(_MIDNIGHT.split(text)[0], UTC) if self.are_dates else None

    def zone_or_refuse(self) -> tzinfo:
        """Return the zone of times that say none.

        Raises:
            InvalidInputError: nobody said it.
        """
        if self.zone is None:
            raise ask_for(self.name, ZONE)
        return self.zone


def _columns(name: str, head: Sequence[Row], options: TableOptions) -> Columns:
    if not head:
        raise InvalidInputError(name, "is empty", "a file of prices")
    if options.columns is not None:
        return named_columns(options.columns, head)
    found = find_columns(head, name)
    if found is None:
        row = next((one for one in head if len(one.cells) > 1), head[0])
        cells = ", ".join(mask(cell) for cell in row.cells if cell)
        problem = f"has no columns of prices that are known ({shown(cells, 200)})"
        accepted = f"--columns {EXAMPLE}, with the names of this file"
        raise InvalidInputError(f"{name}: line {row.line}", problem, accepted)
    return found


def _read(table: _Table, row: Row, refuse: Refuse) -> _Line | None:
    """Read one row; None for a bad one and for one without any price, as holidays have it."""
    columns, cells = table.columns, row.cells
    texts = [cells[place] if place < len(cells) else "" for place in columns.prices]
    if all(text.lower() in _NOTHING for text in texts):
        return None
    if len(cells) > table.width and any(cells[table.width :]):  # `1,234.5` without quotes
        return _bad(refuse, row.line, f"has {len(cells)} cells, not {table.width}")
    text = table.text(row, columns.time)
    date = table.date(text)
    moment = table.timing.read(text, table.zone or (UTC if date else None))
    if moment is None:
        problem = table.timing.problem(text, table.zone, shown(text))
        return _bad(refuse, row.line, f"column {columns.names['time']} {problem}")
    numbers: list[Decimal] = []
    volume = (
        cells[columns.volume] if columns.volume is not None and columns.volume < len(cells) else ""
    )
    for key, cell in zip((*PRICES, "volume"), (*texts, volume), strict=True):
        number = read_number(cell, table.mark)
        if number is None:
            if key != "volume" or cell.lower() not in _NOTHING:
                named = columns.names.get(key) or key
                return _bad(refuse, row.line, f"column {named} is {shown(cell, 40)}, no number")
            number = Decimal(0)
        numbers.append(number)
    bar = Bar(moment, _NONE, *numbers)
    if (shape := misshapen(bar)) is not None:
        return _bad(refuse, row.line, f"has a {shape}")
    if not _note_symbol(table, row, refuse):
        return None
    closed = read_epoch(table.text(row, (columns.closed,))) if columns.closed is not None else None
    split = None
    if columns.split is not None:
        cell = table.text(row, (columns.split,))
        split = read_number(cell, table.mark)
        if split is None or split < 0:
            return _bad(refuse, row.line, f"has the split {shown(cell, 40)}, no number from 0")
    return _Line(row.line, moment, date, closed, split if split not in (0, 1) else None, bar)


def _bad(refuse: Refuse, line: int, problem: str) -> _Line | None:
    refuse(line, problem)
    return None


def _note_symbol(table: _Table, row: Row, refuse: Refuse) -> bool:
    place = table.columns.symbol
    if place is None or place >= len(row.cells) or not row.cells[place]:
        return True
    if table.symbol is None:
        table.symbol = row.cells[place]
    if table.symbol != row.cells[place]:
        here, before = shown(row.cells[place], 40), shown(table.symbol, 40)
        refuse(row.line, f"is of {here}, lines before of {before}")
        return False
    return True


def _interval(table: _Table, lines: Sequence[_Line]) -> timedelta:
    """Return the smallest distance between bars; refuse one that no program uses."""
    if lines[0].closed is not None:
        return _rounded(lines[0].closed - lines[0].moment)
    moments = sorted({line.date or line.moment for line in lines})
    apart = Counter(later - one for one, later in pairwise(moments))
    smallest = min(apart, default=None)
    if smallest is not None and smallest not in _USUAL:
        usual = max(apart, key=lambda one: apart[one])
        smallest = usual if 2 * smallest >= usual else smallest  # some bars begin late
    if smallest is None or smallest not in _USUAL:
        found = f"their smallest distance is {smallest}" if smallest else "there is only one"
        problem = f"does not say how long its bars last, and {found}"
        raise InvalidInputError(table.name, problem, "--interval 1h")
    return smallest


def _rounded(length: timedelta) -> timedelta:
    """Return the length of a bar whose last moment is told: 59:59.999 is an hour."""
    return next((one for one in _USUAL if _NONE <= one - length <= _SECOND), length)


def _on_days(table: _Table, lines: Sequence[_Line], length: timedelta) -> Iterator[_Line]:
    """Yield daily bars under their trading dates; others as they are."""
    if length < _DAY or not table.are_dates:
        if table.are_dates and table.timing.needs_zone:
            table.zone_or_refuse()
        yield from lines
        return
    # A market that trades on weekends closes with the midnight that the file names: west of
    # Greenwich that is after the end of the date in UTC.
    late = _NONE
    if any(line.date and line.date.weekday() >= _SATURDAY for line in lines):
        late = max(_NONE, *(line.moment - line.date for line in lines if line.date))
    for line in lines:
        yield line._replace(moment=(line.date or line.moment) + late)


def _check_distances(name: str, found: Sequence[_Line], length: timedelta) -> None:
    """Refuse bars that are not of the length; the first line that shows it is named.

    A few bars may begin late, as at some brokers after a break: they are known late, never early.
    """
    apart = [(later.moment - one.moment, later.line) for one, later in pairwise(found)]
    if not apart:
        return
    smallest, line = min(apart)
    late = sum(one < length for one, _ in apart)
    is_late = 2 * smallest >= length and _FEW * late <= len(found)
    if (smallest < length and not is_late) or (smallest > length and len(found) >= _ENOUGH):
        problem = f"is {smallest} after another bar, not {length}"
        accepted = "the interval of its bars, as --interval 1h"
        raise InvalidInputError(f"{name}: line {line}", problem, accepted)


def _check_jumps(found: Sequence[_Line], refuse: Refuse) -> None:
    """Refuse prices of another unit: 100 times those of the bar before, or inside one bar."""
    before: Decimal | None = None
    for line in found:
        bar = line.bar
        low = bar.low if before is None else min(bar.low, before)
        high = bar.high if before is None else max(bar.high, before)
        if high >= low * _JUMP:
            times = int(high / low)
            refuse(line.line, f"jumps {times}-fold, an error of its unit? {_ALLOW}")
        before = bar.close


def _records(path: Path, name: str, encoding: str) -> list[Row]:
    """Return the rows in a file of JSON: candles as lists or as objects, under a key or without."""
    with open_packed(path, MOST_JSON_BYTES) as file:
        content = file.read()
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
        # Numbers stay as they are written: a float would change prices.
        found = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(name, f"is not JSON: {error}"[:200], "candles") from None
    if isinstance(found, dict):
        lists = [found[key] for key in _LISTS if isinstance(found.get(key), list)]
        found = lists[0] if lists else None
    if not isinstance(found, list) or not found:
        raise InvalidInputError(name, "has no list of candles", "[[time, ...], ...] or objects")
    if all(isinstance(one, list) for one in found):
        return _candles(name, [[_cell(cell) for cell in one] for one in found])
    if all(isinstance(one, dict) for one in found):
        names = list(dict.fromkeys(key for one in found for key in one))
        if len(names) > MOST_CELLS:  # each row gets a cell for each name
            problem = f"has candles with {len(names):,} names"
            raise InvalidInputError(name, problem, f"{MOST_CELLS:,} names at most")
        rows = [[_cell(one.get(key)) for key in names] for one in found]
        return [Row(0, names), *(Row(place, row) for place, row in enumerate(rows, start=1))]
    raise InvalidInputError(name, "has candles of several kinds", "lists, or objects")


def _candles(name: str, found: Sequence[list[str]]) -> list[Row]:
    """Return candles with the columns time, open, high, low, close, volume.

    Coinbase writes time, low, high, open, close: the order is that in which all bars are possible.
    """
    if not all(len(one) == len(found[0]) for one in found):
        raise InvalidInputError(name, "has candles of different lengths", "one length")
    if len(found[0]) != len(_COINBASE):
        return [Row(place, one) for place, one in enumerate(found, start=1)]
    turned = [[one[place] for place in _COINBASE] for one in found]
    usual, other = (all(map(_is_possible, rows)) for rows in (found, turned))
    if usual and other and list(found) != turned:
        problem = "has candles that are possible in two orders of columns"
        raise InvalidInputError(name, problem, "a CSV with a header")
    rows = turned if other and not usual else found
    return [Row(place, one) for place, one in enumerate(rows, start=1)]


def _is_possible(candle: Sequence[str]) -> bool:
    numbers = [read_number(cell) for cell in candle[1:5]]
    if None in numbers:
        return True  # refused with its line when it is read
    first, high, low, last = (number or Decimal(0) for number in numbers)
    return low <= min(first, last) and max(first, last) <= high


def _cell(found: object) -> str:
    return found if isinstance(found, str) else "" if found is None else json.dumps(found)
