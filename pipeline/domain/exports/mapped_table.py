"""A table whose columns its owner named, with all that is found out before its first row."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.named import named_table
from afterword.pipeline.domain.documents.table import KeyedTable
from afterword.pipeline.domain.exports.currency import is_of_abroad
from afterword.pipeline.domain.exports.mapping import WORD_KEYS, ColumnMapping
from afterword.pipeline.domain.exports.money import amount_of, currency_in_name
from afterword.pipeline.domain.exports.status_words import BLANK
from afterword.pipeline.domain.exports.text_cells import with_day, with_parts
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import DecimalMark, is_below_zero, read_number
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.timing import Timing

MAPPED_TIMES: Final[tuple[str, ...]] = ("time", "closed", "opened")
NUMBERS: Final = (
    *("qty", "price", "total", "fee", "pnl", "net", "entry", "exit", "funding", "multiplier"),
    *("got", "gave", "without"),
)
MONEY: Final = ("price", "total", "entry", "exit", "pnl", "net")
"""Keys of amounts in the currency of the market."""

ADDED: Final = ("fee", "without")
"""Keys of which several columns are added up, not joined."""

_FEW: Final = 3
"""Fees of one sign that are asked about: fewer may be rebates."""


class MappedTable(NamedTuple):
    """A table with what its columns say as a whole.

    Args:
        names: of all columns, `#3` where one has none.
        places: of the columns, by their names.
        zone: of times that say none.
        timings: by the key of a moment.
        units: currency in the name of a column, by its key.
        others: currencies in the names of all columns.
        is_of_abroad: whether its names are of another language than English.
        unnamed: places of columns that the mapping does not name; `statuses` those of them that
            are called so.
        has_signs: whether quantities below 0 are among closed trades.
        skips_blanks: whether rows with an empty cell that is needed are left out.
        quotes: currency by account and market, as rows are read: one market has one.
        single: place by key, of keys that one column holds.
        money: keys of `MONEY` that columns hold.
        words: by key of words, those that the mapping says; small letters.
        joined: keys of several columns together, without those that are added up.
    """

    table: KeyedTable
    mapping: ColumnMapping
    header: Row | None
    names: list[str]
    places: dict[str, int]
    mark: DecimalMark
    zone: tzinfo | None
    timings: dict[str, Timing]
    units: dict[str, str]
    others: frozenset[str]
    is_of_abroad: bool
    unnamed: tuple[int, ...]
    statuses: frozenset[int]
    has_signs: bool
    skips_blanks: bool
    quotes: dict[tuple[str, str], str]
    single: dict[str, int]
    money: tuple[str, ...]
    words: dict[str, frozenset[str]]
    joined: tuple[str, ...]

    def texts_of(self, row: Row, cells: Sequence[str]) -> dict[str, str]:
        """Return what a row holds by key, and what holds for all rows.

        Args:
            cells: of the row, empty ones behind those it has.
        """
        texts = dict(self.mapping.fixed)
        for key, at in self.single.items():
            texts[key] = cells[at]
        for key in self.joined:
            texts[key] = self.table.text(row, key)
        return texts


def mapped_table(document: Document, mapping: ColumnMapping, origin: Origin) -> MappedTable:
    """Return a table by the columns of a mapping.

    Raises:
        InvalidInputError: it lacks a column, or something only its owner knows is not said.
    """
    table, header = named_table(document, mapping.columns)
    written = list(header.cells) if header else [""] * len(document.head[0].cells)
    if mapping.texts:
        table, added = with_parts(table, written, mapping.texts)
        written += added
    zone = origin.zone or mapping.zone_of_times()
    table, added = with_day(table, written, origin, needs_zone=zone is None)
    written += added
    names = [name or f"#{place + 1}" for place, name in enumerate(written)]
    keys = [key for key in NUMBERS if key in table.at]
    mark = origin.mark or table.mark(keys, mapping.mark, lambda text: amount_of(text).number)
    timings = _timings(table, mapping, origin, needs_zone=zone is None)
    unnamed = tuple(place for place in range(len(names)) if place not in _named(table))
    _check_fees(table, mapping, mark)
    asks_signs = mapping.is_closed and not {"direction"} & {*table.at, *mapping.fixed}
    return MappedTable(
        table,
        mapping,
        header,
        names,
        _places(table, mapping, names),
        mark,
        zone,
        timings,
        _units(table, written),
        frozenset(filter(None, map(currency_in_name, written))),
        is_of_abroad(written),
        unnamed,
        frozenset(at for at in unnamed if "status" in names[at].lower()),
        asks_signs and any(is_below_zero(table.text(row, "qty")) for row in table.rows()),
        BLANK in mapping.words("skip"),
        {},
        {key: at[0] for key, at in table.at.items() if len(at) == 1},
        tuple(key for key in MONEY if key in table.at),
        {key: mapping.words(key) for key in WORD_KEYS},
        tuple(key for key, at in table.at.items() if len(at) > 1 and key not in ADDED),
    )


def parts_of(table: KeyedTable, row: Row, key: str) -> list[str]:
    """Return the cells of a key one by one; several columns of fees are added up."""
    cells = row.cells
    return [cells[at] for at in table.at[key] if at < len(cells)]


def _named(table: KeyedTable) -> set[int]:
    return {place for at in table.at.values() for place in at}


def _places(table: KeyedTable, mapping: ColumnMapping, names: Sequence[str]) -> dict[str, int]:
    """Return the place of each column by its name, and by the name that the mapping gives it."""
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places.setdefault(name, place)
    for key, name in mapping.columns.items():
        places.setdefault(name, table.at[key][0])
    return places


def _timings(
    table: KeyedTable, mapping: ColumnMapping, origin: Origin, *, needs_zone: bool
) -> dict[str, Timing]:
    """Return how the moments of a table are written, by their keys.

    Raises:
        InvalidInputError: they can be read in two ways, or need a zone that nobody said.
    """
    time_unit = origin.time_unit or mapping.time_unit
    time_format = origin.time_format or mapping.time_format
    timings = {
        key: table.timing(key, time_unit, time_format) for key in MAPPED_TIMES if key in table.at
    }
    if needs_zone and any(timing.needs_zone for timing in timings.values()):
        if "symbol" not in table.at and not mapping.is_exchange:
            origin.symbol_or_refuse(needs_zone=True)
        origin.zone_or_refuse()
    return timings


def _units(table: KeyedTable, written: Sequence[str]) -> dict[str, str]:
    """Return the currency in the name of a column, by its key.

    Args:
        written: names of the columns, empty where one has none.
    """
    return {
        key: unit
        for key, at in table.at.items()
        if key in (*MONEY, "qty", "fee")
        and at[0] < len(written)
        and (unit := currency_in_name(written[at[0]]))
    }


def _check_fees(table: KeyedTable, mapping: ColumnMapping, mark: DecimalMark) -> None:
    """Refuse fees that are all negative: paid at some venues, rebates at others."""
    if "fee" not in table.at or "fee" in mapping.signs:
        return
    cells = (amount_of(part).number for row in table.head() for part in parts_of(table, row, "fee"))
    fees = [fee for cell in cells if (fee := read_number(cell, mark))]
    if len(fees) >= _FEW and all(fee < 0 for fee in fees):
        column = mapping.columns["fee"]
        raise InvalidInputError(
            f"{table.name}: column {column}",
            "has negative numbers only",
            f"fee=-{column} in --columns if they were paid, fee=+{column} if they are rebates",
        )
