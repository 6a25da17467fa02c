"""Worker registrations: each process holds a locked file in `owners/` and writes heartbeats to it.

A killed process loses its lock at once, so that other workers can get its jobs at once. A frozen
process keeps the lock, but its heartbeat does not change. Clocks of two processes are never
compared.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.posix import fcntl

FROZEN_AFTER_S = 30.0
"""A process without a heartbeat for so long is frozen; seconds of the observer's own clock."""

_LINE_WIDTH = 20  # of the first line: the number of the heartbeat, then the busy threads
_BUSY_WIDTH = 6


@dataclass(frozen=True, slots=True)
class ObservedWorker:
    """One registered process, as an observer sees it.

    Args:
        role: `worker` or `dispatcher`; empty if its file does not name it.
        kinds: the kinds of job it runs; None if its file does not name them.
        port: its loopback port for /metrics and /healthz; 0 if it has none.
        busy: batches that it was running at its last heartbeat (count).
        heartbeat_at: when its last heartbeat was written, by the wall clock; seconds since 1970.
        heartbeat_age_s: time since its heartbeat changed, by the observer's monotonic clock;
            seconds.
        exit_status: how a dead process ended, by its supervisor: an exit status, or a signal as a
            negative number; None if no supervisor saw it.
    """

    uid: str
    state: str  # alive, frozen or dead
    pid: int
    threads: int
    queues: tuple[str, ...]
    role: str = ""
    kinds: tuple[str, ...] | None = None
    port: int = 0
    busy: int = 0
    heartbeat_at: float = 0.0
    heartbeat_age_s: float = 0.0
    exit_status: int | None = None


class WorkerRegistration:
    """The registration of this process, from its construction until `leave`.

    Args:
        home: the installation's folder.
        uid: uid of this process in the ledger.
        threads: jobs it runs at once (count).
        queues: the queues it serves; a dispatcher serves none.
        kinds: the kinds of job it runs.
        port: its loopback port for /metrics and /healthz; 0 if it has none.

    Raises:
        UnavailableError: its file cannot be made; the message names the folder.
    """

    def __init__(
        self,
        home: Path,
        uid: str,
        threads: int,
        queues: tuple[str, ...],
        kinds: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        self.uid = uid
        self.busy: Callable[[], int] = lambda: 0
        """Called at each heartbeat; returns how many batches this process is running."""
        folder = registrations_folder(home)
        self._path = folder / f"{uid}.lock"
        fresh = folder / f"{uid}.new"
        facts = {
            "pid": os.getpid(),
            "role": "worker" if queues else "dispatcher",
            "threads": threads,
            "queues": list(queues),
            "kinds": list(kinds),
            "port": port,
        }
        self._heartbeats = 0
        with answered(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
            self._fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            self.write_heartbeat()
            os.pwrite(self._fd, json.dumps(facts).encode(), _LINE_WIDTH + 1)
            # A file has the name that observers look for only when it is locked and complete.
            fresh.rename(self._path)
            # What the last process knew of the schedule is outdated by what this one does.
            needed_path(home).unlink(missing_ok=True)

    def write_heartbeat(self) -> None:
        """Show that this process is alive.

        Raises:
            UnavailableError: the heartbeat could not be written; the next one may be.
        """
        self._heartbeats += 1
        number = f"{self._heartbeats:>{_LINE_WIDTH - _BUSY_WIDTH}}"
        with answered(self._path):
            os.pwrite(self._fd, f"{number}{self.busy():>{_BUSY_WIDTH}}\n".encode(), 0)

    def leave(self) -> None:
        """End the registration; call it after every lease was handed back or settled."""
        self._path.unlink(missing_ok=True)
        os.close(self._fd)


class WorkerWatch:
    """Remembers when the heartbeat of each registered process last changed.

    Args:
        home: the installation's folder.
        clock: monotonic seconds; the age of a heartbeat is measured with it alone.
    """

    def __init__(self, home: Path, clock: Monotonic) -> None:
        self._folder = registrations_folder(home)
        self._clock = clock
        self._changed: dict[str, tuple[str, float]] = {}  # heartbeat and when it changed, by uid

    def survey(self) -> list[ObservedWorker]:
        """Return every registered process with its state, sorted by uid.

        Raises:
            UnavailableError: a registration's file cannot be opened.
        """
        with answered(self._folder):
            found = [self._read(path) for path in sorted(self._folder.glob("*.lock"))]
        present = {seen.uid for seen in found if seen is not None}
        for gone in self._changed.keys() - present:
            del self._changed[gone]
        return [seen for seen in found if seen is not None]

    def forget(self, uid: str) -> None:
        """Remove the file of a dead process, after its jobs were freed."""
        (self._folder / f"{uid}.lock").unlink(missing_ok=True)

    def _read(self, path: Path) -> ObservedWorker | None:
        try:
            # Read-only, so that a lock can be tested on a read-only disk too.
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            content = os.pread(fd, 4096, 0).decode("utf-8", "replace")
            return self._worker(path.stem, content, os.fstat(fd).st_mtime, _is_locked(fd))
        finally:
            os.close(fd)

    def _worker(
        self, uid: str, content: str, heartbeat_at: float, is_locked: bool
    ) -> ObservedWorker:
        line, _, rest = content.partition("\n")
        described, _, exit_status = rest.partition("\n")
        number, busy = line[: _LINE_WIDTH - _BUSY_WIDTH], line[_LINE_WIDTH - _BUSY_WIDTH :]
        facts: Mapping[str, Any] = {}
        with suppress(ValueError):
            facts = json.loads(described)
        now = self._clock()
        if uid not in self._changed or self._changed[uid][0] != number:
            self._changed[uid] = (number, now)
        age_s = now - self._changed[uid][1]
        state = "dead" if not is_locked else "frozen" if age_s >= FROZEN_AFTER_S else "alive"
        return ObservedWorker(
            uid,
            state,
            int(facts.get("pid", 0)),
            int(facts.get("threads", 0)),
            tuple(facts.get("queues", ())),
            str(facts.get("role", "")),
            tuple(facts["kinds"]) if "kinds" in facts else None,
            int(facts.get("port", 0)),
            int(busy) if busy.strip().isdigit() else 0,
            heartbeat_at,
            age_s,
            int(exit_status) if exit_status.strip("-\n").isdigit() else None,
        )


def note_exit(home: Path, pid: int, status: int) -> None:
    """Write into the registration of a dead process how it ended, for whoever frees its jobs.

    A process that left in good order has no registration any more; there is nothing to write then.

    Args:
        pid: its process id in this container.
        status: its exit status; a signal is a negative number.

    Raises:
        UnavailableError: its file cannot be written.
    """
    seen = WorkerWatch(home, lambda: 0.0).survey()
    dead = [one for one in seen if (one.state, one.pid) == ("dead", pid)]
    if not dead:
        return
    # Files of a host that was restarted may hold the same number: the last one alive is meant.
    last = max(dead, key=lambda one: one.heartbeat_at)
    path = registrations_folder(home) / f"{last.uid}.lock"
    with answered(path), suppress(FileNotFoundError), path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(f"\n{status}\n".encode())


def living(home: Path, clock: Monotonic) -> list[ObservedWorker]:
    """Return the registered processes that are not dead, frozen ones included."""
    return [seen for seen in WorkerWatch(home, clock).survey() if seen.state != "dead"]


def registrations_folder(home: Path) -> Path:
    """Return the folder of the registrations' files."""
    return home / "owners"


def needed_path(home: Path) -> Path:
    """Return the path of the note that says when a process is needed next (see `autostart`)."""
    return registrations_folder(home) / "needed"


def _is_locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(fd, fcntl.LOCK_UN)
    return False
