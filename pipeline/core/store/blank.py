"""What a new file begins as: made once in a process, and copied into each file.

Running all migrations takes some hundred milliseconds and a commit for each; a copy takes two.
"""

from functools import cache
from threading import Lock
from typing import Any

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate

_one_at_a_time = Lock()


def fill_blank(conn: Any, kind: str) -> None:
    """Give an empty file all tables of its kind (raw autocommit connection), in one commit."""
    with _one_at_a_time:
        _blank(kind).backup(conn)


@cache
def _blank(kind: str) -> Any:
    conn = dbapi.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(conn, kind)
    return conn
