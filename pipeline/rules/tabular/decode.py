"""The text of a file whose encoding is not stated: by its mark, else UTF-8, else Windows-1252."""

import codecs
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from typing import Final

from afterword.pipeline.expression import expression

LONGEST_LINE: Final = 1024 * 1024
"""Characters; a longer line is no row of a table."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SEQUENCE: Final = expression(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
_PEEK: Final = 65_536


class LineError(ValueError):
    """A line that cannot be read; the first line of a file is 1."""

    def __init__(self, line: int, problem: str, accepted: str) -> None:
        super().__init__(problem)
        self.line, self.problem, self.accepted = line, problem, accepted


def encoding_of(head: bytes) -> str:
    """Return the encoding of a file by its first bytes.

    What is not UTF-8 is Windows-1252, unless parts of it are UTF-8: such a file is a mixture, and
    `lines_of` refuses the line that is not UTF-8.

    Args:
        head: some thousand bytes; a character may be cut at their end.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    if head[1:2] == b"\0" and head[3:4] == b"\0":
        return "utf-16-le"
    if head[:1] == b"\0" and head[2:3] == b"\0":
        return "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "utf-8" if _SEQUENCE.search(head) else "cp1252"
    return "utf-8"


def lines_of(file: BufferedReader, encoding: str) -> Iterator[str]:
    """Yield the lines of a file with their ends, as the `csv` module wants them.

    Raises:
        LineError: a line is not of the encoding, holds a NUL, or does not end.
    """
    head = file.peek(_PEEK)
    if encoding.startswith("utf-16") or (b"\r" in head and b"\n" not in head):
        return _wide_lines(file, encoding)
    return _lines(file, encoding)


def _lines(file: BufferedReader, encoding: str) -> Iterator[str]:
    """Decode line by line, so that a bad byte is told with its line."""
    number = 0
    decode_as = encoding
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise _endless(number)
        try:
            text = line.decode(decode_as)
        except UnicodeDecodeError as error:
            byte = line[error.start]
            problem = f"has the byte 0x{byte:02x}, which is not {encoding.removesuffix('-sig')}"
            raise LineError(number, problem, "one encoding in the whole file: UTF-8") from None
        if encoding == "cp1252" and _SEQUENCE.search(line) and _is_utf8(line):
            problem = "is UTF-8, and lines before are not"
            raise LineError(number, problem, "one encoding in the whole file: UTF-8")
        if "\0" in text:
            raise LineError(number, "has a NUL character", "text")
        decode_as = "utf-8" if encoding == "utf-8-sig" else encoding
        yield text


def _wide_lines(file: BufferedReader, encoding: str) -> Iterator[str]:
    # `newline=None` also ends a line at a carriage return, as old programs write it.
    lines = TextIOWrapper(file, encoding=encoding, newline=None)
    number = 0
    try:
        while line := lines.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise _endless(number)
            if "\0" in line:
                raise LineError(number, "has a NUL character", "text")
            yield line.removeprefix("\ufeff") if number == 1 else line
    except UnicodeDecodeError:
        problem = f"is followed by bytes that are not {encoding}"
        raise LineError(number, problem, "one encoding in the whole file: UTF-8") from None


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _endless(number: int) -> LineError:
    return LineError(number, f"is longer than {LONGEST_LINE:,} characters", "rows of a table")
