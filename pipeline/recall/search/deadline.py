"""Wait for an answer only so long, and let the database stop working on a late one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.clock import Monotonic

T = TypeVar("T")

_STEPS: Final = 1_000
"""Steps of SQLite's machine between two looks at the clock: some tens of microseconds."""


def answer_within(seconds: float, ask: Callable[[], T]) -> T:
    """Return the answer of a call, or give it up: neither a lock nor a disk holds the caller.

    The call runs in a thread, and runs on where it was given up; let it end by itself.

    Raises:
        TimeoutError: no answer in time.
        Exception: what the call raised.
    """
    answers: SimpleQueue[tuple[T | None, Exception | None]] = SimpleQueue()

    def work() -> None:
        try:
            answers.put((ask(), None))
        except Exception as error:
            answers.put((None, error))

    threading.Thread(target=work, name="answer-within", daemon=True).start()
    try:
        found, error = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return found  # type: ignore[return-value]  # None only where the answer is


@contextmanager
def interrupted(conn: Connection, deadline: float, monotonic: Monotonic) -> Iterator[None]:
    """Let what is asked meanwhile fail once the deadline has passed.

    Args:
        deadline: on the scale of `monotonic`; seconds.

    Raises:
        sqlalchemy.exc.OperationalError: a query was interrupted.
    """
    raw: Any = conn.connection.driver_connection
    raw.set_progress_handler(lambda: monotonic() > deadline, _STEPS)
    try:
        yield
    finally:
        raw.set_progress_handler(None, 0)  # the connection goes back to others
