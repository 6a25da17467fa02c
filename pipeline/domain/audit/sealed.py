"""A connection that may write one table: every other write is refused by SQLite itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store.driver import dbapi

_WRITES: Final = frozenset(
    getattr(dbapi, name)
    for name in (
        *("SQLITE_INSERT", "SQLITE_UPDATE", "SQLITE_DELETE", "SQLITE_CREATE_TABLE"),
        *("SQLITE_DROP_TABLE", "SQLITE_ALTER_TABLE", "SQLITE_CREATE_TRIGGER"),
        *("SQLITE_DROP_TRIGGER", "SQLITE_CREATE_INDEX", "SQLITE_DROP_INDEX", "SQLITE_ATTACH"),
    )
)
_ID_COUNTERS: Final = "sqlite_sequence"
"""SQLite's own table of the ids it gave."""


@contextmanager
def writing_only(conn: Connection, table: str) -> Iterator[None]:
    """Let a connection write one table until the block ends; reads go on.

    A statement that would write another table raises `DatabaseError` ("not authorized").
    """
    allowed = {table, _ID_COUNTERS}

    def authorize(action: int, name: str | None, *_rest: str | None) -> int:
        is_refused = action in _WRITES and name not in allowed
        return dbapi.SQLITE_DENY if is_refused else dbapi.SQLITE_OK  # type: ignore[no-any-return]

    raw = conn.connection.driver_connection
    assert raw is not None, "the connection is open"
    raw.set_authorizer(authorize)
    try:
        yield
    finally:
        raw.set_authorizer(None)
