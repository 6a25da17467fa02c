"""Start a worker process for a home in which none is alive: one at a time, apart from its starter.

The lock of `owners/autostart` is taken by the starter and inherited by the process it starts, so it
is held from before the start until that process ends, however it ends. Whoever finds it taken has
nothing to do.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Self

from afterword.pipeline.clock import iso
from afterword.pipeline.core.jobs.registrations import needed_path, registrations_folder
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.posix import fcntl

_PROGRAM: Final = "afterword.schedules.autostarted"
"""The module that is started; nothing here imports it."""

START_PAUSE_S: Final = 10.0
"""Shortest time between two starts for a home; it doubles with each start that failed; seconds."""

LONGEST_START_PAUSE_S: Final = 600.0

SCHEDULE_REST: Final = timedelta(minutes=15)
"""Shortest time until a process is needed for the schedule alone: some entries have work every
minute, and outcomes are measured this often."""

LOG_BYTES: Final = 1 << 20
"""Size at which the log is put aside as `autostart.log.old`, which replaces the one before."""


@dataclass(frozen=True, slots=True)
class LastStart:
    """The last start for a home.

    Args:
        at: seconds since 1970; 0 before the first.
        failed: starts in a row whose process ended early (count), this one included until it has
            served for a while or ended by itself.
        pid: the started process; 0 until it serves.
    """

    at: float = 0.0
    failed: int = 0
    pid: int = 0

    def may_follow_at(self) -> float:
        """Return when the next process may be started; seconds since 1970."""
        return self.at + min(LONGEST_START_PAUSE_S, START_PAUSE_S * 2.0 ** min(self.failed, 10))

    def has_failed(self, now: datetime) -> bool:
        """Say whether its process has ended early, if none is alive."""
        return self.failed > 0 and abs(now.timestamp() - self.at) >= START_PAUSE_S


class StartLock:
    """The right to be the started process of a home, held until `release` or the end.

    Args:
        descriptor: of the locked file.
    """

    def __init__(self, home: Path, descriptor: int) -> None:
        self._path, self.descriptor = _lock_path(home), descriptor

    @classmethod
    def take(cls, home: Path) -> Self | None:
        """Return the lock, or None if another process holds it.

        Raises:
            UnavailableError: its file cannot be made.
        """
        path = _lock_path(home)
        with answered(path):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                return None
        return cls(home, descriptor)

    def write(self, start: LastStart) -> None:
        """Note the last start in the file, for the next starter and for operators.

        Raises:
            UnavailableError: it cannot be written.
        """
        content = json.dumps({"at": start.at, "failed": start.failed, "pid": start.pid})
        with answered(self._path):
            # Of one length, so that a full disk cannot leave half of it.
            os.pwrite(self.descriptor, content.ljust(120).encode(), 0)

    def is_current(self) -> bool:
        """Say whether the file still has its name: it has not after the home was removed."""
        with suppress(FileNotFoundError, NotADirectoryError):
            return os.path.samestat(self._path.stat(), os.fstat(self.descriptor))
        return False

    def release(self) -> None:
        """Let another process be started."""
        os.close(self.descriptor)


def start(
    home: Path, environment: Mapping[str, str], now: datetime
) -> "subprocess.Popen[bytes] | None":
    """Start a worker process for a home, unless one was started that lives, or was just now.

    It has a session of its own, so that neither Ctrl-C nor the end of its starter reaches it, and
    writes to `autostart.log` alone.

    Args:
        environment: all variables of the process.

    Returns:
        The process, which the caller must wait for; None if none was started.

    Raises:
        UnavailableError: it cannot be started, or the last one ended early.
    """
    lock = StartLock.take(home)
    if lock is None:
        return None
    try:
        last = last_start(home)
        pause_s = last.may_follow_at() - now.timestamp()
        if last.at <= now.timestamp() and pause_s > 0:
            if last.failed:
                raise UnavailableError(
                    f"the last worker ended early ({last.failed} in a row); "
                    f"{log_path(home)} says why, and another one is started later"
                )
            return None
        lock.write(LastStart(now.timestamp(), last.failed + 1))
        log = open_log(home)
        try:
            return _spawn(home, lock.descriptor, log, environment)
        finally:
            os.close(log)
    finally:
        lock.release()  # the process has inherited it


def last_start(home: Path) -> LastStart:
    """Return the last start for a home; an empty one if none is known."""
    try:
        found = json.loads(_lock_path(home).read_text())
        return LastStart(float(found["at"]), int(found["failed"]), int(found["pid"]))
    except (OSError, ValueError, TypeError, KeyError):
        return LastStart()


def open_log(home: Path) -> int:
    """Return a descriptor of the log, which is put aside first if it is long.

    Raises:
        UnavailableError: it cannot be opened.
    """
    path = log_path(home)
    with answered(path):
        with suppress(FileNotFoundError):
            if path.stat().st_size > LOG_BYTES:
                path.replace(path.with_name(path.name + ".old"))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(path, flags, 0o600)


def log_path(home: Path) -> Path:
    """Return the path of the log of started processes."""
    return home / "autostart.log"


def write_needed(home: Path, at: datetime | None) -> None:
    """Note when the schedule next has work in this home; any process that begins removes the note.

    Args:
        at: None if it has none.

    Raises:
        UnavailableError: it cannot be written.
    """
    path = needed_path(home)
    with answered(path):
        fresh = path.with_name(path.name + ".new")
        fresh.write_text("never" if at is None else iso(at))
        fresh.replace(path)


def needed_at(home: Path) -> datetime | None:
    """Return when the schedule next has work in this home; None if it has none.

    Where no process has noted it, it may have work `SCHEDULE_REST` after the last start.
    """
    try:
        noted = needed_path(home).read_text()
        return None if noted == "never" else datetime.fromisoformat(noted)
    except (OSError, ValueError):
        return datetime.fromtimestamp(last_start(home).at, UTC) + SCHEDULE_REST


def _spawn(
    home: Path, lock: int, log: int, environment: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    if not sys.executable or getattr(sys, "frozen", False):
        raise UnavailableError("this program has no Python that could run a worker")
    try:
        return subprocess.Popen(
            # -P: a `redis.py` in the folder of the agent must not be taken for the library.
            [sys.executable, "-P", "-m", _PROGRAM, str(home), str(lock)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            pass_fds=(lock,),
            start_new_session=True,
        )
    except OSError as error:
        raise UnavailableError(f"a worker cannot be started: {error.strerror}") from error


def _lock_path(home: Path) -> Path:
    return registrations_folder(home) / "autostart"
