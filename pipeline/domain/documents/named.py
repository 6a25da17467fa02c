"""The columns of a table as its owner names them: `time=Date+Time,price=#3`."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.table import KeyedTable, joined
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.sheet import Row

_MOST_DIGITS: Final = 4


def split_parts(text: str, example: str) -> list[str]:
    """Return the parts of an option that names columns; one with a comma is quoted.

    Args:
        example: of the option, for the refusal.

    Raises:
        InvalidInputError: a quote does not end, or there is no part.
    """
    try:
        (parts,) = csv.reader([text], strict=True, skipinitialspace=True)
    except (csv.Error, ValueError):
        raise InvalidInputError("columns", f"are {shown(text, 80)}", example) from None
    return [part for part in parts if part]


def find_header(document: Document, names: Iterable[str]) -> tuple[bool, Row | None]:
    """Return whether a sheet has the columns of these names, and the row that names them.

    Returns:
        No row where all columns are named by their place.
    """
    wanted = [name for name in names if not _is_place(name)]
    if not wanted:
        return bool(document.head), None
    for row in document.head:
        if all(places_of(row.cells, name) for name in wanted):
            return True, row
    return False, None


def named_table(document: Document, names: Mapping[str, str]) -> tuple[KeyedTable, Row | None]:
    """Return the table of the columns that its owner names, and its header.

    Without a header, a first row of words is none of the data.

    Args:
        names: by key, as `places_of` reads them.

    Raises:
        InvalidInputError: it has no such column, or two of one name.
    """
    if document.form != "sheet":
        accepted = "a table with these columns, such as a CSV"
        raise InvalidInputError(document.name, f"is {document.kind}, not a table", accepted)
    is_there, header = find_header(document, names.values())
    if not is_there:
        raise _no_columns(document, names)
    for name in names.values():
        _check_once(document, header, name)
    cells = header.cells if header else []
    at = {key: places_of(cells, name) for key, name in names.items()}
    start = header.line if header else _line_of_words(document.head[0], at)
    return KeyedTable(document, start, at, names), header


def places_of(cells: Sequence[str], name: str) -> tuple[int, ...]:
    """Return where a column is; of `Date+Time`, where both are; empty if it is nowhere."""
    if name in cells:
        return (list(cells).index(name),)
    if "+" not in name:
        return (int(name[1:]) - 1,) if _is_place(name) else ()
    parts = [places_of(cells, part) for part in name.split("+")]
    return tuple(chain.from_iterable(parts)) if all(parts) else ()


def _is_place(name: str) -> bool:
    """Tell a column named by its place, `#3`, or two of them, `#1+#2`."""
    return all(
        part[:1] == "#" and part[1:].isdecimal() and len(part) <= _MOST_DIGITS + 1 and int(part[1:])
        for part in name.split("+")
    )


def _line_of_words(row: Row, at: Mapping[str, tuple[int, ...]]) -> int:
    """Return the line of a first row that has no digit in the columns; 0 if it has one."""
    has_digit = any(map(str.isdigit, "".join(joined(row.cells, places) for places in at.values())))
    return 0 if has_digit else row.line


def _check_once(document: Document, header: Row | None, name: str) -> None:
    """Refuse a name that two columns have."""
    if header is None or header.cells.count(name) < 2:
        return
    places = [f"#{place + 1}" for place, cell in enumerate(header.cells) if cell == name]
    problem = f"has {len(places)} columns {mask(name)}"
    accepted = f"{' or '.join(places)} for it in --columns"
    raise InvalidInputError(f"{document.name}: line {header.line}", problem, accepted)


def _no_columns(document: Document, names: Mapping[str, str]) -> InvalidInputError:
    wanted = [name for name in names.values() if not _is_place(name)]

    def likeness(row: Row) -> tuple[int, int]:
        return sum(bool(places_of(row.cells, name)) for name in wanted), len(row.cells)

    row = max(document.head, key=likeness)
    missing = ", ".join(name for name in wanted if not places_of(row.cells, name))
    line = f": line {row.line}" if row.line else ""  # JSON has none
    there = shown(", ".join(map(mask, row.cells)), 300)
    problem = f"has no column {shown(missing, 80)}"
    return InvalidInputError(f"{document.name}{line}", problem, f"its columns: {there}")
