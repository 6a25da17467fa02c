"""Records of JSON as a table: a column for each path, a row for each record."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.rules.tabular.sheet import MOST_COLUMNS, Row

_DEEPEST: Final = 6
"""Objects inside each other in which a list of records is looked for, and its values read."""


def as_table(document: Document) -> Document:
    """Return JSON of one list of records as a sheet; every other document as it is.

    The column of a value is its path: `fee.cost`. A list of one object inside a record is read as
    that object; longer ones are no columns. The header has line 0, the first record line 1.
    """
    if document.form != "json":
        return document
    lists = [rows for rows in _lists(document.content, 0) if rows]
    if len(lists) != 1:
        return document
    records = [dict(_values(record, "", 0)) for record in lists[0]]
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
        if len(names) > MOST_COLUMNS:
            return document
    if not names:
        return document
    rows = [Row(0, list(names))]
    rows += [
        Row(line, [record.get(name, "") for name in names])
        for line, record in enumerate(records, start=1)
    ]
    return document.as_sheet(rows)


def _lists(value: Any, depth: int) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the lists of objects of a document, not those inside their objects."""
    if isinstance(value, list):
        if value and all(isinstance(record, dict) for record in value):
            yield value
    elif isinstance(value, dict) and depth < _DEEPEST:
        for part in value.values():
            yield from _lists(part, depth + 1)


def _values(record: Mapping[str, Any], before: str, depth: int) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        path = f"{before}{name}"
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            value = value[0]
        if isinstance(value, dict):
            if depth < _DEEPEST:
                yield from _values(value, f"{path}.", depth + 1)
        elif isinstance(value, bool):
            yield path, "true" if value else "false"
        elif value is None or isinstance(value, str | int):
            yield path, "" if value is None else str(value).strip()
