"""Typed entries (R4): short notes of five types, each of which a newer one may replace."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.checks import check_memory, check_word
from afterword.pipeline.domain.memory.model import TYPES, Actor, Memory, MemoryIds, NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource


def new_entry(
    type: str,
    content: str,
    tags: Sequence[str] = (),
    *,
    actor: Actor,
    session_id: str | None = None,
) -> NewMemory:
    """Return a checked entry; where it came from is said by who writes it, not by the caller.

    Args:
        type: one of `TYPES`; it is the category too.
        content: up to 2,000 characters.
        tags: up to 10 of up to 50 characters.
        session_id: the uid of the session it is written in.

    Raises:
        InvalidInputError: the entry may not be written.
    """
    check_word(type, TYPES, "type")
    origin = "owner" if actor == "owner" else "agent"
    new = NewMemory(type, content, origin=origin, type=type, tags=tags, session_id=session_id)
    check_memory(new, actor)
    return new


def store_entry(
    store: Store,
    new: NewMemory,
    clock: Clock,
    ids: IdSource,
    *,
    supersedes: str | None = None,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
) -> MemoryIds:
    """Remember an entry, in the place of another one if that is named.

    Raises:
        InvalidInputError: the entry may not be written, or not in that one's place.
        NotFoundError: there is no entry to supersede.
        ConflictError: it was superseded before.
    """
    with writing(store) as conn:
        return insert_entry(
            conn,
            new,
            clock(),
            ids,
            supersedes=supersedes,
            actor=actor,
            embedding_enabled=embedding_enabled,
        )


def insert_entry(
    conn: Connection,
    new: NewMemory,
    now: datetime,
    ids: IdSource,
    *,
    supersedes: str | None,
    actor: Actor,
    embedding_enabled: bool = False,
) -> MemoryIds:
    """Remember an entry in a transaction the caller has open; what it raises must roll back.

    Args:
        supersedes: uid of a living entry.

    Raises:
        InvalidInputError: the entry may not be written, or not in that one's place.
        NotFoundError: there is no entry to supersede.
        ConflictError: it was superseded before.
    """
    old = None if supersedes is None else _superseded(conn, supersedes, actor)
    written = insert_memory(conn, new, now, ids, actor=actor, embedding_enabled=embedding_enabled)
    if old is not None:
        supersede(conn, old.id, written.id, now, actor=actor, session_id=new.session_id)
    return written


def is_supersedable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may put an entry in a memory's place.

    Only entries are replaced by entries, and what the owner said is replaced by the owner alone.
    """
    return memory.type is not None and (actor == "owner" or not memory.is_said_by_owner)


def _superseded(conn: Connection, uid: str, actor: Actor) -> Memory:
    found = rows.find(conn, uid)
    if found is None or found.deleted_at is not None:
        raise NotFoundError("the entry to supersede does not exist, or is deleted")
    if not is_supersedable(found, actor):
        if found.type is None:
            problem = f"names a {found.category} that is no typed entry"
        else:
            problem = f"names a {found.category} the owner said; only the owner may replace it"
        raise InvalidInputError(
            "supersedes", problem, "the uid of an entry; an agent: of an agent's"
        )
    if found.superseded_at is not None:
        raise ConflictError(f"entry {found.uid} was superseded before; supersede what replaced it")
    return found
