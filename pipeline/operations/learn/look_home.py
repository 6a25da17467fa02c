"""The folder of one look at some files: deleted after it, taken up again after a kill."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.packed import check_regular, printable
from afterword.pipeline.core.files.temporary import refused_by_folder, temporary_folder
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.posix import fcntl

PREFIX: Final = "afterword-look-"

_STALE_S: Final = 24 * 3600
"""Age from which a folder that a killed look left is deleted by the next one; seconds."""


@contextmanager
def look_home(files: Sequence[Path], options: Sequence[str], now: datetime) -> Iterator[Path]:
    """Lend a folder that only this user can read.

    The same files with the same options get the same folder, so that a look that was killed goes
    on where it was. It is deleted at the end, whatever that is; only a kill or Ctrl-C leaves it.

    Args:
        options: what else decides how the files are read.

    Raises:
        InvalidInputError: a file cannot be read.
        UnavailableError: the folder of temporary files takes none, or no more.
    """
    top = temporary_folder()
    try:
        _delete_stale(top, now)
        folder = top / f"{PREFIX}{_digest(files, options)}"
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        lock = _lock(folder)
        if lock is None:  # the same look is running, or the folder is another user's
            folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            lock = _lock(folder)
    except OSError as error:
        raise refused_by_folder(top, error) from None
    is_interrupted = False
    try:
        yield folder
    except KeyboardInterrupt:
        is_interrupted = True
        raise
    except UnavailableError as error:
        if str(folder) not in str(error):
            raise
        # The folder is deleted now: no row is left in it to go on from.
        raise refused_by_folder(top, error) from error
    finally:
        if not is_interrupted:
            shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _digest(files: Sequence[Path], options: Sequence[str]) -> str:
    found = hashlib.sha256(repr((os.getuid(), list(options))).encode())
    for path in files:
        found.update(f"\0{path.name}\0".encode(errors="surrogateescape"))
        try:
            check_regular(path)
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
            raise InvalidInputError(printable(path), problem, "a readable file") from None
    return found.hexdigest()[:24]


def _lock(folder: Path) -> int | None:
    """Return a lock on a folder of this user; None if it is another user's, or in use."""
    there = folder.lstat()
    if folder.is_symlink() or there.st_uid != os.getuid() or there.st_mode & 0o077:
        return None
    lock = os.open(folder / "look.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _delete_stale(top: Path, now: datetime) -> None:
    for folder in top.glob(f"{PREFIX}*"):
        with suppress(OSError):
            is_stale = now.timestamp() - folder.lstat().st_mtime > _STALE_S
            lock = _lock(folder) if is_stale else None
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
