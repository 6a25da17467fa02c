"""Time limits: give up on a slow call, and interrupt a slow database query."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.clock import Monotonic

_T = TypeVar("_T")

_STEPS: Final = 1_000
"""Virtual-machine steps of SQLite between two checks of the clock: tens of microseconds."""


def answer_within(seconds: float, ask: Callable[[], _T]) -> _T:
    """Return the answer of a call, or give up: no lock and no disk can block the caller.

    The call runs in a thread of its own, and runs on after it was given up.

    Raises:
        TimeoutError: no answer in time.
        Exception: what the call raised.
    """
    answers: SimpleQueue[tuple[_T | None, Exception | None]] = SimpleQueue()

    def work() -> None:
        try:
            answers.put((ask(), None))
        except Exception as error:
            answers.put((None, error))

    threading.Thread(target=work, name="answer-within", daemon=True).start()
    try:
        answer, error = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return answer  # type: ignore[return-value]  # None only where the answer is


@contextmanager
def interrupted(conn: Connection, deadline: float, monotonic: Monotonic) -> Iterator[None]:
    """Interrupt every query inside the block once the deadline has passed.

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
        raw.set_progress_handler(None, 0)  # the pool hands the connection to others
