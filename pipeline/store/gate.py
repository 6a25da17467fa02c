"""One writer at a time, across threads and processes, woken by the kernel in turn."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.clock import monotonic
from pipeline.errors import ConflictError, UnavailableError
from pipeline.telemetry import tell


@contextmanager
def answered(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses about a store's files into what a user can act on.

    Raises:
        UnavailableError: read-only, full, out of inodes or descriptors, or not allowed.
    """
    try:
        yield
    except OSError as error:
        raise UnavailableError(
            f"{path}: {error.strerror}; its folder must be writable, with free space, inodes and "
            "open files left; mend that and try again"
        ) from error


class WriteGate:
    """The queue in front of one file's only writer.

    SQLite makes waiting writers poll with growing pauses; `flock` wakes the next one at once, and a
    killed holder frees it. The wait is bounded, so that a frozen holder stops nobody for ever.

    Args:
        path: the lock file, created beside the store's file and never deleted.
        timeout_s: longest wait before `UnavailableError`; seconds.
    """

    def __init__(self, path: Path, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._thread = threading.Lock()
        self._owner: int | None = None
        self._fd: int | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the gate for one short transaction.

        Raises:
            ConflictError: this thread holds it already; a nested write would wait for itself.
            UnavailableError: another writer held it for longer than the time-out.
        """
        me = threading.get_ident()
        if self._owner == me:
            raise ConflictError("a write transaction is already open in this thread")
        started = monotonic()
        if not self._thread.acquire(timeout=self._timeout_s):
            raise self._too_long()
        try:
            fd = self._descriptor()
            self._lock_file(fd)
            tell("store.waited", seconds=monotonic() - started)
            self._owner = me
            try:
                yield
            finally:
                self._owner = None
                fcntl.flock(fd, fcntl.LOCK_UN)
        finally:
            self._thread.release()

    def close(self) -> None:
        """Give the lock file's descriptor back; the next `held` opens it again."""
        with self._thread:
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def _descriptor(self) -> int:
        if self._fd is None:
            with answered(self._path):
                self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._fd

    def _lock_file(self, fd: int) -> None:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait_in_turn(fd)

    def _wait_in_turn(self, fd: int) -> None:
        """Let a thread wait in the kernel, which knows no time-out, and bound our wait for it."""
        turn = _Turn(fd)
        threading.Thread(target=turn.wait, name="write-gate", daemon=True).start()
        if not turn.granted.wait(self._timeout_s) and turn.give_up():
            # The thread still waits on this descriptor: leave it to it, and open a new one.
            self._fd = None
            raise self._too_long()

    def _too_long(self) -> UnavailableError:
        return UnavailableError(
            f"{self._path.name}: another writer held the store for {self._timeout_s:g} s; "
            "look for a stopped process with `afterword doctor`, then try again"
        )


class _Turn:
    """One bounded wait for a `flock`."""

    def __init__(self, fd: int) -> None:
        self.granted = threading.Event()
        self._fd = fd
        self._given_up = False
        self._mutex = threading.Lock()

    def wait(self) -> None:
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._mutex:
            if self._given_up:
                os.close(self._fd)  # nobody waits any more; closing frees the lock
            else:
                self.granted.set()

    def give_up(self) -> bool:
        """Stop waiting; False if the lock came at the last moment."""
        with self._mutex:
            if self.granted.is_set():
                return False
            self._given_up = True
            return True
