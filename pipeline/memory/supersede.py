"""Replace what is no longer so; the old row stays, with the moment it was replaced."""

from datetime import datetime

from sqlalchemy import Connection

from pipeline.clock import to_micros
from pipeline.errors import ConflictError, NotFoundError
from pipeline.memory import rows
from pipeline.memory.audit_log import Touched, record
from pipeline.memory.model import Actor


def supersede(
    conn: Connection,
    old_id: int,
    new_id: int,
    now: datetime,
    *,
    actor: Actor = "system",
    session_id: str | None = None,
) -> None:
    """Let a memory take another's place; repeated, it changes nothing.

    Args:
        old_id: the row that is no longer so.
        new_id: the row that is; another one, alive.

    Raises:
        NotFoundError: one of the rows does not exist, or no longer does.
        ConflictError: the old row was replaced by another one, or the new one was itself.
    """
    if rows.supersede(conn, old_id, new_id, to_micros(now)):
        touched = Touched(old_id, session_id, {"superseded_by": new_id})
        record(conn, now, actor, "memory.supersede", "memories", [touched])
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
