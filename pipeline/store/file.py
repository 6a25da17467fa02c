"""One SQLite file: its pragmas, its one writing connection, its readers."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool, StaticPool

from pipeline.clock import Monotonic, monotonic
from pipeline.settings import Settings
from pipeline.store.driver import dbapi
from pipeline.store.gate import WriteGate


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a file is opened.

    Args:
        synchronous: FULL, a commit that returned survives a power cut; NORMAL, the last commits
            before a power cut may be missing (never torn, and a killed process loses none).
        busy_timeout_s: longest wait for another writer; seconds.
        mmap_bytes: how much of the file reads may map; 0 turns it off.
        journal_limit_bytes: size the write-ahead log is cut back to after a checkpoint.
    """

    synchronous: str = "FULL"
    busy_timeout_s: float = 10.0
    mmap_bytes: int = 256 * 1024 * 1024
    journal_limit_bytes: int = 16 * 1024 * 1024


def options_of(settings: Settings) -> StoreOptions:
    """Return how the settings want files opened."""
    return StoreOptions(
        synchronous=settings.synchronous,
        busy_timeout_s=settings.busy_timeout_s,
        mmap_bytes=settings.mmap_mb * 1024 * 1024,
    )


class Store:
    """One file, opened when first used and again after `close`.

    `reading` and `writing` (pipeline.store.transaction) are the ways in. The object outlives its
    handles: a shelf may close an idle store at any time, and the next use opens it again.
    """

    def __init__(self, path: Path, options: StoreOptions, clock: Monotonic = monotonic) -> None:
        self.path = path
        self.options = options
        self.gate = WriteGate(path.with_name(path.name + ".lock"), options.busy_timeout_s)
        self._clock = clock
        self._opening = threading.Lock()
        self._readers: Engine | None = None
        self._writer: Connection | None = None
        self._users = 0
        self.used_at = clock()

    @property
    def name(self) -> str:
        """The group's name, or `instance`."""
        return self.path.stem

    def enter(self) -> None:
        """Count a user in, so that the handles stay open meanwhile."""
        with self._opening:
            self._users += 1
            self.used_at = self._clock()

    def leave(self) -> None:
        """Count a user out."""
        with self._opening:
            self._users -= 1

    def readers(self) -> Engine:
        """Return the engine whose transactions only read."""
        with self._opening:
            if self._readers is None:
                self._readers = _engine(self.path, self.options, "BEGIN", QueuePool)
            return self._readers

    def writer(self) -> Connection:
        """Return the one connection that writes; only inside the gate."""
        with self._opening:
            if self._writer is None:
                engine = _engine(self.path, self.options, "BEGIN IMMEDIATE", StaticPool)
                self._writer = engine.connect()
            return self._writer

    def close(self) -> bool:
        """Give all handles back unless somebody is using them; True if they are closed."""
        with self._opening:
            if self._users:
                return False
            if self._writer is not None:
                self._writer.close()
                self._writer.engine.dispose()
                self._writer = None
            if self._readers is not None:
                self._readers.dispose()
                self._readers = None
        self.gate.close()
        return True


def connect(path: Path, options: StoreOptions) -> Any:
    """Return a raw autocommit DB-API connection with this store's pragmas, for `PRAGMA`s."""
    conn = dbapi.connect(
        str(path), timeout=options.busy_timeout_s, isolation_level=None, check_same_thread=False
    )
    _set_pragmas(conn, options)
    return conn


def _engine(path: Path, options: StoreOptions, begin: str, pool: Any) -> Engine:
    sizes = {"pool_size": 8, "max_overflow": 56} if pool is QueuePool else {}
    engine = create_engine(
        f"sqlite+pysqlite:///{path}",
        module=dbapi,
        poolclass=pool,
        connect_args={"timeout": options.busy_timeout_s, "check_same_thread": False},
        **sizes,
    )

    @event.listens_for(engine, "connect")
    def prepare(dbapi_connection: Any, _record: Any) -> None:
        # The driver must not begin on its own: it would begin deferred, and a read that turns into
        # a write then fails at once whatever the time-out.
        dbapi_connection.isolation_level = None
        _set_pragmas(dbapi_connection, options)

    @event.listens_for(engine, "begin")
    def start(conn: Connection) -> None:
        # By the driver: every read and every write begins, and SQLAlchemy takes ten times as long.
        conn.connection.cursor().execute(begin)

    return engine


def _set_pragmas(conn: Any, options: StoreOptions) -> None:
    cursor = conn.cursor()
    for pragma in (
        "journal_mode=WAL",
        f"synchronous={options.synchronous}",
        "foreign_keys=ON",
        f"busy_timeout={int(options.busy_timeout_s * 1000)}",
        f"mmap_size={options.mmap_bytes}",
        f"journal_size_limit={options.journal_limit_bytes}",
        "recursive_triggers=ON",  # REPLACE must fire delete triggers, or FTS keeps deleted text
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
