"""Work that takes many transactions, and that one process at a time does for a file."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.gate import open_lock
from afterword.pipeline.errors import PostponedError
from afterword.pipeline.posix import fcntl

Wait = Callable[[float], object]
"""Waits some seconds."""

_LOOK_S: Final = 0.1
_LATER: Final = timedelta(seconds=5)


@contextmanager
def working_alone(
    store: Store, work: str, clock: Clock, wait: Wait | None = None
) -> Iterator[datetime | None]:
    """Hold a kind of work on a file; the kernel gives it back when the process dies.

    Args:
        work: its name, which ends the name of the lock file beside the store's.
        wait: for a person who waits for another process; without it there is no waiting.

    Yields:
        Since when the work was done that was waited for; None if nobody did it.

    Raises:
        PostponedError: another process does it, and this one does not wait.
        UnavailableError: the lock file cannot be opened.
    """
    lock = open_lock(store.path.with_name(f"{store.path.name}.{work}"))
    try:
        was_free = _take(lock)
        while not was_free and not _take(lock):
            if wait is None:
                problem = f"another process does the same work in {store.name}: {work}"
                raise PostponedError(problem, clock() + _LATER)
            wait(_LOOK_S)
        since = None if was_free else _read(lock)
        os.pwrite(lock, f"{to_micros(since or clock()):20}".encode(), 0)
        yield since
    finally:
        os.close(lock)


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(lock: int) -> datetime | None:
    text = os.pread(lock, 20, 0).strip()
    return from_micros(int(text)) if text.isdigit() else None
