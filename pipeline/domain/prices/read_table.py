"""Read bars from tables of other programs, strictly: every bad row is named, none is kept.

A daily bar is filed under its trading date at 00:00 UTC, whatever midnight the file names; of a
market that trades all week, west of Greenwich, under that midnight, since it closes with it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.clock import iso
from afterword.pipeline.core.files.packed import printable
from afterword.pipeline.domain.documents.document import Document, FilePurpose, open_document
from afterword.pipeline.domain.documents.named import named_table
from afterword.pipeline.domain.documents.table import KeyedTable, joined
from afterword.pipeline.domain.prices.columns import EXAMPLE, PRICE_KEYS, find_columns, read_pairs
from afterword.pipeline.domain.prices.json_rows import json_rows
from afterword.pipeline.domain.prices.lengths import (
    SECOND,
    check_distances,
    rounded_length,
    usual_length,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar, misshapen
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import DecimalMark, read_number
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import read_epoch
from afterword.pipeline.rules.tabular.stated import stated_mark, stated_time_format, stated_zone
from afterword.pipeline.rules.tabular.timing import Timing
from afterword.pipeline.rules.tabular.unsaid import MARKET, ZONE, ask_for

BARS_OF_A_TABLE: Final = FilePurpose(
    "bars of prices",
    most_bytes=2 * 1024 * 1024 * 1024,  # some ten million bars
    most_whole_bytes=128 * 1024 * 1024,
    takes_nan=True,
)

_DAY: Final = timedelta(days=1)
_NONE: Final = timedelta(0)
_MIDNIGHT: Final = re.compile(r"[T ]00:00")
_JUMP: Final = 50
"""A price that is this many times its neighbour is taken for an error of its unit, such as pence
for pounds; no day of a liquid market shows such a move."""

_ALLOW: Final = "(--allow-jumps takes it)"
_NOTHING: Final = frozenset({"", "null", "nan", "none", "na", "n/a", "-", "#n/a"})
_SATURDAY: Final = 5


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
    return TableOptions(
        columns,
        stated_zone(zone),
        stated_time_format(time_format),
        stated_mark(decimal),
        allows_jumps,
    )


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
    table = _open(path, options)
    reader = _Reader(table, refuse)
    lines = [line for row in table.rows() if (line := reader.read(row)) is not None]
    check()
    if not lines:
        raise InvalidInputError(table.name, "has no bars", "at least one row of prices")
    length = interval or _length(table, lines)
    bars: dict[datetime, _Line] = {}
    for line in _on_days(table, lines, length):
        bar = line.bar._replace(t_open=line.moment, interval=length)
        known = bars.setdefault(line.moment, line._replace(bar=bar))
        if known.bar != bar:
            refuse(line.line, f"{iso(line.moment)} has other prices than line {known.line}")
        elif bar.closed_at > known_by:
            refuse(line.line, f"{iso(line.moment)} closes at {iso(bar.closed_at)}, not yet")
        elif line.closed is not None and not _NONE <= bar.closed_at - line.closed <= SECOND:
            refuse(line.line, f"lasts until {iso(line.closed)}, not {length}")
    check()
    lines = [bars[moment] for moment in sorted(bars)]
    check_distances(table.name, [(line.moment, line.line) for line in lines], length)
    if not options.allows_jumps:
        _check_jumps(lines, refuse)
        check()
    symbol = options.symbol or reader.symbol
    if symbol is None:
        raise ask_for(table.name, MARKET)  # the cells of its column are empty
    return TableBars(length, tuple(line.bar for line in lines), symbol, tuple(_splits(lines)))


class _PriceTable(NamedTuple):
    """A table of bars, with all that was found out before its first bar is read.

    Args:
        symbol: the market that its preamble names.
        width: cells of its widest row down to the header.
        are_dates: its times are all dates, or the midnight of one.
        zone: of times that say none.
    """

    table: KeyedTable
    symbol: str | None
    width: int
    timing: Timing
    are_dates: bool
    zone: tzinfo | None
    mark: DecimalMark

    @property
    def name(self) -> str:
        return self.table.name

    def rows(self) -> Iterator[Row]:
        """Yield the rows of bars."""
        return self.table.rows()

    def date(self, text: str) -> datetime | None:
        """Return the date that a cell shows at 00:00 UTC; None in a file of times."""
        return self.timing.read(_MIDNIGHT.split(text)[0], UTC) if self.are_dates else None


def _open(path: Path, options: TableOptions) -> _PriceTable:
    """Open a file, and find out where its columns are and how they are written.

    Raises:
        InvalidInputError: it has no columns of prices, or something must be said about it.
    """
    document = open_document(path, BARS_OF_A_TABLE, printable(path))
    if document.form == "json":
        document = document.as_sheet(json_rows(document.name, document.content))
    table, symbol = _columns(document, options)
    above = [row for row in document.head if row.line <= table.start]
    width = max(len(row.cells) for row in above or document.head[:1])
    timing = table.timing("time", form=options.time_format)
    are_dates = not timing.epoch and _are_dates(table, timing)
    has_market = (options.symbol, symbol) != (None, None) or "symbol" in table.at
    lacks_zone = timing.needs_zone and not are_dates and options.zone is None
    if lacks_zone or not has_market:
        things = (ZONE, lacks_zone), (MARKET, not has_market)
        raise ask_for(table.name, *(thing for thing, is_unsaid in things if is_unsaid))
    mark = options.mark or table.mark(PRICE_KEYS)
    return _PriceTable(table, symbol, width, timing, are_dates, options.zone, mark)


def _columns(document: Document, options: TableOptions) -> tuple[KeyedTable, str | None]:
    """Return the table, and the market that its preamble names."""
    if options.columns is not None:
        return named_table(document, read_pairs(options.columns))[0], None
    if document.form != "sheet":
        raise InvalidInputError(document.name, f"is {document.kind}", "a CSV or JSON of prices")
    columns = find_columns(document.head, document.name)
    if columns is None:
        head = document.head
        row = next((row for row in head if len(row.cells) > 1), head[0])
        cells = ", ".join(mask(cell) for cell in row.cells if cell)
        problem = f"has no columns of prices that are known ({shown(cells, 200)})"
        accepted = f"--columns {EXAMPLE}, with the names of this file"
        raise InvalidInputError(f"{document.name}: line {row.line}", problem, accepted)
    return KeyedTable(document, columns.start, columns.at, columns.names), columns.ticker


def _are_dates(table: KeyedTable, timing: Timing) -> bool:
    """Tell a file whose times are all dates, or the midnight of one."""
    texts = (table.text(row, "time") for row in table.rows())
    return bool(timing.orders) and all(
        ":" not in text or _MIDNIGHT.search(text) for text in texts if text
    )


class _Reader:
    """Reads the rows of a table of bars, and notes the market that they name.

    Args:
        refuse: takes note of a bad row.
    """

    def __init__(self, table: _PriceTable, refuse: Refuse) -> None:
        self._table, self._refuse = table, refuse
        self._at, self._names = table.table.at, table.table.names
        self._prices = [self._at[key][0] for key in PRICE_KEYS]
        self.symbol = table.symbol

    def read(self, row: Row) -> _Line | None:
        """Read one row; None for a bad one and for one without any price, as holidays have it."""
        table, cells = self._table, row.cells
        texts = [cells[place] if place < len(cells) else "" for place in self._prices]
        if all(text.lower() in _NOTHING for text in texts):
            return None
        if len(cells) > table.width and any(cells[table.width :]):  # `1,234.5` without quotes
            return self._bad(row, f"has {len(cells)} cells, not {table.width}")
        # A date whose time is empty keeps the blank behind it, and is no moment of a bar.
        text = joined(cells, self._at["time"])
        date = table.date(text)
        moment = table.timing.read(text, table.zone or (UTC if date else None))
        if moment is None:
            problem = table.timing.problem(text, table.zone, shown(text))
            return self._bad(row, f"column {self._names['time']} {problem}")
        numbers: list[Decimal] = []
        for key, cell in zip(
            (*PRICE_KEYS, "volume"), (*texts, self._text(row, "volume")), strict=True
        ):
            number = read_number(cell, table.mark)
            if number is None:
                if key != "volume" or cell.lower() not in _NOTHING:
                    column = self._names.get(key) or key
                    return self._bad(
                        row, f"column {column} must be a number, got {shown(cell, 40)}"
                    )
                number = Decimal(0)
            numbers.append(number)
        bar = Bar(moment, _NONE, *numbers)
        if (shape := misshapen(bar)) is not None:
            return self._bad(row, f"has a {shape}")
        if not self._is_of_one_market(row):
            return None
        split = None
        if "split" in self._at:
            cell = self._text(row, "split")
            split = read_number(cell, table.mark)
            if split is None or split < 0:
                return self._bad(
                    row,
                    f"column {self._names['split']} must be a number from 0, got {shown(cell, 40)}",
                )
        closed = read_epoch(self._text(row, "closed")) if "closed" in self._at else None
        return _Line(row.line, moment, date, closed, split if split not in (0, 1) else None, bar)

    def _text(self, row: Row, key: str) -> str:
        """Return a cell; empty if the row is too short or the column is not there."""
        places = self._at.get(key)
        return row.cells[places[0]] if places and places[0] < len(row.cells) else ""

    def _is_of_one_market(self, row: Row) -> bool:
        """Refuse a row of another market than the rows before."""
        symbol = self._text(row, "symbol")
        if self.symbol is None:
            self.symbol = symbol or None
        if symbol and symbol != self.symbol:
            here, before = shown(symbol, 40), shown(str(self.symbol), 40)
            self._bad(row, f"is of {here}, lines before of {before}")
            return False
        return True

    def _bad(self, row: Row, problem: str) -> _Line | None:
        self._refuse(row.line, problem)
        return None


def _length(table: _PriceTable, lines: Sequence[_Line]) -> timedelta:
    """Return how long the bars last, as the table says or their distances."""
    if lines[0].closed is not None:
        return rounded_length(lines[0].closed - lines[0].moment)
    return usual_length(table.name, (line.date or line.moment for line in lines))


def _on_days(table: _PriceTable, lines: Sequence[_Line], length: timedelta) -> Iterator[_Line]:
    """Yield daily bars under their trading dates; others as they are."""
    if length < _DAY or not table.are_dates:
        if table.are_dates and table.timing.needs_zone and table.zone is None:
            raise ask_for(table.name, ZONE)
        yield from lines
        return
    # A market that trades on weekends closes with the midnight that the file names: west of
    # Greenwich that is after the end of the date in UTC.
    late = _NONE
    if any(line.date and line.date.weekday() >= _SATURDAY for line in lines):
        late = max(_NONE, *(line.moment - line.date for line in lines if line.date))
    for line in lines:
        yield line._replace(moment=(line.date or line.moment) + late)


def _check_jumps(lines: Sequence[_Line], refuse: Refuse) -> None:
    """Refuse prices of another unit: 100 times those of the bar before, or inside one bar."""
    before: Decimal | None = None
    for line in lines:
        bar = line.bar
        low = bar.low if before is None else min(bar.low, before)
        high = bar.high if before is None else max(bar.high, before)
        if high >= low * _JUMP:
            times = int(high / low)
            refuse(line.line, f"jumps {times}-fold, an error of its unit? {_ALLOW}")
        before = bar.close


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
