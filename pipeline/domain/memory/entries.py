"""Typed entries (R4): short notes of five types, each of which a newer one may replace."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.checks import check_memory, check_word
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.memory.model import (
    TYPES,
    Actor,
    Memory,
    NewMemory,
    WrittenMemory,
)
from afterword.pipeline.domain.memory.same_words import join_same_words
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError


def new_entry(
    type: str,
    content: str,
    tags: Sequence[str] = (),
    *,
    actor: Actor,
) -> NewMemory:
    """Return a checked entry; its origin follows from who writes it, not from the caller.

    Args:
        type: one of `TYPES`; it is the category too.
        content: up to 2,000 characters.
        tags: up to 10 of up to 50 characters.

    Raises:
        InvalidInputError: the entry may not be written.
    """
    check_word(type, TYPES, "type")
    origin = "owner" if actor == "owner" else "agent"
    new = NewMemory(type, content, origin=origin, type=type, tags=tags)
    check_memory(new, actor)
    return new


def store_entry(by: Writer, new: NewMemory, *, supersedes: str | None = None) -> WrittenMemory:
    """Write an entry, which may supersede another one.

    Args:
        supersedes: uid of a visible entry.

    Raises:
        InvalidInputError: the entry may not be written, or may not supersede that one.
        NotFoundError: there is no entry to supersede.
        ConflictError: it was superseded before.
    """
    with writing(by.store) as conn:
        return insert_entry(conn, by, new, by.clock(), supersedes=supersedes)


def insert_entry(
    conn: Connection, by: Writer, new: NewMemory, now: datetime, *, supersedes: str | None
) -> WrittenMemory:
    """Write an entry in a transaction the caller has open; an error must roll it back.

    Args:
        supersedes: uid of a visible entry.

    Raises:
        InvalidInputError: the entry may not be written, or may not supersede that one.
        NotFoundError: there is no entry to supersede.
        ConflictError: it was superseded before.
    """
    old = None if supersedes is None else _find_superseded(conn, supersedes, by.actor)
    written = insert_memory(conn, by, new, now)
    if old is not None:
        supersede(conn, by, old.id, written.id, now)
    same = join_same_words(conn, by, [written.id], now).get(written.id)
    return WrittenMemory(written.id, written.uid, same, families(conn, "memories", written.id))


def is_supersedable(memory: Memory, actor: Actor) -> bool:
    """Say whether an actor may supersede a memory by an entry.

    Entries supersede entries only, and only the owner supersedes the owner's own words.
    """
    return memory.type is not None and (actor == "owner" or not memory.is_said_by_owner)


def _find_superseded(conn: Connection, uid: str, actor: Actor) -> Memory:
    entry = rows.find(conn, uid)
    if entry is None or entry.deleted_at is not None:
        raise NotFoundError("the entry to supersede does not exist, or is deleted")
    if not is_supersedable(entry, actor):
        if entry.type is None:
            problem = f"names a {entry.category} that is not a typed entry"
        else:
            problem = f"names a {entry.category} the owner said; only the owner may replace it"
        raise InvalidInputError(
            "supersedes", problem, "the uid of an entry; an agent: of an agent's"
        )
    if entry.superseded_at is not None:
        raise ConflictError(f"entry {entry.uid} was superseded before; supersede what replaced it")
    return entry
