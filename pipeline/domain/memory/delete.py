"""Take a memory out of every read, and put it back while its retention lasts."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES, EXTRACT_EDGES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import shown
from afterword.pipeline.domain.memory.model import Actor, Memory
from afterword.pipeline.domain.memory.parents import mark_stale
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError

RETENTION: Final = timedelta(days=30)
"""How long a deleted memory can be restored (R1), where no setting says otherwise."""


def delete_memory(
    store: Store,
    memory: str | int,
    clock: Clock,
    *,
    actor: Actor = "agent",
    session_id: str | None = None,
) -> None:
    """Delete a memory, softly.

    Args:
        memory: its uid, or its id inside the store.
        actor: which door this is.

    Raises:
        NotFoundError: there is no such memory, or it is deleted already.
        InvalidInputError: a memory this actor may not delete; see `is_deletable`.
    """
    with writing(store) as conn:
        delete_in(conn, memory, clock(), actor=actor, session_id=session_id)


def delete_in(
    conn: Connection,
    memory: str | int,
    now: datetime,
    *,
    actor: Actor,
    session_id: str | None = None,
) -> Memory:
    """Delete a memory, softly, in a transaction the caller has open; return it as it was.

    Raises:
        NotFoundError: there is no such memory, or it is deleted already.
        InvalidInputError: a memory this actor may not delete; see `is_deletable`.
    """
    found = _find(conn, memory)
    if found.deleted_at is not None:
        raise NotFoundError(f"memory {shown(memory)} is deleted already")
    if not is_deletable(found, actor):
        raise _kept(found, actor)
    retire(conn, found.id, now, _named(found), actor=actor, session_id=session_id)
    return found


def restore_memory(
    store: Store,
    memory: str | int,
    clock: Clock,
    *,
    actor: Actor = "owner",
    session_id: str | None = None,
    embedding_enabled: bool = False,
    retention: timedelta = RETENTION,
) -> None:
    """Put a deleted memory back.

    Raises:
        NotFoundError: there is no such memory, or its time to be restored is over.
        ConflictError: it is not deleted.
    """
    with writing(store) as conn:
        found, now = _find(conn, memory), clock()
        if found.deleted_at is None:
            raise ConflictError(
                f"memory {shown(memory)} is not deleted; there is nothing to restore"
            )
        if now - found.deleted_at > retention:
            days = f"{retention.days} days"
            raise NotFoundError(
                f"memory {shown(memory)} was deleted more than {days} ago; write it again"
            )
        rows.restore(conn, found.id, to_micros(now))
        touched = ChangedRow(found.id, session_id, _named(found))
        record(conn, now, actor, "memory.restore", "memories", [touched])
        _add_jobs(conn, found, now, embedding_enabled)


def retire(
    conn: Connection,
    memory_id: int,
    now: datetime,
    detail: Mapping[str, str],
    *,
    actor: Actor = "system",
    session_id: str | None = None,
) -> None:
    """Take a living memory out of every read, in a transaction the caller has open.

    What was derived from it goes stale.

    Args:
        detail: what the audit line says about it; no remembered text.
    """
    rows.delete(conn, memory_id, to_micros(now))
    mark_stale(conn, [memory_id], to_micros(now))
    record(
        conn, now, actor, "memory.delete", "memories", [ChangedRow(memory_id, session_id, detail)]
    )


def is_deletable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may delete a memory.

    What the store derived or observed stays (R1 lets the owner change hand-written
    personalization only); typed entries are the agent's own notes and the owner's (R4), but what
    the owner said is not the agent's to delete.
    """
    if actor == "owner":
        by_hand = memory.category == "personalization" and memory.source == "user_manual"
        return by_hand or memory.type is not None
    return memory.type is not None and not memory.is_said_by_owner


def _kept(memory: Memory, actor: Actor) -> InvalidInputError:
    """Return why a memory stays, and what its reader can do instead."""
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
        problem = f"is no typed entry ({memory.category}), and stays"
        accepted = "a typed entry that an agent wrote"
    return InvalidInputError("memory", problem, accepted)


def _find(conn: Connection, memory: str | int) -> Memory:
    found = rows.find(conn, memory)
    if found is None:
        raise NotFoundError(f"memory {shown(memory)} does not exist")
    return found


def _named(memory: Memory) -> dict[str, str]:
    return {"uid": memory.uid, "category": memory.category}


def _add_jobs(conn: Connection, memory: Memory, now: datetime, embedding_enabled: bool) -> None:
    """Add again what the jobs of a deleted row skipped; done twice, it changes nothing."""
    payload = {"memory_id": memory.id}
    add(conn, EXTRACT_EDGES, payload, now)
    if embedding_enabled:
        add(conn, EMBED_MEMORIES, payload, now)
