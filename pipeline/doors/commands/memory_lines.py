"""Read memories from lines of JSON; all of them are checked before one is written."""

from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.memory.checks import check_memory
from afterword.pipeline.domain.memory.json_object import object_text
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import MAX_BULK
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError

_KEYS: Final = ("category", "content", "metadata", "source", "type", "tags", "occurred_at")


def read_lines(path: Path) -> tuple[list[NewMemory], list[InvalidInputError]]:
    """Return the memories of a file, and what is wrong with each bad line.

    Args:
        path: one JSON object a line, with the fields of a memory; `-` is standard input.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
    """
    return read_objects(path, "memories", MAX_BULK, _memory)


def _memory(fields: dict[str, Any], at: str) -> NewMemory:
    for key in fields:
        if key not in _KEYS:
            raise InvalidInputError(f"{at}.{key}", "is an unknown field", ", ".join(_KEYS))
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
    check_memory(new, "owner", f"{at}.")
    object_text(new.metadata, f"{at}.metadata")
    return new
