"""A file of another program as a stream of bytes, unpacked if it is gzip or a zip of one file."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePath
from typing import IO, Any, Final
from zipfile import BadZipFile, ZipFile

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask

MOST_UNPACKED_BYTES: Final = 4 * 1024 * 1024 * 1024
"""Unpacked; some twenty million rows."""

MOST_TIMES: Final = 100
"""How many times its size a packed file may unfold to: trades and prices unfold to some ten times
theirs, one character a thousand times."""

FREE_BYTES: Final = 16 * 1024 * 1024
"""Unpacked; so much is read whatever it was packed into."""

_MOST_MEMBERS: Final = 100
"""Files of a zip that are compared with each other by their names."""

_PIECE: Final = 65_536
_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_READABLE: Final = "a readable file, plain, gzip or a zip of one file"
_FOREIGN: Final = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xd0\xcf\x11\xe0": "a workbook of Excel",
}
"""First bytes of files that hold no text."""


@contextmanager
def open_packed(path: Path, most_bytes: int = MOST_UNPACKED_BYTES) -> Iterator[BufferedReader]:
    """Yield the bytes of a file; what it is packed with is seen by its first bytes.

    Args:
        most_bytes: unpacked; reading past them is refused, and past `MOST_TIMES` the size of a
            packed file.

    Raises:
        InvalidInputError: it cannot be read, is no regular file, or is a zip of several files;
            also while it is read, where it is damaged or too large.
    """
    name = printable(path)
    try:
        check_regular(path)
        with path.open("rb") as file:
            start = file.read(4)
            file.seek(0)
            _check_text(start, name)
            most_unpacked = max(MOST_TIMES * path.stat().st_size, FREE_BYTES)
            if start[:2] == _GZIP:
                with gzip.open(file) as unpacked:
                    yield _checked(unpacked, name, min(most_bytes, most_unpacked))
            elif start == _ZIP:
                with ZipFile(file) as archive, archive.open(_only_member(archive, name)) as member:
                    yield _checked(member, name, min(most_bytes, most_unpacked))
            else:
                yield _checked(file, name, most_bytes)
    except (OSError, BadZipFile, RuntimeError, NotImplementedError) as error:
        raise _unreadable(name, error) from None


def check_regular(path: Path) -> None:
    """Refuse a folder, and a device or a pipe, which may have no end.

    Raises:
        InvalidInputError: it is one.
    """
    if path.is_dir():
        raise InvalidInputError(printable(path), "is a folder", "the files in it")
    if path.exists() and not path.is_file():
        raise InvalidInputError(printable(path), "is not a regular file", "the path of a file")


def inner_name(path: Path) -> str:
    """Return the printable name of what is in a file: without `.gz`; of a zip its only member's."""
    name = printable(path)
    if name.lower().endswith(".gz"):
        return name[:-3]
    if name.lower().endswith(".zip"):
        try:
            with ZipFile(path) as archive:
                return printable(Path(_only_member(archive, name)))
        except (OSError, BadZipFile):
            return name
    return name


def printable(path: Path) -> str:
    """Return the name of a file as it may be shown: its secrets masked."""
    name = mask(path.name)
    return name if name.isprintable() else ascii(name)


def _check_text(start: bytes, name: str) -> None:
    for first, what in _FOREIGN.items():
        if start.startswith(first):
            accepted = "what the venue offers as CSV, JSON, XML or HTML"
            raise InvalidInputError(name, f"is {what}", accepted)


def _only_member(archive: ZipFile, name: str) -> str:
    members = [one for one in archive.namelist() if not one.endswith("/")]
    if "[Content_Types].xml" in members:
        raise InvalidInputError(name, "is an Office document", "the sheet saved as CSV")
    known = [one for one in members if not one.startswith("__MACOSX/")]
    files = known
    if 1 < len(known) <= _MOST_MEMBERS:
        # A back-test writes `result.json` beside files named for it: `result_config.json`.
        files = [one for one in known if _begins_all(PurePath(one).stem, known)]
    if len(files) != 1:
        problem = f"is a zip of {len(known)} files"
        raise InvalidInputError(name, problem, "a zip of one file")
    return files[0]


def _begins_all(stem: str, names: Sequence[str]) -> bool:
    return all(PurePath(name).name.startswith(stem) for name in names)


def _checked(file: IO[bytes] | Any, name: str, most_bytes: int) -> BufferedReader:
    return BufferedReader(_Stream(file, name, most_bytes), _PIECE)


def _unreadable(name: str, error: Exception) -> InvalidInputError:
    problem = getattr(error, "strerror", None) or error
    return InvalidInputError(name, f"cannot be read ({problem})", _READABLE)


class _Stream(RawIOBase):
    """Bytes up to a bound; a damaged file ends with the one error that a user is shown."""

    def __init__(self, file: IO[bytes], name: str, most_bytes: int) -> None:
        super().__init__()
        self._file, self._name = file, name
        self._most_bytes = self._left = most_bytes

    def readable(self) -> bool:
        """Return True: the base class reads no stream that does not say so."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes, and return their count.

        Raises:
            InvalidInputError: the file is damaged, or unpacks to more bytes than allowed.
        """
        try:
            piece = self._file.read(len(buffer))
        except (OSError, EOFError, zlib.error, BadZipFile) as error:
            raise _unreadable(self._name, error) from None
        self._left -= len(piece)
        if self._left < 0:
            problem = f"is too large: more than {self._most_bytes:,} bytes, unpacked"
            raise InvalidInputError(self._name, problem, "a smaller file, or the same one unpacked")
        buffer[: len(piece)] = piece
        return len(piece)
