"""What a line of data must be before it is a row: nothing in it is trusted."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.operations.portability.tables import TableColumn

_WORDS: Final = re.compile(r"\w\W+\w+\W+\w|[^\x00-\x7f]{4}")
"""Three words, or as many signs of a language that writes without blanks."""

_AMOUNT: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")
_MOST_DIGITS: Final = 60
_LAST_MS: Final = 200_000_000_000_000
"""Milliseconds from 1970 to the year 8307: readers add horizons, and calendars end with 9999."""

_MOST_CHARACTERS: Final = 1_000_000
_MOST_INTEGER: Final = 1 << 63
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "TEXT": (str,),
    "INTEGER": (int,),
    "REAL": (int, float),
}

DataLine = dict[str, Any]
"""A line of a file of data."""


def wrong_line(line: DataLine, columns: Sequence[TableColumn]) -> str:
    """Return what is wrong with a line; moments in it become numbers."""
    names = [column.name for column in columns]
    if line.keys() != set(names):
        odd = sorted(set(line).symmetric_difference(names))
        return f"has other fields than such a row ({', '.join(map(ascii, odd))[:120]})"
    for column in columns:
        value = line[column.name]
        if value is None and column.is_required:
            return f"has no {column.name}"
        if value is None or column.link:
            if not isinstance(value, str | list | None) or not is_plain_key(value):
                return f"has a wrong {column.name}"
            continue
        if column.is_moment:
            try:
                value = line[column.name] = to_micros(datetime.fromisoformat(value))
            except (TypeError, ValueError, OverflowError):
                return f"has a {column.name} that is no moment"
            if abs(value) >= _LAST_MS * 1_000:
                return f"has a {column.name} that is no moment"
        if not isinstance(value, _TYPES.get(column.type, ())) or isinstance(value, bool):
            return f"has a {column.name} that is no {column.type}"
        if isinstance(value, int) and not -_MOST_INTEGER <= value < _MOST_INTEGER:
            return f"has a {column.name} that is too large"
        if wanted := _missed_form(column, value):
            return f"has a {column.name} that is no {wanted}"
        if isinstance(value, str) and (len(value) > _MOST_CHARACTERS or not is_storable(value)):
            return f"has a {column.name} that cannot be stored"
    return ""


def _missed_form(column: TableColumn, value: Any) -> str:
    """Return what a value of the right type fails to be; empty for none."""
    if column.name.endswith("_ms") and not 0 <= value < _LAST_MS:
        return "moment"
    if column.is_amount and not (_is_amount(value) or (column.may_be_blank and not value)):
        return "amount"
    return "list" if column.is_list and not _is_list(value) else ""


def _is_amount(text: str) -> bool:
    return len(text) <= _MOST_DIGITS and _AMOUNT.fullmatch(text) is not None


def _is_list(text: str) -> bool:
    """Return whether a text is a JSON list of texts, or of pairs of a text and an amount."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(items, list) and all(
        isinstance(item, str) or _is_pair(item) for item in items
    )


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, list)
        and len(item) == 2
        and all(isinstance(part, str) for part in item)
        and _is_amount(item[1])
    )


def is_plain_key(key: Any) -> bool:
    """Return whether a key, or each of its parts, is a text or a number that can be stored."""
    parts = key if isinstance(key, list) else [key]
    return all(
        part is None
        or (isinstance(part, str) and is_storable(part))
        or (isinstance(part, int) and -_MOST_INTEGER <= part < _MOST_INTEGER)
        or (isinstance(part, list) and is_plain_key(part))
        for part in parts
    )


def key_parts(key: Any, number: int) -> Sequence[Any]:
    """Return the parts of a key of several columns, also of one that a line has as text."""
    try:
        parts = json.loads(key) if isinstance(key, str) else key
    except (ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or len(parts) != number:
        raise ValueError(f"names {key!r:.60}, which is no key")
    return parts


def texts_in(cell: str) -> Iterator[str]:
    """Yield the texts of a cell that can say anything: of JSON its strings, of both what has words.

    What a file of a venue holds is hundreds of numbers, which nobody reads as a sentence.
    """
    waiting: list[Any] = [cell]
    if cell[:1] in "{[":
        with suppress(ValueError, RecursionError):
            waiting = [json.loads(cell)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and _WORDS.search(value):
            yield value
