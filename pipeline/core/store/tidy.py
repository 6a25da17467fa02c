"""Keep a file fast and its write-ahead log short; safe at any time and repeatable."""

from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.core.telemetry import emit


def tidy(store: Store) -> bool:
    """Refresh the planner's statistics and try to empty the write-ahead log.

    Returns:
        Whether the log is empty now; False while a reader still needs it.
    """
    conn = connect(store.path, store.options)
    try:
        conn.execute("PRAGMA optimize")
        busy, _pages, _moved = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        conn.close()
    emit("store.tidied", store=store.name, emptied=not busy)
    return not busy
