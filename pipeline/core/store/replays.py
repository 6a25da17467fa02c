"""Remove the files of replays, with all that stand beside them."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import CORRUPT, LOCKED, answered, code_of
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.identity import check_claim, identify
from afterword.pipeline.core.store.opening import open_raw
from afterword.pipeline.errors import UnavailableError

_LOGS: Final = ("-wal", "-shm", "-journal")


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
