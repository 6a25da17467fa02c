"""Keep a file fast and its write-ahead log short; safe at any time and repeatable."""

from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.core.telemetry import emit


def tidy(store: Store) -> bool:
    """Refresh the planner's statistics and try to empty the write-ahead log.

    The log of a replicated file is left to the program that copies it.

    Returns:
        Whether the log is empty now; False while a reader still needs it.
    """
    conn = connect(store.path, store.options)
    try:
        conn.execute("PRAGMA optimize")
        how = "NOOP" if store.options.is_replicated else "TRUNCATE"
        busy, pages, _moved = conn.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
    finally:
        conn.close()
    emptied = not busy and not (store.options.is_replicated and pages)
    emit("store.tidied", store=store.name, emptied=emptied)
    return emptied
