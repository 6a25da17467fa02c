"""One SQLite file: its one writing connection, its reading connections, its gate."""

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool, StaticPool
from sqlalchemy.util import LRUCache

from afterword.pipeline.clock import Monotonic, monotonic
from afterword.pipeline.core.store.chain.watch import ChainWatch
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.names import address_of_replay
from afterword.pipeline.core.store.opening import OneRead, StoreOptions, connect, connect_to_read

STATEMENTS_KEPT: Final = 1_000
"""Compiled statements a process keeps (count); there are some five hundred."""


@dataclass(slots=True)
class OpenTransaction:
    """A write transaction that every read and write of its thread joins (`one_transaction`).

    Args:
        thread: the identifier of its thread.
        error: why it must not be committed; the first error of a write in it.
    """

    conn: Connection
    thread: int
    error: BaseException | None = None


class Store:
    """One file, opened at its first use and again after `close`.

    Use `reading` and `writing` (in `transaction`). An idle store may be closed at any time; the
    next use opens it again.

    Args:
        chain: adds a block to the chain of the file for each write; None of a file without one.
    """

    def __init__(
        self,
        path: Path,
        options: StoreOptions,
        clock: Monotonic = monotonic,
        *,
        is_replay: bool = False,
        chain: ChainWatch | None = None,
    ) -> None:
        self.path = path
        self.chain = chain
        self.is_replay = is_replay
        self.options = options
        self.gate = WriteGate(path.with_name(path.name + ".lock"), options.busy_timeout_s)
        self._clock = clock
        self._opening = threading.Lock()
        self._readers: Engine | None = None
        self._writer: Connection | None = None
        self._users = 0
        self.joined: OpenTransaction | None = None
        self.used_at = clock()

    @property
    def name(self) -> str:
        """The name of the group or the replay, or `instance`."""
        return self.path.stem

    @property
    def address(self) -> str:
        """What messages and the budget call the file: a group's name, or `replay:NAME`."""
        return address_of_replay(self.name) if self.is_replay else self.name

    def enter(self) -> None:
        """Count a user, so that the handles stay open."""
        with self._opening:
            self._users += 1
            self.used_at = self._clock()

    def leave(self) -> None:
        """End the use that `enter` counted."""
        with self._opening:
            self._users -= 1

    def readers(self) -> Engine:
        """Return the engine for transactions that only read."""
        with self._opening:
            if self._readers is None:
                self._readers = _engine(self.path, self.options, "BEGIN", QueuePool)
            return self._readers

    def writer(self) -> Connection:
        """Return the one connection that writes; only inside the gate."""
        with self._opening:
            if self._writer is None:
                engine = _engine(self.path, self.options, "BEGIN IMMEDIATE", StaticPool)
                writer = engine.connect()
                if self.chain is not None:
                    try:
                        self.chain.begin(writer.connection.dbapi_connection)
                    except BaseException:
                        writer.close()
                        engine.dispose()
                        raise
                self._writer = writer
            return self._writer

    def renew_writer(self) -> None:
        """Close the writing connection after an error; the next write opens it again.

        One that was opened while the disk was read-only would stay so.
        """
        with self._opening:
            self._close_writer()

    def close(self) -> bool:
        """Close all handles unless they are in use; True if they are closed."""
        with self._opening:
            if self._users:
                return False
            self._close_writer()
            if self._readers is not None:
                self._readers.dispose()
                self._readers = None
        self.gate.close()
        return True

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer.engine.dispose()
            self._writer = None


def bare_engine(connection: Any) -> Engine:
    """Return an engine on one raw connection; the caller closes the connection."""
    dialect, compiled = _dialect()
    return Engine(
        StaticPool(lambda: connection, dialect=dialect, reset_on_return=None),
        dialect,
        make_url("sqlite+pysqlite://"),
        execution_options={"compiled_cache": compiled},
        hide_parameters=True,  # an error would repeat the text of a memory
    )


@cache
def _dialect() -> tuple[Dialect, LRUCache[Any, Any]]:
    """Return what the engines of all files share: the dialect and the compiled statements.

    An engine made by `create_engine` has its own of both and compiles every statement again, which
    is half of the time of a first read of a file.
    """
    engine = create_engine("sqlite+pysqlite://", module=dbapi, hide_parameters=True)
    engine.connect().close()  # the dialect asks its server what it can do, once
    engine.dispose()
    return engine.dialect, LRUCache(STATEMENTS_KEPT)


def _engine(path: Path, options: StoreOptions, begin: str, pool: Any) -> Engine:
    open_file = connect_to_read if pool is QueuePool else connect
    dialect, compiled = _dialect()
    sizes = {"pool_size": 8, "max_overflow": 56} if pool is QueuePool else {}
    engine = Engine(
        pool(lambda: open_file(path, options), dialect=dialect, **sizes),
        dialect,
        make_url("sqlite+pysqlite://"),
        execution_options={"compiled_cache": compiled},
        hide_parameters=True,  # an error would repeat the text of a memory
    )

    @event.listens_for(engine, "begin")
    def start(conn: Connection) -> None:
        # By the driver: every read and every write begins, and SQLAlchemy takes ten times as long.
        conn.connection.cursor().execute(begin)

    @event.listens_for(engine, "checkin")
    def give_back(connection: Any, record: ConnectionPoolEntry) -> None:
        # Kept open, it would lock all others out or not notice that the disk is writable again.
        if isinstance(connection, OneRead):
            record.invalidate()

    return engine
