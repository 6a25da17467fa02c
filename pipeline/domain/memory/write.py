"""Write memories: their rows, full-text index, audit lines and jobs, in one transaction."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many, check_backlog
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory import rows
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES, EXTRACT_EDGES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import CHECKS, check_layer, check_memory
from afterword.pipeline.domain.memory.flags import families_of, flag
from afterword.pipeline.domain.memory.json_object import known_text, masked_text, object_text
from afterword.pipeline.domain.memory.model import (
    BEHAVIORAL,
    Actor,
    MemoryIds,
    NewMemory,
    WrittenMemory,
)
from afterword.pipeline.domain.memory.parents import derive
from afterword.pipeline.domain.memory.rows import NewMemoryRow
from afterword.pipeline.domain.memory.same_words import join_same_words
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.grams import grams

MAX_BULK: Final = 100_000
"""Most rows of one bulk write: it keeps other writers waiting for about four seconds."""


def write_memory(by: Writer, new: NewMemory) -> MemoryIds:
    """Write one memory, and the jobs that extract its edges and embed it.

    A fact is refused unless it is a typed entry: `record` of the room `facts` writes facts, each
    with the row that consolidation needs.

    Raises:
        InvalidInputError: the memory may not be written; nothing was.
        UnavailableError: the store cannot be written now.
    """
    return write_prepared(by, [_row(by, new)])[0]


def write_memories(by: Writer, news: Sequence[NewMemory], *, max_ready: int = 0) -> list[MemoryIds]:
    """Write many memories in one transaction: all of them, or none.

    Args:
        news: up to `MAX_BULK`.
        max_ready: ready jobs of one kind beyond which the call is refused; 0 means no bound.

    Returns:
        The ids of the new rows, in the order of `news`.

    Raises:
        InvalidInputError: a row may not be written (the error names its index); nothing was.
        UnavailableError: the backlog is full, or the store cannot be written now.
    """
    if len(news) > MAX_BULK:
        raise InvalidInputError("memories", f"{len(news)} at once", f"{MAX_BULK} in one call")
    return write_prepared(by, _rows(by, news), max_ready=max_ready)


def prepare(
    new: NewMemory,
    uid: str,
    actor: Actor,
    at: str = "",
    *,
    as_fact: bool = False,
    is_known: bool = False,
) -> NewMemoryRow:
    """Return a memory as it will be stored: checked, its secrets masked, its words scanned.

    Args:
        uid: the public name of the new memory.
        actor: who writes; only the owner may speak for the owner.
        at: the memory's position in a list, such as `memories[3].`; prefix of field names.
        as_fact: whether the room `facts` writes it; see `check_memory`.
        is_known: whether the program made all of it out of values without secrets; then it is
            neither checked nor searched for them or for orders, which takes most of the
            time of a write.

    Raises:
        InvalidInputError: a field is wrong; the error names the first one.
    """
    if is_known:
        content, tags = new.content, list(new.tags)
        metadata = known_text(new.metadata)
        flags: tuple[str, ...] = ()
    else:
        check_memory(new, actor, at, as_fact=as_fact)
        # Masked before anything is stored: no secret reaches the file, its log, the index or a job.
        content, tags = mask(new.content), [mask(tag) for tag in new.tags]
        metadata = masked_text(new.metadata, f"{at}metadata")
        flags = families_of(content, *tags, metadata if new.metadata else "")
    return NewMemoryRow(
        uid=uid,
        category=new.category,
        content=content,
        metadata=metadata,
        source=new.source,
        origin=new.origin,
        type=new.type,
        behavioral=new.category in BEHAVIORAL,
        tags=json.dumps(tags, ensure_ascii=False) if tags else "[]",
        session_id=new.session_id and mask(new.session_id),
        scenario_id=new.scenario_id and mask(new.scenario_id),
        occurred_at=None if new.occurred_at is None else to_micros(new.occurred_at),
        grams=grams(content),
        parents=tuple(new.parents),
        flags=flags,
    )


def memory_problems(new: NewMemory, actor: Actor, at: str = "") -> list[InvalidInputError]:
    """Return an error for each wrong field of a memory that `prepare` refused; its arguments."""
    problems = []
    for check in (*CHECKS, _check_layer, _check_metadata):
        try:
            check(new, actor, at)
        except InvalidInputError as problem:
            problems.append(problem)
    return problems


def write_prepared(
    by: Writer, prepared: Sequence[NewMemoryRow], *, max_ready: int = 0
) -> list[MemoryIds]:
    """Write the rows that `prepare` returned, in one transaction.

    For callers that check before they open a store; arguments and errors as in `write_memories`.
    """
    with writing(by.store) as conn:
        return insert_prepared(conn, by, prepared, by.clock(), max_ready)


def insert_prepared(
    conn: Connection,
    by: Writer,
    prepared: Sequence[NewMemoryRow],
    now: datetime,
    max_ready: int = 0,
) -> list[MemoryIds]:
    """Write rows as `write_prepared` does, in a transaction that the caller has opened."""
    for kind in _kinds(by):
        check_backlog(conn, kind, max_ready)
    written = _insert(conn, by, prepared, now)
    rules = [ids.id for ids, row in zip(written, prepared, strict=True) if row.behavioral]
    if rules:
        join_same_words(conn, by, rules, now)
    return written


def insert_restored(
    conn: Connection, by: Writer, prepared: Sequence[NewMemoryRow], now: datetime
) -> list[MemoryIds]:
    """Write rows as they were before: which of the same rules stands was decided then."""
    return _insert(conn, by, prepared, now)


def write_one(by: Writer, prepared: NewMemoryRow) -> WrittenMemory:
    """Write a row that `prepare` returned, and say if its words stood before.

    Raises:
        UnavailableError: the store cannot be written now.
    """
    with writing(by.store) as conn:
        now = by.clock()
        (written,) = _insert(conn, by, [prepared], now)
        same = join_same_words(conn, by, [written.id], now) if prepared.behavioral else {}
    return WrittenMemory(written.id, written.uid, same.get(written.id), prepared.flags)


def insert_memory(conn: Connection, by: Writer, new: NewMemory, now: datetime) -> MemoryIds:
    """Write one memory as `write_memory` does, in a transaction that the caller has opened.

    Raises:
        InvalidInputError: the memory may not be written; roll the transaction back.
    """
    return _insert(conn, by, [_row(by, new)], now)[0]


def insert_memories(
    conn: Connection,
    by: Writer,
    news: Sequence[NewMemory],
    now: datetime,
    *,
    as_facts: bool = False,
    are_known: bool = False,
    are_audited: bool = True,
) -> list[MemoryIds]:
    """Write many memories as `write_memories` does, in a transaction that the caller has opened.

    Args:
        as_facts: whether the caller writes the fact row of each in the same transaction.
        are_known: whether the program made them out of values without secrets; see `prepare`.
        are_audited: whether the audit log tells of them; what rebuilds derive it does not (R3).

    Raises:
        InvalidInputError: a row may not be written (the error names its index); roll the
            transaction back.
    """
    return _insert(conn, by, _rows(by, news, as_facts, are_known), now, are_audited)


def _check_layer(new: NewMemory, _actor: Actor, at: str) -> None:
    check_layer(new, at)


def _check_metadata(new: NewMemory, _actor: Actor, at: str) -> None:
    object_text(new.metadata, f"{at}metadata")


def _rows(
    by: Writer, news: Sequence[NewMemory], as_facts: bool = False, are_known: bool = False
) -> list[NewMemoryRow]:
    return [
        _row(by, new, f"memories[{index}].", as_facts, are_known) for index, new in enumerate(news)
    ]


def _row(
    by: Writer, new: NewMemory, at: str = "", as_fact: bool = False, is_known: bool = False
) -> NewMemoryRow:
    row = prepare(new, by.ids(), by.actor, at, as_fact=as_fact, is_known=is_known)
    return row if by.session is None else row._replace(session_id=by.session)


def _insert(
    conn: Connection,
    by: Writer,
    prepared: Sequence[NewMemoryRow],
    now: datetime,
    are_audited: bool = True,
) -> list[MemoryIds]:
    ids = rows.insert(conn, prepared, to_micros(now))
    derived = {ids[row.uid]: row.parents for row in prepared if row.parents}
    if derived:
        derive(conn, derived, to_micros(now))
    touched = [
        ChangedRow(ids[row.uid], row.session_id, {"uid": row.uid, "category": row.category})
        for row in prepared
    ]
    if are_audited:
        record(conn, now, by.actor, "memory.write", "memories", touched)
    flagged = {ids[row.uid]: row.flags for row in prepared if row.flags}
    flag(conn, "memories", flagged, now)
    for kind in _kinds(by):
        wanted = (row.id for row in touched if kind is not EMBED_MEMORIES or row.id not in flagged)
        add_many(conn, kind, [{"memory_id": row_id} for row_id in wanted], now)
    return [MemoryIds(ids[row.uid], row.uid) for row in prepared]


def _kinds(by: Writer) -> tuple[Kind, ...]:
    return (EXTRACT_EDGES, EMBED_MEMORIES) if by.embeds else (EXTRACT_EDGES,)
