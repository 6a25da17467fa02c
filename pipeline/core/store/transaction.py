"""Transactions: a short consistent read, a short write that can end a job, and many in one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import Any, Final, Protocol

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError, OperationalError

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import meaning
from afterword.pipeline.core.store.file import OpenTransaction, Store
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import ConflictError

_REFUSED: Final = (OperationalError, dbapi.OperationalError)
_BY_SQLITE: Final = (DBAPIError, dbapi.Error)


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
    if (joined := _joined(store)) is not None:
        yield from _read_in(joined, store)
        return
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
    if (joined := _joined(store)) is not None:
        yield from _write_in(joined, store, finishing)
        return
    store.enter()
    try:
        # The end of a job lets others pass: with many threads an urgent job would wait for all.
        with store.gate.held(patiently=finishing is not None), _translate_errors(store):
            started = monotonic()
            try:
                conn = store.writer()
                with conn.begin():
                    if store.chain is not None:
                        store.chain.start()
                    yield conn
                    if finishing is not None:
                        finishing.finish(conn)
                        emit("store.finishing")
                    if store.chain is not None:
                        store.chain.end(conn.connection.dbapi_connection)
                if store.chain is not None:
                    store.chain.ended()
            except Exception as error:
                # The error of a write that joined is translated already.
                if isinstance(error, _REFUSED) or isinstance(error.__cause__, _REFUSED):
                    store.renew_writer()
                raise
            if finishing is not None:
                emit("store.finished")
            emit("store.wrote", seconds=monotonic() - started)
    finally:
        store.leave()


@contextmanager
def one_transaction(store: Store, finishing: Finisher | None = None) -> Iterator[Connection]:
    """Make one transaction of many verbs: every `reading` and `writing` of this thread joins it.

    A verb that opens its own transactions then runs unchanged, without a commit of its own: it gets
    the connection of this transaction, so a read sees what was written before it. What a verb
    finishes (`writing(..., finishing=)`) ends where its write ends. Other threads see nothing until
    the commit at the end, and their writes wait for it.

    An error of a write in it rolls everything back, whoever catches it: the half of a write that
    failed cannot be taken back alone. Later reads and writes raise that error again, and so does
    the end if it was caught. An error of the caller inside a `reading` harms nothing.

    Args:
        finishing: as in `writing`; ended just before COMMIT.

    Raises:
        ConflictError: nested in another write of this thread, joined or not.
        UnavailableError: another writer, the disk or its space prevented it; nothing was written.
        CorruptStoreError: the file is damaged; nothing was written.
    """
    if _joined(store) is not None:
        raise ConflictError("a write transaction is already open in this thread")
    with writing(store, finishing) as conn:
        store.joined = joined = OpenTransaction(conn, get_ident())
        try:
            yield conn
        finally:
            store.joined = None
        if joined.error is not None:
            raise joined.error


def driver_cursor(conn: Connection) -> DBAPICursor:
    """Return a cursor of the driver inside the transaction, for statements that run often.

    SQLAlchemy takes 30 to 60 us to pass a statement on, as long as SQLite takes to run a short one.
    Errors are the driver's; `reading` and `writing` turn them into the same errors of ours.
    """
    return conn.connection.cursor()


def run_sql(
    conn: Connection, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()
) -> DBAPICursor:
    """Run a statement by the driver inside the transaction, and return its cursor.

    Args:
        values: of its `?` in order, or of its `:name` by name; see `driver_cursor`.
    """
    cursor = conn.connection.cursor()
    cursor.execute(statement, values)
    return cursor


def insert_row(conn: Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert a row by its columns, and return its rowid.

    Args:
        values: by names of columns, which the caller answers for.

    Raises:
        IntegrityError: of the driver; it does not fit the schema, or has no JSON where it must.
    """
    places = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})"
    try:
        return int(run_sql(conn, statement, tuple(values.values())).lastrowid or 0)
    except dbapi.OperationalError as error:
        # A check by `json_type` fails with it, where one by `json_valid` says no.
        if str(error) != "malformed JSON":
            raise
        raise dbapi.IntegrityError(str(error)) from None


def read_value(
    conn: Connection, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()
) -> Any:
    """Return the first column of the first row of a query; None where it has no row.

    Args:
        values: see `run_sql`.
    """
    row = run_sql(conn, statement, values).fetchone()
    return None if row is None else row[0]


def state_of(conn: Connection) -> tuple[object, int, int]:
    """Return a value that differs from an earlier one if a row was written in between.

    It costs some microseconds. What is rolled back counts as written, but not as taken back.
    """
    raw = conn.connection.dbapi_connection
    assert raw is not None  # it is open
    cursor = raw.cursor()
    cursor.execute("PRAGMA data_version")  # of other connections
    (version,) = cursor.fetchall()[0]
    return raw, version, raw.total_changes


def _joined(store: Store) -> OpenTransaction | None:
    """Return the transaction that this thread must join; None without one."""
    joined = store.joined
    return joined if joined is not None and joined.thread == get_ident() else None


def _read_in(joined: OpenTransaction, store: Store) -> Iterator[Connection]:
    if joined.error is not None:
        raise joined.error
    try:
        yield joined.conn
    except _BY_SQLITE as error:
        # SQLite may have rolled everything back: the next statement would commit by itself.
        joined.error = _translated(store, error)
        raise joined.error from error


def _write_in(
    joined: OpenTransaction, store: Store, finishing: Finisher | None
) -> Iterator[Connection]:
    if joined.error is not None:
        raise joined.error
    try:
        yield joined.conn
        if finishing is not None:
            finishing.finish(joined.conn)
            emit("store.finishing")
    except _BY_SQLITE as error:
        joined.error = _translated(store, error)
        raise joined.error from error
    except BaseException as error:
        joined.error = error
        raise


@contextmanager
def _translate_errors(store: Store) -> Iterator[None]:
    try:
        yield
    except _BY_SQLITE as error:
        raise _translated(store, error) from error


def _translated(store: Store, error: Exception) -> Exception:
    """Return our error for one of SQLite; the error itself if it is a fault of this program."""
    # SQLAlchemy wraps the driver's errors, but not of what it did not send itself.
    return meaning(store.path, error.orig if isinstance(error, DBAPIError) else error) or error
