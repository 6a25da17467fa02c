"""Read memories from lines of JSON; all of them are checked before one is written."""

from functools import partial
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.memory.model import DEFAULT_CATEGORY, NewMemory
from afterword.pipeline.domain.memory.rows import NewMemoryRow
from afterword.pipeline.domain.memory.write import MAX_BULK, memory_problems, prepare
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource

_KEYS: Final = ("category", "content", "metadata", "source", "type", "tags", "occurred_at")


def read_lines(path: Path, ids: IdSource) -> tuple[list[NewMemoryRow], list[InvalidInputError]]:
    """Return the memories of a file, ready to be written, and an error for each distinct mistake.

    Args:
        path: one JSON object a line, with the fields of a memory; `-` is standard input.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
    """
    return read_objects(path, "memories", MAX_BULK, partial(_memory, ids))


def _memory(ids: IdSource, fields: dict[str, Any], at: str) -> NewMemoryRow:
    """Return the memory of a line.

    Raises:
        ExceptionGroup: of one InvalidInputError for each wrong field.
    """
    problems = [
        InvalidInputError(f"{at}.{key}", "is an unknown field", ", ".join(_KEYS))
        for key in fields
        if key not in _KEYS
    ]
    occurred_at = None
    try:
        occurred_at = read_moment(fields.get("occurred_at"), f"{at}.occurred_at")
    except InvalidInputError as problem:
        problems.append(problem)
    new = NewMemory(
        fields.get("category", fields.get("type") or DEFAULT_CATEGORY),
        fields.get("content", ""),
        fields.get("metadata", {}),
        source=fields.get("source"),
        origin="import",
        type=fields.get("type"),
        tags=fields.get("tags", ()),
        occurred_at=occurred_at,
    )
    problems += memory_problems(new, "owner", f"{at}.")
    if problems:
        raise ExceptionGroup(at, problems)
    return prepare(new, ids(), "owner", f"{at}.")
