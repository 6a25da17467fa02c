"""Errors of SQLite and of the operating system, as errors a user can act on."""

import errno
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from afterword.pipeline import descriptors
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.obstacle import obstacle
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import CorruptStoreError, PipelineError, UnavailableError

CORRUPT: Final = frozenset({dbapi.SQLITE_CORRUPT, dbapi.SQLITE_NOTADB})
"""The only result codes of SQLite that mean damage."""

LOCKED: Final = frozenset({dbapi.SQLITE_BUSY, dbapi.SQLITE_LOCKED, dbapi.SQLITE_PROTOCOL})

REFUSED: Final = frozenset(
    {
        *(dbapi.SQLITE_FULL, dbapi.SQLITE_IOERR, dbapi.SQLITE_READONLY, dbapi.SQLITE_CANTOPEN),
        *(dbapi.SQLITE_PERM, dbapi.SQLITE_NOLFS, dbapi.SQLITE_AUTH),
    }
)
"""Result codes for an obstacle in the disk, the folder or the file; stored data is unchanged."""

_NO_TABLE: Final = "no such table: "
"""How SQLite begins the error of a statement whose table is gone."""

_FULL: Final = "its disk is full; free some disk space and try again"


# The driver's backup raises errors without a code; these are SQLite's own texts for the codes.
_CODES: Final = {
    "database or disk is full": dbapi.SQLITE_FULL,
    "disk I/O error": dbapi.SQLITE_IOERR,
    "attempt to write a readonly database": dbapi.SQLITE_READONLY,
    "unable to open database file": dbapi.SQLITE_CANTOPEN,
    "database is locked": dbapi.SQLITE_BUSY,
    "database disk image is malformed": dbapi.SQLITE_CORRUPT,
    "file is not a database": dbapi.SQLITE_NOTADB,
}


def code_of(error: BaseException | None) -> int:
    """Return the primary result code of an error of SQLite; 0 if it has none."""
    code = getattr(error, "sqlite_errorcode", None)
    return _CODES.get(str(error), 0) if code is None else int(code) & 0xFF


def meaning(path: Path, error: BaseException | None) -> PipelineError | None:
    """Return our error for an error of SQLite; None if it is a fault of this program."""
    code = code_of(error)
    if code in CORRUPT:
        return CorruptStoreError(
            f"{path} is damaged ({error}); stop all processes, run `afterword store check`, "
            "then `afterword store restore` from a backup"
        )
    if code == dbapi.SQLITE_ERROR and str(error).startswith(_NO_TABLE):
        table = str(error).removeprefix(_NO_TABLE).removeprefix("main.")
        return CorruptStoreError(f"{path}: {removed(path, [table])}")
    if code in LOCKED:
        return _refused(
            "locked", f"{path}: {error}; another program holds the file; close it and try again"
        )
    if code not in REFUSED:
        return None
    if code != dbapi.SQLITE_FULL and not descriptors.are_left():
        return _refused("descriptors", str(descriptors.none_left(path)))
    if code == dbapi.SQLITE_FULL:
        return _refused("full disk", f"{path}: {error}; {_FULL}; this write left nothing")
    found = obstacle(path)
    if found is None and not os.path.lexists(path):
        return _refused("gone", f"{path} is gone; put it back, or bring it back from a backup")
    if found is None:
        return _refused("disk", f"{path}: {error}; check the disk and its folder, then try again")
    return _refused(found.reason, f"{path}: {error}; {found.remedy}")


def removed(path: Path, tables: Collection[str]) -> str:
    """Return that another program removed tables of a file, at least one, and the way out."""
    names = f"the table{'s' if len(tables) > 1 else ''} {', '.join(tables)}"
    group = f" --group {path.stem} --replace" if path.parent.name == "groups" else ""
    return f"another program removed {names}; `afterword store restore BACKUP{group}`"


@contextmanager
def answered(path: Path) -> Iterator[None]:
    """Turn errors of the system and of SQLite into errors that name the remedy.

    Raises:
        UnavailableError: read-only, full, out of inodes or descriptors, locked, or not allowed.
        CorruptStoreError: the file is damaged.
    """
    try:
        yield
    except OSError as error:
        raise refused_by_system(path, error) from error
    except dbapi.Error as error:
        raise meaning(path, error) or error from error


def refused_by_system(path: Path, error: OSError) -> UnavailableError:
    """Return our error for an error of the operating system."""
    if error.errno in descriptors.NONE_LEFT:
        return descriptors.none_left(path)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return UnavailableError(f"{path}: {error.strerror}; {_FULL}")
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return UnavailableError(
            f"{path}: {error.strerror}; a file is where a folder must be; move it away and try "
            "again"
        )
    found = obstacle(path)
    if found is not None:
        return UnavailableError(f"{path}: {error.strerror}; {found.remedy}")
    return UnavailableError(
        f"{path}: {error.strerror}; it must be a plain file in a writable folder; correct that and "
        "try again"
    )


def _refused(reason: str, said: str) -> UnavailableError:
    emit("store.refused", reason=reason, error=said)
    return UnavailableError(said)
