"""Raw connections to one file: to write, to read, and to read on a full or read-only disk."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from afterword.pipeline import descriptors
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import REFUSED, code_of
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.core.store.obstacle import obstacle

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

_Connection: Any = dbapi.Connection
_EXCLUSIVE: Final = "locking_mode = EXCLUSIVE"
_IMMUTABLE: Final = "mode=ro&immutable=1"  # without mode=ro a file that is missing would be made

DRIVER_TIMEOUT_S: Final = 5.0
"""Longest wait for a lock where no options are given; the driver's own default; seconds."""


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a file is opened.

    Args:
        synchronous: FULL, a commit that returned survives a power cut; NORMAL, the last commits
            before a power cut may be missing (never torn, and a killed process loses none).
        busy_timeout_s: longest wait for another writer; seconds.
        mmap_bytes: how much of the file reads may map; 0 turns it off.
        journal_limit_bytes: size the write-ahead log is cut back to after a checkpoint.
        is_replicated: another program copies the file and always has its log open: emptying the log
            would block all writers for as long as they may wait, and fail.
    """

    synchronous: str = "FULL"
    busy_timeout_s: float = 10.0
    mmap_bytes: int = 256 * 1024 * 1024
    journal_limit_bytes: int = 16 * 1024 * 1024
    is_replicated: bool = False


def options_of(settings: "Settings") -> StoreOptions:
    """Return the options of the settings."""
    return StoreOptions(
        synchronous=settings.synchronous,
        busy_timeout_s=settings.busy_timeout_s,
        mmap_bytes=settings.mmap_mb * 1024 * 1024,
        is_replicated=settings.replica is not None,
    )


class OneRead(_Connection):  # type: ignore[misc]  # known only once the driver is chosen
    """A connection for one read: it holds an exclusive lock, or relies on a read-only disk."""


def connect(path: Path, options: StoreOptions) -> Any:
    """Return a raw autocommit connection to an existing file, with this store's pragmas."""
    return _prepared(
        _open(path, "mode=rw", options),
        "journal_mode = WAL",
        f"synchronous = {options.synchronous}",
        "foreign_keys = ON",
        f"mmap_size = {options.mmap_bytes}",
        f"journal_size_limit = {options.journal_limit_bytes}",
        "recursive_triggers = ON",  # REPLACE must fire delete triggers, or FTS keeps deleted text
    )


def connect_to_read(path: Path, options: StoreOptions) -> Any:
    """Return a raw connection for reads, also where SQLite cannot make its files beside the store.

    It is a `OneRead` where the disk is full or read-only; close that one after the read.
    """
    return _or_without_writing(path, options, lambda: connect(path, options))


def open_to_read(path: Path, options: StoreOptions = StoreOptions()) -> Any:
    """Return a raw connection that never changes the file, also on a full or read-only disk."""
    return _or_without_writing(path, options, lambda: _prepared(_open(path, "mode=ro", options)))


def open_immutable(path: Path) -> Any:
    """Return a raw connection that reads the file alone, without locks and without its log.

    SQLite makes no file beside it. If a process writes meanwhile, what is read may be old or torn:
    the caller must be able to find that out.
    """
    return open_raw(path, _IMMUTABLE)


def open_raw(
    path: Path, how: str, timeout_s: float = DRIVER_TIMEOUT_S, factory: Any = _Connection
) -> Any:
    """Return a raw autocommit connection without any pragma set.

    Args:
        how: parameters of SQLite's URI, such as `mode=ro`.
        timeout_s: longest wait for a lock; seconds.
    """
    return dbapi.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        # The driver must not begin on its own: it would begin deferred, and a read that turns into
        # a write then fails at once whatever the time-out.
        isolation_level=None,
        timeout=timeout_s,
        check_same_thread=False,
        factory=factory,
    )


def make_private(path: Path) -> Any:
    """Make a file that only its owner may open, and return a raw autocommit connection to it.

    Raises:
        FileExistsError: there is one.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return dbapi.connect(str(path), isolation_level=None)


def has_log(path: Path) -> bool:
    """Return whether the file's write-ahead log has content."""
    log = log_path(path)
    return log.exists() and log.stat().st_size > 0


def _or_without_writing(path: Path, options: StoreOptions, attempt: Callable[[], Any]) -> Any:
    """Connect as usual, or, where the disk forbids what SQLite wants to write, without writing.

    A reader of a file with a write-ahead log needs 32 KiB of shared memory beside it. On a full
    disk a reader with an exclusive lock needs none. On a disk that is mounted read-only no process
    writes: a log is read without locks, a file without a log is read as immutable.
    """
    try:
        return attempt()
    except dbapi.OperationalError as error:
        found = obstacle(path) if code_of(error) in REFUSED and descriptors.are_left() else None
        if found is None:
            raise
        try:
            if found.reason == "read-only disk":
                return _from_read_only_disk(path, options)
            return _prepared(_open(path, "mode=rw", options, OneRead), _EXCLUSIVE)
        except dbapi.Error:
            raise error from None  # the first one says what is in the way


def _from_read_only_disk(path: Path, options: StoreOptions) -> Any:
    if has_log(path):
        conn = _open(path, "mode=ro&vfs=unix-none", options, OneRead)
        return _prepared(conn, _EXCLUSIVE)
    return _prepared(_open(path, _IMMUTABLE, options, OneRead))


def _open(path: Path, how: str, options: StoreOptions, factory: Any = _Connection) -> Any:
    return open_raw(path, how, options.busy_timeout_s, factory)


def _prepared(conn: Any, *pragmas: str) -> Any:
    try:
        for pragma in pragmas:
            conn.execute(f"PRAGMA {pragma}")
        # SQLite opens the file at the first read: errors must show here.
        conn.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except BaseException:
        with suppress(dbapi.Error):
            conn.close()
        raise
    return conn
