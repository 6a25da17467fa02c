"""One writer at a time, across threads and processes; the kernel wakes the next one in order."""

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import ConflictError, UnavailableError
from afterword.pipeline.posix import fcntl


class WriteGate:
    """The queue in front of one file's only writer.

    SQLite makes waiting writers poll with growing pauses. `flock` wakes the next one at once, and
    the kernel frees the lock of a killed process. The next writer holds the queue file while it
    waits: otherwise a busy writer would take the lock again before the woken one could run. Each
    wait has a limit, so a frozen holder blocks no writer for ever.

    Args:
        path: the lock file, created beside the store's file, as is `.queue`. Both are deleted only
            together with the file of a replay.
        timeout_s: longest wait before `UnavailableError`; seconds.
    """

    def __init__(self, path: Path, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._thread = threading.Lock()
        self._patient = threading.Lock()
        self._owner: int | None = None
        self._doors: _Doors | None = None
        self._turn: _Turn | None = None

    @contextmanager
    def held(self, *, patiently: bool = False) -> Iterator[None]:
        """Hold the gate for one short transaction.

        Args:
            patiently: wait behind the other threads of this process: at most one patient thread
                stands in their queue.

        Raises:
            ConflictError: this thread holds it already; a nested write would wait for itself.
            UnavailableError: another writer held it for longer than the time-out.
        """
        me = threading.get_ident()
        if self._owner == me:
            raise ConflictError("a write transaction is already open in this thread")
        started = monotonic()
        with (
            self._acquired(self._patient) if patiently else nullcontext(),
            self._acquired(self._thread),
        ):
            doors = self._opened()
            self._enter(doors)
            while os.fstat(doors.lock).st_nlink == 0:
                # It was deleted with its replay while this writer waited, or before: others meet at
                # the new one.
                self._shut()
                doors = self._opened()
                self._enter(doors)
            emit("store.waited", seconds=monotonic() - started)
            self._owner = me
            try:
                yield
            finally:
                self._owner = None
                fcntl.flock(doors.lock, fcntl.LOCK_UN)

    @contextmanager
    def _acquired(self, lock: threading.Lock) -> Iterator[None]:
        if not lock.acquire(timeout=self._timeout_s):
            raise self._too_long()
        try:
            yield
        finally:
            lock.release()

    def close(self) -> None:
        """Close the descriptors; the next `held` opens them again."""
        with self._thread:
            if self._turn is None:
                self._shut()

    def _shut(self) -> None:
        if self._doors is not None:
            os.close(self._doors.queue)
            os.close(self._doors.lock)
            self._doors = None

    def _opened(self) -> "_Doors":
        if self._doors is None:
            queue = open_lock(self._path.with_suffix(".queue"))
            try:
                self._doors = _Doors(queue, open_lock(self._path))
            except BaseException:
                os.close(queue)
                raise
        return self._doors

    def _enter(self, doors: "_Doors") -> None:
        if self._turn is not None and not self._turn.join():
            self._turn = None  # its lock was granted and released meanwhile
        if self._turn is None:
            if _pass(doors):
                return
            self._turn = _Turn(doors)
        # An abandoned wait goes on in the kernel: take it over.
        self._wait(self._turn)

    def _wait(self, turn: "_Turn") -> None:
        if not turn.granted.wait(self._timeout_s) and turn.give_up():
            raise self._too_long()
        self._turn = None

    def _too_long(self) -> UnavailableError:
        return UnavailableError(
            f"{self._path.name}: another writer held the store for {self._timeout_s:g} s; "
            "look for a stopped process with `afterword doctor`, then try again"
        )


class _Doors(NamedTuple):
    """Descriptors of the two files: the queue and the lock."""

    queue: int
    lock: int


def open_lock(path: Path) -> int:
    """Open a lock file, made if it is missing; never follow a link to another file.

    Raises:
        UnavailableError: it cannot be opened, or is not a plain file.
    """
    if path.is_symlink():
        raise UnavailableError(f"{path} is a symbolic link; remove it, a new lock is made")
    with answered(path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnavailableError(f"{path} is not a plain file; remove it, a new lock is made")
    return fd


def _pass(doors: _Doors) -> bool:
    """Take the lock if it is free and no writer waits for it."""
    try:
        fcntl.flock(doors.queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    try:
        fcntl.flock(doors.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        fcntl.flock(doors.queue, fcntl.LOCK_UN)
    return True


class _Turn:
    """A wait for a `flock` in its own thread, since the kernel offers no time-out for one.

    Each gate has at most one, however many writers gave up.
    """

    def __init__(self, doors: _Doors) -> None:
        self.granted = threading.Event()
        self._doors = doors
        self._wanted, self._over = True, False
        self._mutex = threading.Lock()
        threading.Thread(target=self._wait, name="write-gate", daemon=True).start()

    def join(self) -> bool:
        """Wait for this turn again; False if its lock was granted and released meanwhile."""
        with self._mutex:
            self._wanted = not self._over
            return self._wanted

    def give_up(self) -> bool:
        """Stop waiting; False if the lock was granted at the last moment."""
        with self._mutex:
            self._wanted = self.granted.is_set()
            return not self._wanted

    def _wait(self) -> None:
        fcntl.flock(self._doors.queue, fcntl.LOCK_EX)
        fcntl.flock(self._doors.lock, fcntl.LOCK_EX)
        fcntl.flock(self._doors.queue, fcntl.LOCK_UN)
        with self._mutex:
            self._over = True
            if self._wanted:
                self.granted.set()
            else:
                fcntl.flock(self._doors.lock, fcntl.LOCK_UN)
