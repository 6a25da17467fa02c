"""Remove old bytes from the word index, free pages, statistics and the write-ahead log."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Final

from afterword.pipeline.clock import Monotonic, monotonic
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.store.check import FTS_TABLES
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import UnavailableError

READERS_S: Final = 60.0
"""Longest wait for readers that keep the log open; seconds."""

_PAUSE_S: Final = 0.2  # between two tries; writers may write meanwhile


def scrub(store: Store) -> None:
    """Rewrite the file so that it has no bytes of deleted rows.

    Other writers wait for about a second per 100 MB; readers continue. It needs as much memory and
    as much disk space as the size of the file.

    Raises:
        UnavailableError: the disk is full, or another program locks the file.
    """
    with writing(store) as conn:
        for index in conn.exec_driver_sql(FTS_TABLES).scalars().all():
            # One new segment: after a deletion the old segments still contain the words.
            conn.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    with store.gate.held(), answered(store.path), closing(_raw(store)) as raw:
        if raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'").fetchone():
            raw.execute("ANALYZE")  # its samples contain keys of rows
        raw.execute("VACUUM")
    emit("forget.scrubbed", store=store.name)


@contextmanager
def empty_log(store: Store, clock: Monotonic = monotonic) -> Iterator[None]:
    """Empty the write-ahead log, and block writers while the caller searches the bytes.

    Raises:
        UnavailableError: a reader kept the log open for longer than `READERS_S`. The rows are
            erased, but their old bytes may still be in the log.
    """
    until = clock() + READERS_S
    while True:
        with store.gate.held(), answered(store.path), closing(_raw(store)) as raw:
            raw.execute("PRAGMA busy_timeout = 500")
            if not raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                yield
                return
        if clock() >= until:
            raise UnavailableError(
                f"{store.path.name}: the rows are erased, but a process has been reading for "
                f"{READERS_S:.0f} s and keeps their old bytes in the log; {_who(store)}, then run "
                "the same command again"
            )
        time.sleep(_PAUSE_S)


def _who(store: Store) -> str:
    if store.options.is_replicated:
        return "stop Litestream, which always reads it"
    return "restart the workers and agents of this group"


def _raw(store: Store) -> Any:
    conn = connect(store.path, store.options)
    conn.execute("PRAGMA secure_delete = ON")
    return conn
