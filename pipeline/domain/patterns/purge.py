"""Remove superseded forms of patterns for good, once their retention is over.

The current form stays, and so does the first form of each state: with them the story of a pattern
says when it was confirmed, or retired, and by which numbers. Nothing refers to the others by id:
evidence, prompts and contexts keep the text itself.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Finisher, Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory import purge_rows as horizons
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.purge_rows import PurgeCounts
from afterword.pipeline.domain.patterns import purge_rows
from afterword.pipeline.settings import Settings

_BATCH: Final = 500
"""Forms of one transaction."""


def retention_of(settings: Settings) -> timedelta:
    """Return how long a superseded form of a pattern is kept."""
    return timedelta(days=settings.pattern_superseded_retention_days)


def purge_patterns(
    store: Store, now: datetime, retention: timedelta, *, finishing: Finisher | None = None
) -> int:
    """Remove the forms whose retention is over, and return how many; repeated, none.

    It works in short transactions. From then on, reads of moments at which the forms were current
    are refused, as after a purge of memories.

    Args:
        finishing: a job's lease, ended once nothing is left to remove.
    """
    before = to_micros(now - retention)
    with reading(store) as conn:
        ids = purge_rows.expired(conn, before)
    removed = 0
    for start in range(0, len(ids), _BATCH):
        with writing(store) as conn:
            removed += _purge_some(conn, ids[start : start + _BATCH], now)
    if finishing is not None:
        with writing(store, finishing=finishing):
            pass
    if removed:
        emit("pattern.purged", group=store.name, patterns=removed)
    return removed


def next_purge(conn: Connection, retention: timedelta) -> datetime | None:
    """Return when the first form may be removed; None while no form waits."""
    first = purge_rows.first_superseded(conn)
    return None if first is None else from_micros(first) + retention


def _purge_some(conn: Connection, ids: Sequence[int], now: datetime) -> int:
    ends = purge_rows.remove(conn, ids)
    if ends:
        horizons.keep(conn, PurgeCounts(0, len(ends)), max(ends), to_micros(now))
        touched = ChangedRow(0, detail={"rows": len(ends)})
        record(conn, now, "system", "pattern.purge", "role_patterns", [touched])
    return len(ends)
