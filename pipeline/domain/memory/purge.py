"""Remove deleted and superseded memories for good, once their retention is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Finisher, Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory import purge_rows
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.delete import RETENTION
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.memory.purge_rows import Bounds, PurgeCounts
from afterword.pipeline.settings import Settings

_BATCH: Final = 100
"""Rows of one transaction: it occupies the only writer for about ten milliseconds."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a row is kept after it was deleted (R1) or superseded (R4)."""

    deleted: timedelta = RETENTION
    superseded: timedelta = timedelta(days=90)


def retention_of(settings: Settings) -> Retention:
    """Return the retention the settings name."""
    return Retention(
        timedelta(days=settings.memory_deleted_retention_days),
        timedelta(days=settings.memory_superseded_retention_days),
    )


def purge_expired(
    store: Store,
    now: datetime,
    retention: Retention,
    *,
    actor: Actor = "system",
    finishing: Finisher | None = None,
) -> PurgeCounts:
    """Remove deleted and superseded memories whose retention is over; facts stay.

    It works in short transactions, each with its own line in `memory_purges`, so a crash between
    them loses nothing: from then on, reads of moments at which the rows were visible are refused.

    Args:
        finishing: a job's lease, ended once nothing is left to remove.

    Returns:
        How many rows were removed, of either sort; repeated, none.
    """
    total, bounds = PurgeCounts(0, 0), _bounds(now, retention)
    with reading(store) as conn:
        ids = purge_rows.expired_ids(conn, bounds)
    for start in range(0, len(ids), _BATCH):
        with writing(store) as conn:
            total += _purge_some(conn, ids[start : start + _BATCH], bounds, now, actor)
    if finishing is not None:
        with writing(store, finishing=finishing):
            pass
    if total.rows:
        emit(
            "memory.purged",
            group=store.name,
            deleted=total.deleted,
            superseded=total.superseded,
        )
    return total


def expired(store: Store, now: datetime, retention: Retention) -> PurgeCounts:
    """Return how many rows a purge would remove now, of either sort."""
    with reading(store) as conn:
        return purge_rows.count(conn, _bounds(now, retention))


def next_purge(conn: Connection, retention: Retention) -> datetime | None:
    """Return when the first row of a group may be removed; None while no row waits."""
    deleted_at, superseded_at = purge_rows.first_hidden(conn)
    ends = [
        from_micros(hidden_at) + span
        for hidden_at, span in (
            (deleted_at, retention.deleted),
            (superseded_at, retention.superseded),
        )
        if hidden_at is not None
    ]
    return min(ends, default=None)


def _purge_some(
    conn: Connection, ids: Sequence[int], bounds: Bounds, now: datetime, actor: Actor
) -> PurgeCounts:
    removed, horizon = purge_rows.remove(conn, ids, bounds)
    if removed.rows:
        purge_id = purge_rows.keep(conn, removed, horizon, to_micros(now))
        detail = {"deleted": removed.deleted, "superseded": removed.superseded}
        record(
            conn, now, actor, "memory.purge", "memory_purges", [ChangedRow(purge_id, None, detail)]
        )
    return removed


def _bounds(now: datetime, retention: Retention) -> Bounds:
    return Bounds(to_micros(now - retention.deleted), to_micros(now - retention.superseded))
