"""Supersede a memory by another one, or undo that; the old row stays.

Whatever was derived from a superseded row goes stale with it.
"""

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.memory.parents import mark_stale
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, NotFoundError

_REPLACE = text("""
UPDATE memories SET superseded_by = pair.value ->> 1, superseded_at = :now
FROM json_each(:pairs) AS pair JOIN memories AS successor ON successor.id = pair.value ->> 1
WHERE memories.id = pair.value ->> 0 AND memories.id <> successor.id
  AND memories.deleted_at IS NULL AND memories.superseded_at IS NULL
  AND successor.deleted_at IS NULL AND successor.superseded_at IS NULL
""")
_WITH_CHILDREN = text("""
SELECT value ->> 0, value ->> 1 FROM json_each(:pairs)
WHERE value ->> 0 IN (SELECT parent_id FROM memory_parents)
""")
# A read as of the time in between still does not see the row, or sees it superseded.
_REMEMBER_ABSENCE = text("""
INSERT INTO memory_absences (memory_id, gone_at, back_at, cause)
SELECT id, superseded_at, :now, 'superseded' FROM memories
WHERE id = :id AND superseded_by = :successor AND deleted_at IS NULL
""")
_BRING_BACK = text("""
UPDATE memories SET superseded_by = NULL, superseded_at = NULL WHERE id = :id
""")


def supersede(conn: Connection, by: Writer, old_id: int, new_id: int, now: datetime) -> None:
    """Supersede a memory by another one; repeated, it changes nothing.

    Args:
        old_id: the row that no longer holds.
        new_id: the row that replaces it; another one, visible.

    Raises:
        NotFoundError: one of the rows does not exist, or no longer does.
        ConflictError: the old row was replaced by another one, or the new one was itself.
    """
    if _replace(conn, [(old_id, new_id)], now, by.actor, by.session):
        return
    old, new = rows.find(conn, old_id), rows.find(conn, new_id)
    if old is not None and old.superseded_by == new_id:
        return
    for row_id, row in ((old_id, old), (new_id, new)):
        if row is None or row.deleted_at is not None:
            raise NotFoundError(f"memory {row_id} cannot be superseded or supersede: it is gone")
    raise ConflictError(
        f"memory {old_id} cannot be superseded by {new_id}: one of them was superseded before; "
        "read both again"
    )


def supersede_many(conn: Connection, pairs: Sequence[tuple[int, int]], now: datetime) -> None:
    """Supersede many memories, as the system.

    Args:
        pairs: (old id, new id), all of them visible; no row is the old one twice.

    Raises:
        ConflictError: one of the rows is no longer visible; let the transaction roll back.
    """
    if not _replace(conn, pairs, now, "system"):
        raise ConflictError(
            f"one of {len(pairs)} memories to be superseded, or its successor, no longer stands; "
            "read them again"
        )


def bring_back(
    conn: Connection, memory_id: int, successor_id: int, now: datetime, *, actor: Actor = "owner"
) -> None:
    """Make a superseded memory visible again beside its successor; reads of the past stay equal.

    Rows that went stale with it stay stale: deriving them again writes new rows.

    Raises:
        ConflictError: the memory is deleted, or not superseded by that one.
    """
    values = {"id": memory_id, "successor": successor_id, "now": to_micros(now)}
    if conn.execute(_REMEMBER_ABSENCE, values).rowcount != 1:
        raise ConflictError(
            f"memory {memory_id} is deleted, or not superseded by {successor_id} any more"
        )
    conn.execute(_BRING_BACK, {"id": memory_id})
    touched = [ChangedRow(memory_id, detail={"no_longer_superseded_by": successor_id})]
    record(conn, now, actor, "memory.bring_back", "memories", touched)


def _replace(
    conn: Connection,
    pairs: Sequence[tuple[int, int]],
    now: datetime,
    actor: Actor,
    session_id: str | None = None,
) -> bool:
    """Supersede and mark stale; False if a row of a pair is deleted or superseded."""
    at = to_micros(now)
    values = {"pairs": json.dumps(pairs)}
    if conn.execute(_REPLACE, values | {"now": at}).rowcount != len(pairs):
        return False
    for old_id, new_id in conn.execute(_WITH_CHILDREN, values).all():
        mark_stale(conn, [old_id], at, successor=new_id)
    touched = [
        ChangedRow(old_id, session_id, {"superseded_by": new_id}) for old_id, new_id in pairs
    ]
    record(conn, now, actor, "memory.supersede", "memories", touched)
    return True
