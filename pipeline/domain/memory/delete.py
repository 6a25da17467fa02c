"""Delete a memory, so that no read of the present sees it, and restore it within its retention."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES, EXTRACT_EDGES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.memory.model import Actor, Memory
from afterword.pipeline.domain.memory.parents import mark_stale
from afterword.pipeline.domain.memory.same_words import join_same_words
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError

RETENTION: Final = timedelta(days=30)
"""How long a deleted memory can be restored (R1), where no setting says otherwise."""


def delete_memory(by: Writer, memory: str | int) -> None:
    """Delete a memory, softly.

    Args:
        memory: its uid, or its id inside the store.

    Raises:
        NotFoundError: there is no such memory, or it is deleted already.
        InvalidInputError: a memory this actor may not delete; see `is_deletable`.
    """
    with writing(by.store) as conn:
        delete_in(conn, by, memory, by.clock())


def delete_in(conn: Connection, by: Writer, memory: str | int, now: datetime) -> None:
    """Delete a memory, softly, in a transaction the caller has open.

    Raises:
        NotFoundError: there is no such memory, or it is deleted already.
        InvalidInputError: a memory this actor may not delete; see `is_deletable`.
    """
    row = _find(conn, memory)
    if row.deleted_at is not None:
        raise NotFoundError(f"memory {short_repr(memory)} is deleted already")
    if not is_deletable(row, by.actor):
        raise _refusal(row, by.actor)
    retire(conn, by, row.id, now, _named(row))


def restore_memory(by: Writer, memory: str | int, *, retention: timedelta = RETENTION) -> None:
    """Put a deleted memory back.

    Args:
        retention: how long after its deletion a memory can be restored.

    Raises:
        NotFoundError: there is no such memory, or its time to be restored is over.
        ConflictError: it is not deleted.
    """
    with writing(by.store) as conn:
        restored, now = _find(conn, memory), by.clock()
        if restored.deleted_at is None:
            raise ConflictError(
                f"memory {short_repr(memory)} is not deleted; there is nothing to restore"
            )
        if now - restored.deleted_at > retention:
            days = f"{retention.days} days"
            raise NotFoundError(
                f"memory {short_repr(memory)} was deleted more than {days} ago; write it again"
            )
        rows.restore(conn, restored.id, to_micros(now))
        touched = ChangedRow(restored.id, by.session, _named(restored))
        record(conn, now, by.actor, "memory.restore", "memories", [touched])
        _add_jobs(conn, by, restored, now)
        join_same_words(conn, by, [restored.id], now)


def retire(
    conn: Connection, by: Writer, memory_id: int, now: datetime, detail: Mapping[str, str]
) -> None:
    """Delete a visible memory whoever wrote it, in a transaction the caller has open.

    Rows derived from it go stale.

    Args:
        detail: what the audit line says about it; no remembered text.
    """
    rows.delete(conn, memory_id, to_micros(now))
    mark_stale(conn, [memory_id], to_micros(now))
    touched = ChangedRow(memory_id, by.session, detail)
    record(conn, now, by.actor, "memory.delete", "memories", [touched])


def is_deletable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may delete a memory.

    Derived and observed memories stay: R1 lets the owner change hand-written personalization only.
    Typed entries are notes of the agent and the owner (R4), but an agent may not delete the
    owner's own words.
    """
    if actor == "owner":
        by_hand = memory.category == "personalization" and memory.source == "user_manual"
        return by_hand or memory.type is not None
    return memory.type is not None and not memory.is_said_by_owner


def _refusal(memory: Memory, actor: Actor) -> InvalidInputError:
    """Return why a memory may not be deleted, and what to do instead."""
    if actor == "owner":
        problem = f"was observed or derived ({memory.category}), and stays"
        accepted = (
            "a typed entry, or a personalization you wrote by hand; "
            f"`afterword forget --memory {memory.id}` erases this one for good"
        )
    elif memory.is_said_by_owner:
        problem = f"was said by the owner ({memory.category}); only the owner may delete it"
        accepted = "a typed entry that an agent wrote"
    else:
        problem = f"is not a typed entry ({memory.category}), and stays"
        accepted = "a typed entry that an agent wrote"
    return InvalidInputError("memory", problem, accepted)


def _find(conn: Connection, memory: str | int) -> Memory:
    row = rows.find(conn, memory)
    if row is None:
        raise NotFoundError(f"memory {short_repr(memory)} does not exist")
    return row


def _named(memory: Memory) -> dict[str, str]:
    return {"uid": memory.uid, "category": memory.category}


def _add_jobs(conn: Connection, by: Writer, memory: Memory, now: datetime) -> None:
    """Add the jobs again that skipped the row while it was deleted."""
    payload = {"memory_id": memory.id}
    add(conn, EXTRACT_EDGES, payload, now)
    if by.embeds:
        add(conn, EMBED_MEMORIES, payload, now)
