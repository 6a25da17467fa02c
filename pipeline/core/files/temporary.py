"""Temporary folders, and what a kill left of them.

Each is locked by the process that uses it. The kernel frees the lock when that process ends,
however it ends: a folder without a lock is left over, and the next command that opens files deletes
it.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from afterword.pipeline.descriptors import file_size_limit
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.posix import fcntl

TEMPORARY_PREFIX: Final = "afterword-tmp-"
"""How the names of all temporary folders begin."""


class LockedFolder:
    """A folder of this user alone, locked until it is closed.

    Args:
        fd: a descriptor of the folder, which holds the lock.
    """

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self._fd = path, fd

    def close(self) -> None:
        """Give the lock up; a folder that is still there is left over from then on."""
        os.close(self._fd)

    def delete(self) -> None:
        """Delete the folder with all that is in it, as far as that can be done."""
        shutil.rmtree(self.path, ignore_errors=True)


@contextmanager
def lend_folder(kind: str, within: Path | None = None) -> Iterator[Path]:
    """Lend a new folder that only this user can read, and delete it afterwards.

    Args:
        kind: what it is for, in one word; a part of its name.
        within: the folder in which it is made; None for that of temporary files.

    Raises:
        UnavailableError: none can be made.
    """
    top = within or temporary_folder()
    try:
        folder = new_folder(kind, top)
    except OSError as error:
        raise refused_by_folder(top, error) from None
    with closing(folder):
        try:
            yield folder.path
        finally:
            folder.delete()


def new_folder(kind: str, top: Path) -> LockedFolder:
    """Make a folder with a name that no other has, and lock it.

    Raises:
        OSError: it cannot be made.
    """
    while True:
        path = Path(tempfile.mkdtemp(prefix=f"{TEMPORARY_PREFIX}{kind}-", dir=top))
        folder = locked(path)
        if folder is not None:  # else another command took it for left over before it was locked
            return folder


def named_folder(kind: str, name: str, top: Path) -> LockedFolder | None:
    """Make or take up the folder of this name; None if it is in use, or another user's.

    Raises:
        OSError: it cannot be made.
    """
    path = top / f"{TEMPORARY_PREFIX}{kind}-{name}"
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    return locked(path)


def locked(path: Path) -> LockedFolder | None:
    """Lock a folder that only this user may read; None if it is not one, or is in use."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        if status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had the lock until now may have deleted the folder.
            if os.path.samestat(status, path.lstat()):
                return LockedFolder(path, fd)
    except OSError:
        pass
    os.close(fd)
    return None


def delete_left_over() -> None:
    """Delete the temporary folders that killed processes of this user left."""
    for path in temporary_folders():
        folder = locked(path)
        if folder is not None:
            with closing(folder):
                folder.delete()


def temporary_folders() -> list[Path]:
    """Return the temporary folders that are there, in use or left over."""
    try:
        with os.scandir(tempfile.gettempdir()) as entries:
            return [
                Path(entry.path) for entry in entries if entry.name.startswith(TEMPORARY_PREFIX)
            ]
    except OSError:  # none can be read, so none can be made either
        return []


def temporary_folder() -> Path:
    """Return the folder in which temporary files are made.

    Raises:
        UnavailableError: none can be written to.
    """
    try:
        return Path(tempfile.gettempdir())
    except OSError:
        problem = "no folder for temporary files can be written to"
        raise UnavailableError(
            f"{problem}; free some space in /tmp, or name another folder with TMPDIR"
        ) from None


def refused_by_folder(folder: Path, error: BaseException) -> UnavailableError:
    """Return the error for a temporary file that could not be written.

    Args:
        error: what was raised; the first cause of it is told.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    reason = getattr(error, "strerror", None) or error
    told, limit = f"temporary files cannot be written in {folder} ({reason})", file_size_limit()
    if limit is not None and "full" not in str(reason):
        most = f"this process may write {limit:,} bytes a file"
        return UnavailableError(f"{told}: {most}; raise the limit (`ulimit -f`) and try again")
    return UnavailableError(
        f"{told}; free some space there, or name another folder with TMPDIR, and try again"
    )
