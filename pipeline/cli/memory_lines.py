"""Memories as lines of JSON, read whole and checked whole before one of them is written."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from pipeline.errors import InvalidInputError
from pipeline.memory.checks import check_memory
from pipeline.memory.json_object import object_text
from pipeline.memory.model import NewMemory
from pipeline.memory.write import MAX_BULK

MAX_LINE: Final = 1_000_000
"""Bytes of one line: the longest memory, every character escaped."""

MAX_FILE: Final = 256_000_000
"""Bytes of one file: all of it waits in memory until all of it is known to be good."""

_KEYS: Final = ("category", "content", "metadata", "source", "type", "tags", "occurred_at")


def read_lines(path: Path) -> tuple[list[NewMemory], list[InvalidInputError]]:
    """Return the memories of a file, and what is wrong with each bad line.

    Args:
        path: one JSON object a line, with the fields of a memory; `-` is standard input.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
    """
    news: list[NewMemory] = []
    problems: list[InvalidInputError] = []
    with _opened(path) as stream:
        for index, line in enumerate(_lines(stream)):
            try:
                news.append(_memory(line, f"memories[{index}]"))
            except InvalidInputError as problem:
                problems.append(problem)
    return news, problems


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = path.open("rb")
    except OSError as error:
        accepted = "a file that can be read, or - for standard input"
        raise InvalidInputError("file", f"{path}: {error.strerror}", accepted) from None
    with stream:
        yield stream


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    read = 0
    for index in range(MAX_BULK + 1):
        line = stream.readline(MAX_LINE + 1)
        read += len(line)
        if not line:
            return
        if len(line) > MAX_LINE:
            raise InvalidInputError(f"memories[{index}]", "is too long", f"{MAX_LINE} bytes a line")
        if index == MAX_BULK or read > MAX_FILE:
            accepted = f"{MAX_BULK} lines and {MAX_FILE} bytes; split it"
            raise InvalidInputError("file", "is too large", accepted)
        yield line


def _memory(line: bytes, at: str) -> NewMemory:
    fields = _object(line, at)
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
        occurred_at=_moment(fields.get("occurred_at"), f"{at}.occurred_at"),
    )
    check_memory(new, "owner", f"{at}.")
    object_text(new.metadata, f"{at}.metadata")
    return new


def _object(line: bytes, at: str) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(at, f"is not JSON ({error})", "one JSON object a line") from None
    if not isinstance(found, dict):
        raise InvalidInputError(at, f"is a {type(found).__name__}", "one JSON object a line")
    return found


def _moment(value: Any, field: str) -> datetime | None:
    if value is None:
        return None
    accepted = "a moment with its zone, such as 2026-01-05T00:00:00Z"
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise InvalidInputError(field, f"{value!a:.40} is no moment", accepted) from None
    if found.tzinfo is None:
        raise InvalidInputError(field, "has no time zone", accepted)
    return found
