"""Read a file with one JSON object per line, within limits; tell each mistake with its lines."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from afterword.pipeline.doors.cli.mistakes import Mistakes
from afterword.pipeline.errors import InvalidInputError

_MAX_LINE_BYTES: Final = 1_000_000
"""Length limit of a line: the longest memory with every character escaped; bytes."""

_MAX_FILE_BYTES: Final = 256_000_000
"""Size limit of a file, which is held in memory until every line is checked; bytes."""

_Value = TypeVar("_Value")


def read_objects(
    path: Path, noun: str, most: int, read: Callable[[dict[str, Any], str], _Value]
) -> list[_Value]:
    """Return the values of the lines.

    Args:
        path: file with one JSON object per line; `-` is standard input.
        noun: what the lines are, such as `memories`.
        most: limit of lines; count.
        read: converts an object and its place, such as `memories[3]`, to a value. It raises an
            InvalidInputError, or an ExceptionGroup of one for each wrong field.

    Raises:
        InvalidInputError: the file cannot be read, is too large, or is one JSON array.
        ExceptionGroup: of one InvalidInputError for each distinct mistake.
    """
    values: list[_Value] = []
    mistakes = Mistakes()
    with _opened(path) as stream:
        for index, line in enumerate(_lines(stream, noun, most)):
            if index == 0:
                _refuse_array(line, path)
            at = f"{noun}[{index}]"
            try:
                values.append(read(_object(line, at), at))
            except* InvalidInputError as wrong:
                for mistake in wrong.exceptions:
                    assert isinstance(mistake, InvalidInputError)
                    mistakes.add(at, mistake)
    if problems := mistakes.errors():
        raise ExceptionGroup(f"{path}", problems)
    return values


def unknown_fields(named: Iterable[str], known: Sequence[str], at: str) -> list[InvalidInputError]:
    """Return an error for each field of a line that is not known."""
    return [
        InvalidInputError(f"{at}.{field}", "is an unknown field", ", ".join(known))
        for field in named
        if field not in known
    ]


def _refuse_array(first_line: bytes, path: Path) -> None:
    """Refuse a file that is one JSON array, before each of its lines is called a mistake."""
    if first_line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        name = "FILE" if str(path) == "-" else path
        accepted = f"one JSON object a line; `jq -c '.[]' {name}` writes it so"
        raise InvalidInputError("file", "is a JSON array", accepted)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = path.open("rb")
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        problem = "does not exist" if missing else f"cannot be read ({error.strerror})"
        accepted = "a file that can be read, or - for standard input"
        raise InvalidInputError("file", f"{path} {problem}", accepted) from None
    with stream:
        yield stream


def _lines(stream: BinaryIO, noun: str, most: int) -> Iterator[bytes]:
    read = 0
    for index in range(most + 1):
        line = stream.readline(_MAX_LINE_BYTES + 1)
        read += len(line)
        if not line:
            return
        if len(line) > _MAX_LINE_BYTES:
            raise InvalidInputError(
                f"{noun}[{index}]", "is too long", f"{_MAX_LINE_BYTES} bytes a line"
            )
        if index == most or read > _MAX_FILE_BYTES:
            accepted = f"{most} lines and {_MAX_FILE_BYTES} bytes; split it"
            raise InvalidInputError("file", "is too large", accepted)
        yield line


def _object(line: bytes, at: str) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(at, f"is not JSON ({error})", "one JSON object a line") from None
    if not isinstance(value, dict):
        raise InvalidInputError(at, f"is a {type(value).__name__}", "one JSON object a line")
    return value
