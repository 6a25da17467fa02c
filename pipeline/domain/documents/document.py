"""A file as its reader sees it: rows of cells, decoded JSON, or the text of its markup."""

import json
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from afterword.pipeline.core.files.packed import inner_name, open_packed
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.decode import LineError, encoding_of, lines_of
from afterword.pipeline.rules.tabular.sheet import Row, delimiter_of, rows_of

HEAD: Final = 60
"""Rows in which a header is looked for: venues write up to some twenty lines before it."""

MAX_WHOLE_BYTES: Final = 256 * 1024 * 1024
"""A file of JSON or markup is read whole; a sheet is read row by row and may be larger."""

_START: Final = 65_536

Form = Literal["sheet", "json", "markup"]


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was opened once to see what it is.

    Args:
        name: printable.
        head: the first rows of a sheet, else empty.
        content: decoded JSON; of markup its text; None of a sheet.
    """

    path: Path
    name: str
    form: Form
    encoding: str
    delimiter: str
    head: tuple[Row, ...]
    content: Any

    def rows(self) -> Generator[Row, None, None]:
        """Yield all rows of a sheet, read from the file one by one.

        Raises:
            InvalidInputError: a row cannot be read; the line is named.
        """
        with open_packed(self.path) as file:
            try:
                yield from rows_of(lines_of(file, self.encoding), self.delimiter)
            except LineError as error:
                place = f"{self.name}: line {error.line}"
                raise InvalidInputError(place, error.problem, error.accepted) from None


def open_document(path: Path) -> Document:
    """Return what a file is, and its first rows or its whole content.

    Args:
        path: plain, gzip, or a zip of one file.

    Raises:
        InvalidInputError: it cannot be read, is empty, or is too large to be read whole.
    """
    name = inner_name(path)
    with open_packed(path) as file:
        start = file.read(_START)
    encoding = encoding_of(start)
    text = start.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    if not text:
        raise InvalidInputError(name, "is empty", "an export with at least one row")
    if text[:1] in ("{", "["):
        return Document(path, name, "json", encoding, "", (), _json(path, name, encoding))
    if text[:1] == "<":
        return Document(path, name, "markup", encoding, "", (), _whole(path, name, encoding))
    delimiter = delimiter_of(text.splitlines()[:HEAD])
    document = Document(path, name, "sheet", encoding, delimiter, (), None)
    with closing(document.rows()) as rows:
        return replace(document, head=tuple(islice(rows, HEAD)))


def _whole(path: Path, name: str, encoding: str) -> str:
    with open_packed(path) as file:
        content = file.read(MAX_WHOLE_BYTES + 1)
    if len(content) > MAX_WHOLE_BYTES:
        raise InvalidInputError(name, f"is larger than {MAX_WHOLE_BYTES:,} bytes", "a smaller file")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"has the byte 0x{content[error.start]:02x}, which is not {encoding}"
        raise InvalidInputError(f"{name}: line {line}", problem, "UTF-8 throughout") from None


def _json(path: Path, name: str, encoding: str) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON number")

    text = _whole(path, name, encoding).removeprefix("\ufeff")
    try:
        # Numbers stay as written: a float would lose digits of prices and ids.
        content = json.loads(text, parse_constant=refuse, parse_float=str)
        if "\\ud" in text.lower():  # half a character: no store could read it back
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except RecursionError:
        raise InvalidInputError(name, "is nested too deep", "an export of trades") from None
    except ValueError as error:
        raise InvalidInputError(name, f"is not JSON: {error}", "an export of trades") from None
