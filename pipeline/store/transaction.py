"""The two ways into a store: a short read of one moment, and a short write that ends its job."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from pipeline.clock import monotonic
from pipeline.errors import CorruptStoreError, UnavailableError
from pipeline.store.file import Store
from pipeline.telemetry import tell


class Finisher(Protocol):
    """Something that ends together with a write, such as the lease of a job."""

    def finish(self, conn: Connection) -> None:
        """End within this transaction, or raise to roll all of it back."""


@contextmanager
def reading(store: Store) -> Iterator[Connection]:
    """Read one consistent moment of the store; keep it short, an open read stops WAL reuse.

    Raises:
        CorruptStoreError: the file is damaged.
        UnavailableError: the file cannot be read now.
    """
    store.enter()
    try:
        with _told(store), store.readers().connect() as conn, conn.begin():
            yield conn
    finally:
        store.leave()


@contextmanager
def writing(store: Store, finishing: Finisher | None = None) -> Iterator[Connection]:
    """Write in one immediate transaction; all of it is kept, or nothing.

    Args:
        finishing: ended just before COMMIT; if it no longer may end (the lease moved on), the
            whole transaction is rolled back with its error.

    Raises:
        ConflictError: nested in another write of this thread.
        UnavailableError: the writer, the disk or its space was not to be had; nothing was written.
        CorruptStoreError: the file is damaged; nothing was written.
    """
    store.enter()
    try:
        with store.gate.held(), _told(store):
            started = monotonic()
            conn = store.writer()
            with conn.begin():
                yield conn
                if finishing is not None:
                    finishing.finish(conn)
                    tell("store.finishing")
            if finishing is not None:
                tell("store.finished")
            tell("store.wrote", seconds=monotonic() - started)
    finally:
        store.leave()


@contextmanager
def _told(store: Store) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise translated(error, store) from error


def translated(error: DBAPIError, store: Store) -> Exception:
    """Return the error a user can act on for one of SQLite's."""
    text = str(error.orig)
    if "malformed" in text or "not a database" in text:
        return CorruptStoreError(
            f"{store.path} is damaged ({text}); stop all processes, run `afterword store check`, "
            "then `afterword store restore` from a backup"
        )
    for sign, remedy in _PASSING:
        if sign in text:
            tell("store.refused", reason=sign)
            return UnavailableError(f"{store.path}: {text}; {remedy}")
    return error


_PASSING: tuple[tuple[str, str], ...] = (
    ("locked", "another program holds the file; close it and try again"),
    ("busy", "another program holds the file; close it and try again"),
    ("full", "free some disk space and try again; nothing was written"),
    ("disk I/O", "check the disk and its free space, then try again; nothing was written"),
    ("readonly", "make the file and its folder writable and try again"),
    ("unable to open", "check that the folder exists and may be written"),
)
