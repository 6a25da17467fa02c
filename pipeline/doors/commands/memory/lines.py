"""Read memories from lines of JSON; all of them are checked before one is written."""

from functools import partial
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text
from afterword.pipeline.domain.memory.model import DEFAULT_CATEGORY, NewMemory
from afterword.pipeline.domain.memory.write import MAX_BULK, memory_problems, prepare
from afterword.pipeline.domain.sessions.import_memories import ImportLine
from afterword.pipeline.doors.cli.json_lines import read_objects, unknown_fields
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask

_KEYS: Final = (
    *("category", "content", "metadata", "source", "type", "tags", "occurred_at", "session"),
    "key",
)


def read_memory_lines(path: Path, ids: IdSource) -> list[ImportLine]:
    """Return the memories of a file, ready to be written.

    Args:
        path: one JSON object a line, with the fields of a memory; `-` is standard input.

    Raises:
        InvalidInputError: the file cannot be read, is too large, or is one JSON array.
        ExceptionGroup: of one InvalidInputError for each distinct mistake.
    """
    return read_objects(path, "memories", MAX_BULK, partial(_line, ids, {}))


def _line(ids: IdSource, keys: dict[str, str], fields: dict[str, Any], at: str) -> ImportLine:
    """Return the memory of a line.

    Args:
        keys: the place of each key read so far; gets the key of this line.

    Raises:
        ExceptionGroup: of one InvalidInputError for each wrong field.
    """
    problems = unknown_fields(fields, _KEYS, at)
    occurred_at = None
    try:
        occurred_at = read_moment(fields.get("occurred_at"), f"{at}.occurred_at")
    except InvalidInputError as problem:
        problems.append(problem)
    session, key = (_name(fields, field, at, problems) for field in ("session", "key"))
    if key is not None and keys.setdefault(key, at) != at:
        twice = f"is that of {keys[key]}, too"
        problems.append(InvalidInputError(f"{at}.key", twice, "a key of its own for each line"))
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
    return ImportLine(prepare(new, ids(), "owner", f"{at}."), session, key, at)


def _name(
    fields: dict[str, Any], field: str, at: str, problems: list[InvalidInputError]
) -> str | None:
    """Return a name of a line, masked; None if it is missing, or wrong and added to `problems`."""
    value = fields.get(field)
    if value is None:
        return None
    try:
        check_text(value, MAX_NAME, f"{at}.{field}")
    except InvalidInputError as problem:
        problems.append(problem)
        return None
    return mask(value)
