"""Read a small file that an option names, within a limit."""

from pathlib import Path
from typing import Final

from afterword.pipeline.domain.decisions.frozen_context import MAX_CONTEXT
from afterword.pipeline.errors import InvalidInputError

_MAX_FILE_BYTES: Final = 10 * MAX_CONTEXT
"""Size limit: that of the longest context of a decision, however it is written; bytes."""


def read_text_file(path: Path, field: str) -> str:
    """Return the text of a file.

    Raises:
        InvalidInputError: it cannot be read, is too large, is not UTF-8, or not a regular
            file: a device or a pipe may have no end.
    """
    name, accepted = f"{str(path)!a:.100}", f"a file of JSON, up to {_MAX_FILE_BYTES:,} bytes"
    try:
        if path.exists() and not path.is_file():
            raise InvalidInputError(field, f"{name} is not a regular file", accepted)
        with path.open("rb") as file:
            body = file.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(field, f"{name}: {error.strerror}", accepted) from None
    if len(body) > _MAX_FILE_BYTES:
        raise InvalidInputError(field, f"{name} is too large", accepted)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(field, f"{name} must be UTF-8", accepted) from None
