"""Tables in which one cell holds several things: each of them becomes a cell of its own."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from afterword.pipeline.domain.documents.table import KeyedTable
from afterword.pipeline.domain.exports.text_form import TextForm
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import is_blank
from afterword.pipeline.rules.tabular.sheet import Row

_CLOCK: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?")
_Readers = Sequence[tuple[int, Callable[[str], list[str]]]]


def with_parts(
    table: KeyedTable, header: Sequence[str], texts: Mapping[str, TextForm]
) -> tuple[KeyedTable, list[str]]:
    """Return a table with the parts of its cells as columns behind its own, and their names.

    Args:
        header: the names of its columns.
        texts: the form of the cells of a column, by its name.
    """
    readers = [(header.index(column), form.read) for column, form in texts.items()]
    keys = [(key, column) for column, form in texts.items() for key in form.keys]
    extended = _extended(table, len(header), readers, [key for key, _ in keys])
    return extended, [f"{key or '?'} in {column}" for key, column in keys]


def with_day(
    table: KeyedTable, header: Sequence[str], origin: Origin, *, needs_zone: bool
) -> tuple[KeyedTable, list[str]]:
    """Return a table whose times of the day have their day, in a column behind its own.

    Args:
        needs_zone: the zone of the times must be said too.

    Raises:
        InvalidInputError: nobody said the day.
    """
    places = table.at.get("time", ())
    texts = (table.text(row, "time") for row in table.head()) if len(places) == 1 else iter(())
    first = next((text for text in texts if not is_blank(text)), "")
    if not _CLOCK.fullmatch(first):
        return table, []
    day = origin.day_or_refuse(needs_zone=needs_zone)

    def read(text: str) -> list[str]:
        return [f"{day} {text}" if _CLOCK.fullmatch(text) else text]

    return _extended(table, len(header), [(places[0], read)], ["time"]), ["time of the day"]


def _extended(table: KeyedTable, width: int, readers: _Readers, keys: Sequence[str]) -> KeyedTable:
    """Return a table with more columns behind its own, read from others of the same row.

    Args:
        width: columns that it has.
        readers: the place of a column, and what reads its cells.
        keys: of the new columns; an empty one is no key.
    """

    def extend(row: Row) -> Row:
        """Return a row with the cells of the new columns behind its own."""
        row = row if table.extend is None else table.extend(row)
        check_width(table.name, row, width)
        cells = row.cells[:width] + [""] * (width - len(row.cells))
        for place, read in readers:
            cells += read(cells[place])
        return Row(row.line, cells)

    places = {key: (width + number,) for number, key in enumerate(keys) if key}
    return replace(table, at={**table.at, **places}, extend=extend)


def check_width(name: str, row: Row, width: int) -> None:
    """Refuse a row with more cells than its header: `1,234.5` without quotes moves all behind it.

    Raises:
        InvalidInputError: it has.
    """
    if any(row.cells[width:]):
        problem = f"has {len(row.cells)} cells, and its header {width}"
        accepted = "as many; numbers with a comma in quotes"
        raise InvalidInputError(f"{name}: line {row.line}", problem, accepted)
