"""Remember: the row, its words in the index, its audit line and its jobs, or none of them."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many, check_backlog
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES, EXTRACT_EDGES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_memory
from afterword.pipeline.domain.memory.json_object import masked_text
from afterword.pipeline.domain.memory.model import BEHAVIORAL, Actor, MemoryIds, NewMemory
from afterword.pipeline.domain.memory.parents import derive
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.grams import grams

MAX_BULK: Final = 100_000
"""Rows of one bulk write: they hold the only writer for about four seconds."""


def write_memory(
    store: Store,
    new: NewMemory,
    clock: Clock,
    ids: IdSource,
    *,
    actor: Actor = "agent",
    embedding_enabled: bool = False,
) -> MemoryIds:
    """Remember one thing; what follows from it is done by the jobs written with it.

    Args:
        clock: read once the write has its turn, so that rows become known in their order.
        actor: which door this is; only the owner's may speak for the owner.
        embedding_enabled: whether an embedder is configured; without one no job is added.

    Raises:
        InvalidInputError: the memory may not be written; nothing was.
        UnavailableError: the store cannot be written now.
    """
    row = prepare(new, ids(), actor)
    return write_prepared(store, [row], clock, actor=actor, embedding_enabled=embedding_enabled)[0]


def write_memories(
    store: Store,
    news: Sequence[NewMemory],
    clock: Clock,
    ids: IdSource,
    *,
    actor: Actor = "agent",
    embedding_enabled: bool = False,
    max_ready: int = 0,
) -> list[MemoryIds]:
    """Remember many things in one transaction: all of them, or none.

    Args:
        news: up to `MAX_BULK`.
        max_ready: ready jobs of one kind beyond which the call is refused; 0 means no bound.

    Returns:
        The rows' names, in the order given.

    Raises:
        InvalidInputError: a row may not be written (its index is named); nothing was.
        UnavailableError: the backlog is full, or the store cannot be written now.
    """
    if len(news) > MAX_BULK:
        raise InvalidInputError("memories", f"{len(news)} at once", f"{MAX_BULK} in one call")
    prepared = _rows(news, ids, actor)
    return write_prepared(
        store,
        prepared,
        clock,
        actor=actor,
        embedding_enabled=embedding_enabled,
        max_ready=max_ready,
    )


def prepare(new: NewMemory, uid: str, actor: Actor, at: str = "") -> rows.NewMemoryRow:
    """Return a memory as it will be kept: checked, and its secrets masked.

    Args:
        uid: the memory's name.
        actor: who writes; only the owner speaks for the owner.
        at: where the memory stands in a list, such as `memories[3].`; prefix of field names.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    check_memory(new, actor, at)
    # Before anything is kept: no secret reaches the file, its log, the index or a job.
    content, tags = mask(new.content), [mask(tag) for tag in new.tags]
    return rows.NewMemoryRow(
        uid=uid,
        category=new.category,
        content=content,
        metadata=masked_text(new.metadata, f"{at}metadata"),
        source=new.source,
        origin=new.origin,
        type=new.type,
        behavioral=new.category in BEHAVIORAL,
        tags=json.dumps(tags, ensure_ascii=False) if tags else "[]",
        session_id=new.session_id,
        scenario_id=new.scenario_id,
        occurred_at=None if new.occurred_at is None else to_micros(new.occurred_at),
        grams=grams(content),
        parents=tuple(new.parents),
    )


def write_prepared(
    store: Store,
    prepared: Sequence[rows.NewMemoryRow],
    clock: Clock,
    *,
    actor: Actor,
    embedding_enabled: bool = False,
    max_ready: int = 0,
) -> list[MemoryIds]:
    """Remember what `prepare` made, in one transaction; for who checks before a store is opened.

    Args and errors are those of `write_memories`.
    """
    with writing(store) as conn:
        for kind in _kinds(embedding_enabled):
            check_backlog(conn, kind, max_ready)
        return _insert(conn, prepared, clock(), actor, embedding_enabled)


def insert_memory(
    conn: Connection,
    new: NewMemory,
    now: datetime,
    ids: IdSource,
    *,
    actor: Actor,
    embedding_enabled: bool = False,
) -> MemoryIds:
    """Remember one thing in a transaction the caller has open, with all that belongs to it.

    Raises:
        InvalidInputError: the memory may not be written; let it roll back.
    """
    return _insert(conn, [prepare(new, ids(), actor)], now, actor, embedding_enabled)[0]


def insert_memories(
    conn: Connection,
    news: Sequence[NewMemory],
    now: datetime,
    ids: IdSource,
    *,
    actor: Actor = "system",
    embedding_enabled: bool = False,
) -> list[MemoryIds]:
    """Remember many things in a transaction the caller has open, with all that belongs to them.

    Raises:
        InvalidInputError: a row may not be written (its index is named); let it roll back.
    """
    return _insert(conn, _rows(news, ids, actor), now, actor, embedding_enabled)


def _rows(news: Sequence[NewMemory], ids: IdSource, actor: Actor) -> list[rows.NewMemoryRow]:
    return [prepare(new, ids(), actor, f"memories[{index}].") for index, new in enumerate(news)]


def _insert(
    conn: Connection,
    prepared: Sequence[rows.NewMemoryRow],
    now: datetime,
    actor: Actor,
    embedding_enabled: bool,
) -> list[MemoryIds]:
    ids = rows.insert(conn, prepared, to_micros(now))
    derived = {ids[row.uid]: row.parents for row in prepared if row.parents}
    if derived:
        derive(conn, derived, to_micros(now))
    touched = [
        ChangedRow(ids[row.uid], row.session_id, {"uid": row.uid, "category": row.category})
        for row in prepared
    ]
    record(conn, now, actor, "memory.write", "memories", touched)
    payloads = [{"memory_id": row.id} for row in touched]
    for kind in _kinds(embedding_enabled):
        add_many(conn, kind, payloads, now)
    return [MemoryIds(ids[row.uid], row.uid) for row in prepared]


def _kinds(embedding_enabled: bool) -> tuple[Kind, ...]:
    return (EXTRACT_EDGES, EMBED_MEMORIES) if embedding_enabled else (EXTRACT_EDGES,)
