"""Leave no old bytes behind: in the word index, in freed pages, in statistics, in the log."""

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
"""Longest wait for readers to let go of the log; seconds."""

_PAUSE_S: Final = 0.2  # between two tries, with the gate open: writers go on meanwhile


def scrub(store: Store) -> None:
    """Rewrite the file so that nothing of a deleted row is in it.

    Other writers wait meanwhile, about a second for 100 MB; readers go on. It takes as much memory
    and as much disk as the file is large.

    Raises:
        UnavailableError: the disk is full, or another program holds the file.
    """
    with writing(store) as conn:
        for index in conn.exec_driver_sql(FTS_TABLES).scalars().all():
            # One segment, written anew: a deletion alone leaves its words in the old ones.
            conn.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    with store.gate.held(), answered(store.path), closing(_raw(store)) as raw:
        if raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'").fetchone():
            raw.execute("ANALYZE")  # its samples are keys of rows
        raw.execute("VACUUM")
    emit("forget.scrubbed", group=store.name)


@contextmanager
def empty_log(store: Store, clock: Monotonic = monotonic) -> Iterator[None]:
    """Empty the write-ahead log and keep writers out while the caller looks at the bytes.

    Raises:
        UnavailableError: a reader held it for longer than `READERS_S`; nothing is lost, the
            erased rows are in no read, but their old bytes may still be in the log.
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
                f"{store.path.name}: what was asked is erased, but a process has been reading for "
                f"{READERS_S:.0f} s and keeps its old bytes in the log; restart the workers and "
                "agents of this group, then run the same command again"
            )
        time.sleep(_PAUSE_S)


def _raw(store: Store) -> Any:
    conn = connect(store.path, store.options)
    conn.execute("PRAGMA secure_delete = ON")
    return conn
