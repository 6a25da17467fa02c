"""The files of replays: made of a group by copying it, and removed with all files beside them."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.copying import copied
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import CORRUPT, LOCKED, answered, code_of
from afterword.pipeline.core.store.filesystem import sync_folder
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.identity import check_claim, identify
from afterword.pipeline.core.store.opening import open_raw
from afterword.pipeline.errors import InvalidInputError, UnavailableError

LEFT_OUT: Final = ("jobs", "cron_ticks")
"""Tables that are empty in a copy: the group's jobs must never run a second time from a replay."""

_LOGS: Final = ("-wal", "-shm", "-journal")
_ADOPT: Final = "UPDATE store_identity SET kind = 'replay', group_name = ?, created_at = ?"


def copy_to_replay(source: Path, target: Path, timeout_s: float, now: datetime) -> None:
    """Copy a group's file as it is at one moment, and make the copy a replay; whole or not at all.

    The group may be in use. The copy has another name until it is a replay in every respect, so a
    killed process leaves no file that could be taken for one.

    Args:
        source: the group's file, with the newest schema.
        target: the replay's file.
        timeout_s: longest wait for another process that makes a replay of this name; seconds.

    Raises:
        InvalidInputError: there is a replay of this name.
        UnavailableError: a file cannot be read or written, or the disk is full.
        CorruptStoreError: the group's file is damaged.
    """
    fresh = fresh_path(target)
    with _gate(target, timeout_s):
        if os.path.lexists(target):
            raise InvalidInputError(
                "replay",
                f"{target.stem!r} exists",
                f"another name, or remove it with `afterword replay rm {target.stem}`",
            )
        clear_leftovers(target)
        try:
            with answered(source), copied(source, fresh) as made:
                made.execute("BEGIN IMMEDIATE")
                made.execute(_ADOPT, (target.stem, to_micros(now)))
                for table in LEFT_OUT:
                    made.execute(f"DELETE FROM {table}")
                made.execute("COMMIT")
                # Last, and with no log: closing a file folds its log in, but tells no errors.
                made.execute("PRAGMA journal_mode = WAL")
            fresh.rename(target)
        except BaseException:
            _unlink(fresh)  # on a full disk it would take the last space
            raise
        sync_folder(target.parent)


def remove_replay_files(path: Path, timeout_s: float) -> None:
    """Remove a replay's file, its log, its locks, and what a killed process left of it.

    Args:
        timeout_s: longest wait for a process that is making it; seconds.

    Raises:
        UnavailableError: another process has it open, or is making it.
        CorruptStoreError: it is another file than a replay of this name; it is not changed.
    """
    with answered(path):
        with _alone(path):
            pass  # refused at once, not after waiting for the gate of a process that writes it
        with _gate(path, timeout_s):
            # Closing the file removes its log by its name, so it is closed before the gate opens
            # to a process that makes a new one.
            with _alone(path):
                path.unlink(missing_ok=True)
            clear_leftovers(path)
            for end in (".queue", ".lock"):
                path.with_name(path.name + end).unlink(missing_ok=True)


def has_left_something(path: Path) -> bool:
    """Say whether a replay exists, or a killed process left files of it."""
    return any(map(os.path.lexists, (path, *_beside(path), *_whole(fresh_path(path)))))


def fresh_path(path: Path) -> Path:
    """Return the name that a file has until it is whole."""
    return path.with_name(path.name + ".new")


def clear_leftovers(path: Path) -> None:
    """Remove what killed processes left of a file that is gone: SQLite would apply its old log.

    The caller holds the file's gate, and knows that there is no file.
    """
    for left in _beside(path):
        left.unlink(missing_ok=True)
    _unlink(fresh_path(path))


def _unlink(path: Path) -> None:
    for one in _whole(path):
        one.unlink(missing_ok=True)


def _whole(path: Path) -> list[Path]:
    return [path, *_beside(path)]


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in _LOGS]


@contextmanager
def _gate(path: Path, timeout_s: float) -> Iterator[None]:
    gate = WriteGate(path.with_name(path.name + ".lock"), timeout_s)
    try:
        with gate.held():
            yield
    finally:
        gate.close()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a replay's file, which proves that no process has it open; or find that it is gone.

    Every connection to a file with a write-ahead log keeps a shared lock on it, in use or not.
    """
    if not os.path.lexists(path):
        yield
        return
    check_claim(path, identify(path), "replay", None)
    with closing(open_raw(path, "mode=rw", timeout_s=0)) as conn:
        conn.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            conn.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except dbapi.Error as error:
            if code_of(error) in LOCKED:
                raise UnavailableError(
                    f"replay {path.stem!r} was not removed: another process has {path} open; "
                    "wait until it ends, or stop it, then try again"
                ) from error
            if code_of(error) not in CORRUPT:
                raise
        yield
