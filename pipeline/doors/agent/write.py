"""The writes of a session: its count, the rows and what follows from them, or none of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.clock import Clock, iso
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.record import insert, prepare
from afterword.pipeline.domain.facts.record import check_facts, insert_facts
from afterword.pipeline.domain.memory.checks import check_memory
from afterword.pipeline.domain.memory.delete import delete_in
from afterword.pipeline.domain.memory.entries import insert_entry, new_entry
from afterword.pipeline.domain.memory.model import BEHAVIORAL, MemoryIds, NewMemory
from afterword.pipeline.domain.memory.user_profile import check_value, set_value
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent.model import RoleDecision, StoredMemory, decided
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.prompts.brief_block import Provenance

FACT: Final = "fact"
"""The category with a layer of its own: what is recorded there is consolidated later (R1)."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A session of a group, and what writing in it takes.

    Args:
        handle: the session's key.
        limits: how much may be written in one session.
        embedding_enabled: whether an embedder is configured.
    """

    store: Store
    handle: str
    clock: Clock
    ids: IdSource
    limits: Limits
    embedding_enabled: bool


def write(by: Writer, category: str, content: str, metadata: dict[str, Any]) -> StoredMemory:
    """Remember one thing the agent noticed; a fact goes to the fact layer.

    Args:
        metadata: kept as it is; a source or provenance claimed in it is not believed.

    Raises:
        NotFoundError: the handle was not issued in this group.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more stores.
    """
    new = NewMemory(category, content, metadata)
    check_memory(new, "agent")
    if category == FACT:
        check_facts([new])
    with writing(by.store) as conn:
        new = replace(new, session_id=spend(conn, by.handle, by.limits, stores=1))
        now = by.clock()
        embeds = by.embedding_enabled
        if category == FACT:
            (written,) = insert_facts(conn, [new], now, by.ids, embedding_enabled=embeds)
        else:
            written = insert_memory(conn, new, now, by.ids, actor="agent", embedding_enabled=embeds)
    return _stored(by, new, written, now)


def store_entry(
    by: Writer, type: str, content: str, tags: Sequence[str], supersedes: str | None
) -> StoredMemory:
    """Remember a typed entry, in the place of another one if that is named.

    Raises:
        NotFoundError: the handle was not issued in this group, or there is no such entry.
        InvalidInputError: the session has ended, or an argument is wrong.
        ConflictError: the entry to supersede was superseded before.
        BudgetExceededError: the session has no more stores, or supersedes.
    """
    new = new_entry(type, content, tags, actor="agent")
    with writing(by.store) as conn:
        replaced = int(supersedes is not None)
        session = spend(conn, by.handle, by.limits, stores=1, supersedes=replaced)
        new, now = replace(new, session_id=session), by.clock()
        written = insert_entry(
            conn,
            new,
            now,
            by.ids,
            supersedes=supersedes,
            actor="agent",
            embedding_enabled=by.embedding_enabled,
        )
    return _stored(by, new, written, now, supersedes)


def delete_entry(by: Writer, uid: str) -> None:
    """Delete an entry, softly: its owner can restore it.

    Raises:
        NotFoundError: the handle was not issued in this group, or there is no such entry.
        InvalidInputError: the session has ended, or the memory is not the agent's to delete.
        BudgetExceededError: the session has no more deletes.
    """
    with writing(by.store) as conn:
        session = spend(conn, by.handle, by.limits, deletes=1)
        delete_in(conn, uid, by.clock(), actor="agent", session_id=session)


def record_decision(by: Writer, registry: RoleRegistry, new: NewDecision) -> RoleDecision:
    """Record a decision of a role; it counts as a store, unless its key recorded it before.

    Raises:
        NotFoundError: the handle was not issued in this group, or no skill declares the role.
        InvalidInputError: the session has ended, an argument is wrong, or the key names another
            decision.
        BudgetExceededError: the session has no more stores.
    """
    checked = replace(prepare(registry, new), uid=by.ids())
    with writing(by.store) as conn:
        row = replace(checked, session_id=spend(conn, by.handle, by.limits))
        embeds = by.embedding_enabled
        (done,) = insert(conn, registry, [row], by.clock(), actor="agent", embedding_enabled=embeds)
        if done.is_new:
            spend(conn, by.handle, by.limits, stores=1)
        return decided(find_decision(conn, done.id), by.store.name, is_new=done.is_new)


def set_profile(by: Writer, key: str, value: str) -> None:
    """Set a value of the profile; it counts as a store.

    Raises:
        NotFoundError: the handle was not issued in this group.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more stores.
    """
    check_value(key, value)
    with writing(by.store) as conn:
        session = spend(conn, by.handle, by.limits, stores=1)
        set_value(conn, key, value, by.clock(), actor="agent", session_id=session)


def _stored(
    by: Writer, new: NewMemory, written: MemoryIds, now: datetime, supersedes: str | None = None
) -> StoredMemory:
    provenance = Provenance(new.session_id, by.store.name, new.origin, iso(now))
    return StoredMemory(
        written.uid, new.category, new.category in BEHAVIORAL, supersedes, provenance
    )
