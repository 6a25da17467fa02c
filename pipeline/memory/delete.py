"""Take a memory out of every read, and put it back within thirty days."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pipeline.clock import Clock, to_micros
from pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from pipeline.jobs.add import add
from pipeline.memory import rows
from pipeline.memory.audit_log import Touched, record
from pipeline.memory.kinds import EMBED_MEMORIES, EXTRACT_EDGES
from pipeline.memory.model import Actor, Memory
from pipeline.store import Store, writing

RETENTION: Final = timedelta(days=30)
"""How long a deleted memory can be restored (R1, FIN_PROFILE_MEMORY_SOFT_DELETE_RETENTION_DAYS)."""


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
        found = _find(conn, memory)
        if found.deleted_at is not None:
            raise NotFoundError(f"memory {memory!a} is deleted already")
        if not is_deletable(found, actor):
            problem = f"is {found.category} of source {found.source}, kept from the {actor}"
            accepted = "a typed entry, or by its owner a personalization typed by hand"
            raise InvalidInputError("memory", problem, accepted)
        now = clock()
        rows.delete(conn, found.id, to_micros(now))
        _audit(conn, now, actor, "memory.delete", found, session_id)


def restore_memory(
    store: Store,
    memory: str | int,
    clock: Clock,
    *,
    actor: Actor = "owner",
    session_id: str | None = None,
    embedding_enabled: bool = False,
) -> None:
    """Put a deleted memory back.

    Raises:
        NotFoundError: there is no such memory, or its thirty days are over.
        ConflictError: it is not deleted.
    """
    with writing(store) as conn:
        found, now = _find(conn, memory), clock()
        if found.deleted_at is None:
            raise ConflictError(f"memory {memory!a} is not deleted; there is nothing to restore")
        if now - found.deleted_at > RETENTION:
            raise NotFoundError(
                f"memory {memory!a} was deleted more than {RETENTION.days} days ago; write it again"
            )
        rows.restore(conn, found.id, to_micros(now))
        _audit(conn, now, actor, "memory.restore", found, session_id)
        _add_jobs(conn, found, now, embedding_enabled)


def is_deletable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may delete a memory.

    What the store derived or observed stays (R1 lets the owner change hand-written
    personalization only); typed entries are the agent's own notes and the owner's (R4), but what
    the owner said is not the agent's to delete.
    """
    if actor == "owner":
        by_hand = memory.category == "personalization" and memory.source == "user_manual"
        return by_hand or memory.type is not None
    return memory.type is not None and memory.origin != "owner"


def _find(conn: Connection, memory: str | int) -> Memory:
    found = rows.find(conn, memory)
    if found is None:
        raise NotFoundError(f"memory {memory!a} does not exist")
    return found


def _audit(
    conn: Connection,
    now: datetime,
    actor: Actor,
    tool_call: str,
    memory: Memory,
    session_id: str | None,
) -> None:
    detail = {"uid": memory.uid, "category": memory.category}
    record(conn, now, actor, tool_call, "memories", [Touched(memory.id, session_id, detail)])


def _add_jobs(conn: Connection, memory: Memory, now: datetime, embedding_enabled: bool) -> None:
    """Add again what the jobs of a deleted row skipped; done twice, it changes nothing."""
    payload = {"memory_id": memory.id}
    add(conn, EXTRACT_EDGES, payload, now)
    if embedding_enabled:
        add(conn, EMBED_MEMORIES, payload, now)
