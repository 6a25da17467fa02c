"""A folder from elsewhere: each entry is looked at before any is read; none leads out of it."""

import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError

MOST_TREE_FILES: Final = 200_000
"""Files of a folder, and folders in it; counts."""

MOST_TREE_DEPTH: Final = 8
MOST_TREE_BYTES: Final = 8 * 1024 * 1024 * 1024
"""Of all files together."""

_MOST_NAME: Final = 255
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A pipe put in the place of a file would wait for a writer.
_FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAIN: Final = "plain files in plain folders"
_ARCHIVES: Final = (
    *(".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".jar", ".whl"),
)
_PACKED: Final = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!",
    b"\x28\xb5\x2f\xfd",
)


class TreeFile(NamedTuple):
    """A plain file of a folder.

    Args:
        path: below the folder, with slashes.
        size: bytes.
        inode: device and number, by which a file that was put in its place is recognised.
    """

    path: str
    size: int
    inode: tuple[int, int]


class PlainTree:
    """The files of a folder, or one file, looked at once.

    Args:
        top: the folder or the file; it is no link.

    Raises:
        InvalidInputError: it is no folder; or an entry is a link, has a second name, is a pipe or a
            device, is packed, has a name that is not UTF-8 or differs from another one only in
            case; or there are too many files, too deep or too large.
    """

    def __init__(self, top: Path) -> None:
        self.top = top if top.is_dir() else top.parent
        self.files: dict[str, TreeFile] = {}
        try:
            if top.is_symlink() or not top.exists():
                raise InvalidInputError("folder", f"{str(top)!a} is a link, or nothing", _PLAIN)
            if top.is_dir():
                self._look()
            else:
                _check_name(top.name, {})
                self.files[top.name] = _known(top.name, top.lstat())
            for path in self.files:
                self._check_unpacked(path)
        except OSError as error:
            problem = f"{str(top)!a} cannot be read ({error.strerror})"
            raise InvalidInputError("folder", problem, "a folder that this user may read") from None

    @contextmanager
    def open(self, path: str) -> Iterator[BufferedReader]:
        """Open a file that was looked at; one that took its place since is refused.

        Raises:
            InvalidInputError: it is another one now, or cannot be read.
        """
        known = self.files[path]
        *folders, last = path.split("/")
        try:
            with ExitStack() as opened:
                above = os.open(self.top, _FOLDER)
                opened.callback(os.close, above)
                for folder in folders:
                    above = os.open(folder, _FOLDER, dir_fd=above)
                    opened.callback(os.close, above)
                file = os.open(last, _FILE, dir_fd=above)
                with os.fdopen(file, "rb") as stream:
                    status = os.fstat(file)
                    if _known(path, status) != known:
                        raise InvalidInputError(path, "changed since it was looked at", _PLAIN)
                    yield stream
        except OSError as error:
            raise InvalidInputError(path, f"cannot be read ({error.strerror})", _PLAIN) from None

    def read(self, path: str, most: int) -> bytes:
        """Return the bytes of a file.

        Raises:
            InvalidInputError: it has more than `most`, or see `open`.
        """
        if self.files[path].size > most:
            problem = f"has {self.files[path].size:,} bytes"
            raise InvalidInputError(path, problem, f"up to {most:,} bytes")
        with self.open(path) as stream:
            return stream.read(most + 1)[:most]

    def _look(self) -> None:
        seen: dict[str, str] = {}
        total, entries, waiting = 0, 0, [("", self.top)]
        while waiting:
            below, folder = waiting.pop()
            with os.scandir(folder) as listing:
                for entry in listing:
                    path = f"{below}{entry.name}"
                    entries += 1
                    if entries > MOST_TREE_FILES:
                        problem = f"has more than {MOST_TREE_FILES:,} entries, such as {path!a}"
                        raise InvalidInputError("folder", problem, "a smaller folder")
                    _check_name(path, seen)
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        if path.count("/") >= MOST_TREE_DEPTH:
                            accepted = f"{MOST_TREE_DEPTH} levels of folders"
                            raise InvalidInputError(path, "is too deep", accepted)
                        waiting.append((f"{path}/", Path(entry.path)))
                        continue
                    total += status.st_size
                    if total > MOST_TREE_BYTES:
                        raise InvalidInputError(path, "makes the folder too large", "up to 8 GB")
                    self.files[path] = _known(path, status)
        self.files = dict(sorted(self.files.items()))

    def _check_unpacked(self, path: str) -> None:
        if path.lower().endswith(_ARCHIVES):
            raise InvalidInputError(path, "is an archive", "what is in it, unpacked and looked at")
        if path.lower().endswith((".md", ".jsonl", ".json", ".txt")):
            with self.open(path) as stream:
                if stream.read(6).startswith(_PACKED):
                    raise InvalidInputError(path, "is packed", "text")


def _check_name(path: str, seen: dict[str, str]) -> None:
    name = path.rsplit("/", 1)[-1]
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidInputError(ascii(path), "has a name that is not UTF-8", _PLAIN) from None
    if not name.isprintable() or "\\" in name or len(name) > _MOST_NAME:
        raise InvalidInputError(ascii(path[-_MOST_NAME:]), "has a name with other signs", _PLAIN)
    same = unicodedata.normalize("NFC", path).casefold()
    if same in seen:
        problem = f"has the name of {seen[same]!a} but for its case or its accents"
        raise InvalidInputError(ascii(path), problem, "names that differ otherwise")
    seen[same] = path


def _known(path: str, status: os.stat_result) -> TreeFile:
    if stat.S_ISLNK(status.st_mode):
        raise InvalidInputError(path, "is a link", _PLAIN)
    if not stat.S_ISREG(status.st_mode):
        raise InvalidInputError(path, "is a pipe, a device or a socket", _PLAIN)
    if status.st_nlink > 1:
        raise InvalidInputError(path, "is a hard link: it has a second name", _PLAIN)
    return TreeFile(path, status.st_size, (status.st_dev, status.st_ino))
