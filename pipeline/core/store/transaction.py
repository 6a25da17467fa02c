"""Transactions: a short consistent read, and a short write that can end a job."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError, OperationalError

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import meaning
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.telemetry import emit


class Finisher(Protocol):
    """An object that ends together with a write, such as the lease of a job."""

    def finish(self, conn: Connection) -> None:
        """End within this transaction, or raise to roll it back."""


@contextmanager
def reading(store: Store) -> Iterator[Connection]:
    """Read one consistent moment of the store; keep it short, an open read stops WAL reuse.

    Raises:
        CorruptStoreError: the file is damaged.
        UnavailableError: the file cannot be read now.
    """
    store.enter()
    try:
        with _translate_errors(store), store.readers().connect() as conn, conn.begin():
            yield conn
    finally:
        store.leave()


@contextmanager
def writing(store: Store, finishing: Finisher | None = None) -> Iterator[Connection]:
    """Write in one immediate transaction; all of it is kept, or nothing.

    Args:
        finishing: ended just before COMMIT; if it cannot end (the lease was lost), its error rolls
            the whole transaction back.

    Raises:
        ConflictError: nested in another write of this thread.
        UnavailableError: another writer, the disk or its space prevented it; nothing was written.
        CorruptStoreError: the file is damaged; nothing was written.
    """
    store.enter()
    try:
        with store.gate.held(), _translate_errors(store):
            started = monotonic()
            try:
                conn = store.writer()
                with conn.begin():
                    yield conn
                    if finishing is not None:
                        finishing.finish(conn)
                        emit("store.finishing")
            except (OperationalError, dbapi.OperationalError):
                store.renew_writer()
                raise
            if finishing is not None:
                emit("store.finished")
            emit("store.wrote", seconds=monotonic() - started)
    finally:
        store.leave()


def driver_cursor(conn: Connection) -> DBAPICursor:
    """Return a cursor of the driver inside the transaction, for statements that run often.

    SQLAlchemy takes 30 to 60 us to pass a statement on, as long as SQLite takes to run a short one.
    Errors are the driver's; `reading` and `writing` turn them into the same errors of ours.
    """
    return conn.connection.cursor()


@contextmanager
def _translate_errors(store: Store) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise meaning(store.path, error.orig) or error from error
    except dbapi.Error as error:  # what refused to begin
        raise meaning(store.path, error) or error from error
