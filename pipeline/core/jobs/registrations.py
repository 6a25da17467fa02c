"""Who is working: each worker process holds a lock of its own and shows that it still moves.

A killed process loses its lock in the same instant, so its jobs can be given on at once. A frozen
one keeps the lock but its beat stands still. No clock is compared across processes.
"""

import fcntl
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store.failures import answered

FROZEN_AFTER_S = 30.0
"""An owner without a beat for so many seconds, by the monotonic clock, counts as frozen."""

_BEAT_WIDTH = 20
_BUSY_WIDTH = 6  # of the beat's line, behind the number that moves


@dataclass(frozen=True, slots=True)
class ObservedWorker:
    """One owner as a reconciler sees it.

    Args:
        role: `worker` or `dispatcher`; empty if its file does not name it.
        kinds: the kinds of job it runs; None if its file does not name them.
        port: its loopback port for /metrics and /healthz; 0: none.
        busy: how many batches it was running at its last heartbeat.
        beaten_at: when its heartbeat was written last, by the wall clock; seconds since 1970.
        still_s: time since its heartbeat changed, by the observer's monotonic clock; seconds.
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
    beaten_at: float = 0.0
    still_s: float = 0.0


class WorkerRegistration:
    """This process's place among the workers, for as long as it lives.

    Args:
        home: the installation's folder.
        uid: the process's unique name in the ledger.
        threads: how many jobs it runs at once.
        queues: the lanes it works; a dispatcher works none.
        kinds: the kinds of job it runs.
        port: its loopback port for /metrics and /healthz; 0: none.

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
        """Asked at each heartbeat how many batches this process is running."""
        folder = owners_folder(home)
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
        self._beats = 0
        with answered(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
            self._fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            self.beat()
            os.pwrite(self._fd, json.dumps(facts).encode(), _BEAT_WIDTH + 1)
            # Only a locked, whole file ever has the name that reconcilers look for.
            fresh.rename(self._path)

    def beat(self) -> None:
        """Show that this process still moves.

        Raises:
            UnavailableError: the heartbeat could not be written; the next one may be.
        """
        self._beats += 1
        moved, busy = f"{self._beats:>{_BEAT_WIDTH - _BUSY_WIDTH}}", f"{self.busy():>{_BUSY_WIDTH}}"
        with answered(self._path):
            os.pwrite(self._fd, f"{moved}{busy}\n".encode(), 0)

    def leave(self) -> None:
        """Give up the place; only after every lease was handed back or settled."""
        self._path.unlink(missing_ok=True)
        os.close(self._fd)


class Watch:
    """A reconciler's memory of when each owner last moved.

    Args:
        home: the installation's folder.
        clock: monotonic seconds; owners are judged by it alone.
    """

    def __init__(self, home: Path, clock: Monotonic) -> None:
        self._folder = owners_folder(home)
        self._clock = clock
        self._moved: dict[str, tuple[str, float]] = {}

    def survey(self) -> list[ObservedWorker]:
        """Return every owner with its state, sorted by uid.

        Raises:
            UnavailableError: an owner's file cannot be opened.
        """
        with answered(self._folder):
            found = [self._look(path) for path in sorted(self._folder.glob("*.lock"))]
        present = {seen.uid for seen in found if seen is not None}
        for gone in self._moved.keys() - present:
            del self._moved[gone]
        return [seen for seen in found if seen is not None]

    def forget(self, uid: str) -> None:
        """Remove a dead owner's file, after its jobs were given back."""
        (self._folder / f"{uid}.lock").unlink(missing_ok=True)

    def _look(self, path: Path) -> ObservedWorker | None:
        try:
            # Read-only, so that a lock can be tested on a read-only disk too.
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            content = os.pread(fd, 4096, 0).decode("utf-8", "replace")
            return self._judged(path.stem, content, os.fstat(fd).st_mtime, held=_is_held(fd))
        finally:
            os.close(fd)

    def _judged(self, uid: str, content: str, beaten_at: float, held: bool) -> ObservedWorker:
        line, _, rest = content.partition("\n")
        beat, busy = line[: _BEAT_WIDTH - _BUSY_WIDTH], line[_BEAT_WIDTH - _BUSY_WIDTH :]
        facts: Mapping[str, Any] = {}
        with suppress(ValueError):
            facts = json.loads(rest)
        now = self._clock()
        if uid not in self._moved or self._moved[uid][0] != beat:
            self._moved[uid] = (beat, now)
        still_for = now - self._moved[uid][1]
        state = "dead" if not held else "frozen" if still_for >= FROZEN_AFTER_S else "alive"
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
            beaten_at,
            still_for,
        )


def living(home: Path, clock: Monotonic) -> list[ObservedWorker]:
    """Return the owners whose process lives, frozen ones included."""
    return [seen for seen in Watch(home, clock).survey() if seen.state != "dead"]


def owners_folder(home: Path) -> Path:
    """Return where owners keep their lock files."""
    return home / "owners"


def _is_held(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(fd, fcntl.LOCK_UN)
    return False
