"""Read a plain file inside a folder: nothing outside of it, and no more than is asked for."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError

_TRIES: Final = 3
"""Reads of a file that changes meanwhile (count)."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe put in the place of a file would wait for a writer.
_FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_ACCEPTED: Final = "a plain file, or a link to one in the same folder"


class FileBytes(NamedTuple):
    """The bytes of a file.

    Args:
        head: the whole file, or its beginning.
        tail: the end of a file of which the middle was not read; otherwise empty.
        size: of the whole file; bytes.
    """

    head: bytes
    tail: bytes
    size: int

    @property
    def unread(self) -> int:
        """How many bytes between both parts were not read."""
        return self.size - len(self.head) - len(self.tail)


def read_inside(folder: Path, name: str, most: int) -> FileBytes | None:
    """Return the bytes of a file below a folder, the same ones at one moment.

    Args:
        name: its path below the folder, with slashes.
        most: of a larger file the first three quarters of so many bytes are read, and its end.

    Returns:
        The bytes; None if there is no such file.

    Raises:
        InvalidInputError: a link leads out of the folder or to nothing; it is a folder, a pipe or a
            device; it may not be read; somebody keeps writing it.
    """
    top = os.path.realpath(folder)
    place = _place(top, name)
    if place is None:
        return None
    try:
        with _opened(top, place) as file:
            return _unchanged(file, name, most)
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InvalidInputError(name, problem, "a file that this user may read") from None


def names_inside(folder: Path, name: str) -> list[str]:
    """Return the names in a folder below a folder, sorted; none if there is no such folder.

    Raises:
        InvalidInputError: a link leads out of the folder, or it may not be read.
    """
    top = os.path.realpath(folder)
    place = _place(top, name)
    if place is None:
        return []
    try:
        with _walked(top, place.split("/")) as opened, os.scandir(opened) as entries:
            return sorted(entry.name for entry in entries)
    except NotADirectoryError:
        return []
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InvalidInputError(name, problem, "a folder that this user may read") from None


def _place(top: str, name: str) -> str | None:
    """Return where a file is below the folder once its links are followed; None if nowhere.

    Args:
        top: the folder, without links.
    """
    # Strings: of a usual workspace, paths as objects would be a third of the time.
    path = f"{top}/{name}"
    real = os.path.realpath(path)
    if not real.startswith(f"{top.rstrip('/')}/"):
        raise InvalidInputError(name, "leads out of the folder", _ACCEPTED)
    if not os.path.lexists(real):
        if os.path.islink(path):  # noqa: PTH114
            raise InvalidInputError(name, "is a link that leads nowhere", _ACCEPTED)
        return None
    return real[len(top.rstrip("/")) + 1 :]


@contextmanager
def _walked(top: str, parts: Sequence[str]) -> Iterator[int]:
    """Open folder after folder, each inside the one before; what became a link is not followed."""
    with ExitStack() as opened:
        above = os.open(top, _FOLDER)
        opened.callback(os.close, above)
        for part in parts:
            above = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
            opened.callback(os.close, above)
        yield above


@contextmanager
def _opened(top: str, place: str) -> Iterator[int]:
    *folders, last = place.split("/")
    with _walked(top, folders) as above:
        file = os.open(last, _FILE | os.O_NOFOLLOW, dir_fd=above)
        try:
            yield file
        finally:
            os.close(file)


def _unchanged(file: int, name: str, most: int) -> FileBytes:
    for _ in range(_TRIES):
        before = os.fstat(file)
        if stat.S_ISDIR(before.st_mode):
            raise InvalidInputError(name, "is a folder", _ACCEPTED)
        if not stat.S_ISREG(before.st_mode):
            raise InvalidInputError(name, "is not a regular file", _ACCEPTED)
        read = _parts(file, before.st_size, most)
        after = os.fstat(file)
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
            return read
    raise InvalidInputError(name, "changes while it is read", "a file that nobody writes just now")


def _parts(file: int, size: int, most: int) -> FileBytes:
    if size <= most:
        return FileBytes(os.pread(file, size, 0), b"", size)
    end = most // 4
    return FileBytes(os.pread(file, most - end, 0), os.pread(file, end, size - end), size)
