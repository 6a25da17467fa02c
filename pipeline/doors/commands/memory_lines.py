"""Memories as lines of JSON, read whole and checked whole before one of them is written."""

from functools import partial
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.rows import NewMemoryRow
from afterword.pipeline.domain.memory.write import MAX_BULK, prepare
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource

_KEYS: Final = ("category", "content", "metadata", "source", "type", "tags", "occurred_at")


def read_lines(path: Path, ids: IdSource) -> tuple[list[NewMemoryRow], list[InvalidInputError]]:
    """Return the memories of a file, ready to be written, and what is wrong with each bad line.

    Args:
        path: one JSON object a line, with the fields of a memory; `-` is standard input.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
    """
    return read_objects(path, "memories", MAX_BULK, partial(_memory, ids))


def check_door(new: NewMemory, at: str = "") -> None:
    """Refuse a fact that would be compared with no other: facts have a door of their own.

    Raises:
        InvalidInputError: an untyped fact.
    """
    if new.category == "fact" and new.type is None:
        doors = "`afterword fact record TEXT`, or a typed one: `afterword entry store fact TEXT`"
        raise InvalidInputError(f"{at}category", "a fact is not kept as a plain memory", doors)


def _memory(ids: IdSource, fields: dict[str, Any], at: str) -> NewMemoryRow:
    for key in fields:
        if key not in _KEYS:
            raise InvalidInputError(f"{at}.{key}", "is no field of a memory", ", ".join(_KEYS))
    new = NewMemory(
        fields.get("category", ""),
        fields.get("content", ""),
        fields.get("metadata", {}),
        source=fields.get("source"),
        origin="import",
        type=fields.get("type"),
        tags=fields.get("tags", ()),
        occurred_at=read_moment(fields.get("occurred_at"), f"{at}.occurred_at"),
    )
    prepared = prepare(new, ids(), "owner", f"{at}.")
    check_door(new, f"{at}.")
    return prepared
