"""A file as its reader sees it: rows of cells, decoded JSON, or the text of its markup."""

import json
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from afterword.pipeline.core.files.packed import MOST_UNPACKED_BYTES, inner_name, open_packed
from afterword.pipeline.domain.documents.workbook import is_workbook, workbook_rows
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.decode import LineError, encoding_of, lines_of
from afterword.pipeline.rules.tabular.numbers import DecimalMark
from afterword.pipeline.rules.tabular.sheet import Row, delimiter_of, rows_of

HEAD: Final = 60
"""Rows in which a header is looked for: venues write up to some twenty lines before it."""

_MOST_WHOLE_BYTES: Final = 256 * 1024 * 1024
_START_BYTES: Final = 65_536
_NAME_IN_BRACKETS: Final = re.compile(r"<[A-Za-z]{1,20}>[,;\t|]")
"""How a sheet of MetaTrader begins: `<DATE>,<TIME>,...`."""

_OFX: Final = re.compile(r"OFXHEADER:\s*[0-9]+\s")
"""How OFX 1 begins, before its markup."""

Form = Literal["sheet", "json", "markup"]
_KINDS: Final[dict[Form, str]] = {"sheet": "a table", "json": "JSON", "markup": "a page or XML"}


class FilePurpose(NamedTuple):
    """What a file is opened for.

    Args:
        content: for refusals: `an export of trades`.
        most_bytes: of the file, unpacked.
        most_whole_bytes: of a file of JSON or markup, unpacked; it is read whole, a sheet is read
            row by row and may be larger.
        takes_nan: a number of JSON may be `NaN`; it is read as that text.
    """

    content: str
    most_bytes: int = MOST_UNPACKED_BYTES
    most_whole_bytes: int = _MOST_WHOLE_BYTES
    takes_nan: bool = False


TRADES: Final = FilePurpose("an export of trades")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was opened once to see what it is.

    Args:
        name: printable.
        head: the first rows of a sheet, else empty.
        content: decoded JSON; of markup its text; of a sheet its rows where they are in memory,
            else None.
        most_bytes: that are read of it, unpacked.
        mark: decimal mark of its numbers, where its owner says it.
    """

    path: Path
    name: str
    form: Form
    encoding: str
    delimiter: str
    head: tuple[Row, ...]
    content: Any
    most_bytes: int = MOST_UNPACKED_BYTES
    mark: DecimalMark | None = None

    @property
    def kind(self) -> str:
        """What it is, as a message calls it."""
        return _KINDS[self.form]

    def rows(self) -> Generator[Row, None, None]:
        """Yield all rows of a sheet, read from the file one by one.

        Raises:
            InvalidInputError: a row cannot be read; the line is named.
        """
        if self.content is not None:
            yield from self.content
            return
        with open_packed(self.path, self.most_bytes) as file:
            try:
                yield from rows_of(lines_of(file, self.encoding), self.delimiter)
            except LineError as error:
                place = f"{self.name}: line {error.line}"
                raise InvalidInputError(place, error.problem, error.accepted) from None

    def as_sheet(self, rows: Sequence[Row]) -> "Document":
        """Return a sheet of rows that were found in its content."""
        return replace(self, form="sheet", head=tuple(rows[:HEAD]), content=rows)


def open_document(path: Path, purpose: FilePurpose = TRADES, name: str | None = None) -> Document:
    """Return what a file is, and its first rows or its whole content.

    Args:
        path: plain, gzip, or a zip of one file.
        name: what messages call it; None names what is in it, without `.gz`.

    Raises:
        InvalidInputError: it cannot be read, is empty, or is too large to be read whole.
    """
    name = name or inner_name(path)
    if is_workbook(path):
        sheet = workbook_rows(path, name, purpose.most_whole_bytes)
        return Document(path, name, "sheet", "utf-8", "", tuple(sheet[:HEAD]), sheet)
    with open_packed(path, purpose.most_bytes) as file:
        start = file.read(_START_BYTES)
    encoding = encoding_of(start)
    text = start.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    empty = InvalidInputError(name, "is empty", f"{purpose.content}, with at least one row")
    if not text:
        raise empty
    if text[:1] in ("{", "["):
        content = _json(_whole(path, name, encoding, purpose), name, purpose)
        return Document(path, name, "json", encoding, "", (), content)
    if _OFX.match(text) or (text[:1] == "<" and not _NAME_IN_BRACKETS.match(text)):
        return Document(
            path, name, "markup", encoding, "", (), _whole(path, name, encoding, purpose)
        )
    delimiter = delimiter_of(text.splitlines()[:HEAD])
    document = Document(path, name, "sheet", encoding, delimiter, (), None, purpose.most_bytes)
    with closing(document.rows()) as rows:
        head = tuple(islice(rows, HEAD))
    if not head:
        raise empty
    return replace(document, head=head)


def _whole(path: Path, name: str, encoding: str, purpose: FilePurpose) -> str:
    most_bytes = purpose.most_whole_bytes
    with open_packed(path, purpose.most_bytes) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise InvalidInputError(name, f"is larger than {most_bytes:,} bytes", "a smaller file")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"has the byte 0x{content[error.start]:02x}, which is not {encoding}"
        raise InvalidInputError(f"{name}: line {line}", problem, "UTF-8 throughout") from None


def _are_lines(text: str) -> bool:
    """Tell JSON Lines: an object, or a list, that ends with its line, and another behind it."""
    first, _, rest = text.lstrip().partition("\n")
    start = rest.lstrip()[:1]
    return start in ("{", "[") and first.rstrip()[-1:] == {"{": "}", "[": "]"}.get(first[:1])


def _json_lines(text: str, read: Callable[[str], Any], name: str) -> list[Any]:
    values = []
    for line, part in enumerate(text.splitlines(), start=1):
        if part.strip():
            try:
                values.append(read(part))
            except ValueError as error:
                place = f"{name}: line {line}"
                raise InvalidInputError(
                    place, f"is not JSON: {error}", "one object a line"
                ) from None
    return values


def _json(text: str, name: str, purpose: FilePurpose) -> Any:
    def constant_of(constant: str) -> str:
        if purpose.takes_nan:
            return constant
        raise ValueError(f"a number must be finite, got {constant}")

    def read(part: str) -> Any:
        # Numbers stay as written: a float would lose digits of prices and ids.
        return json.loads(part, parse_constant=constant_of, parse_float=str)

    bare = text.removeprefix("\ufeff")
    try:
        content = _json_lines(bare, read, name) if _are_lines(bare) else read(bare)
        if "\\ud" in text.lower():  # half a character: no store could read it back
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except RecursionError:
        raise InvalidInputError(name, "is nested too deep", purpose.content) from None
    except ValueError as error:
        raise InvalidInputError(name, f"is not JSON: {error}", purpose.content) from None
