"""Deleting takes a memory out of every read; restoring puts it back for thirty days."""

from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.delete import delete_memory, is_deletable, restore_memory
from afterword.pipeline.domain.memory.model import Actor, NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.testing.clock import ManualClock

NOTE = NewMemory("fact", "the dog is named Luna", type="fact")


@pytest.fixture
def uid(writer: Writer) -> str:
    return write_memory(writer, NOTE).uid


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def test_a_deleted_memory_is_read_nowhere_and_a_restored_one_everywhere(
    store: Store, uid: str, owner: Writer, writer: Writer
):
    delete_memory(writer, uid)
    assert read_memories(store) == []
    with pytest.raises(NotFoundError):
        get_memory(store, uid)

    restore_memory(owner, uid)
    assert [row.uid for row in read_memories(store)] == [uid]
    assert get_memory(store, uid).deleted_at is None


def test_a_deletion_and_its_restore_are_an_interval(
    store: Store, clock: ManualClock, uid: str, owner: Writer, writer: Writer
):
    for _ in range(2):
        delete_memory(writer, uid)
        clock.advance(days=1)
        restore_memory(owner, uid)
    delete_memory(writer, uid)

    day = 86_400_000_000
    start = rows(store, "SELECT min(gone_at) FROM memory_absences")[0][0]
    spans = rows(store, "SELECT gone_at, back_at FROM memory_absences ORDER BY id")
    assert [(gone - start, back and back - start) for gone, back in spans] == [
        (0, day),
        (day, 2 * day),
        (2 * day, None),
    ]


def test_both_are_audited_with_who_and_where(
    store: Store, clock: ManualClock, uid: str, owner: Writer
):
    delete_memory(Writer(store, clock, random_uid, session="sess-1"), uid)
    restore_memory(owner, uid)

    assert rows(store, "SELECT actor, tool_call, session_id, detail ->> 'uid' FROM audit_log")[
        1:
    ] == [("agent", "memory.delete", "sess-1", uid), ("owner", "memory.restore", None, uid)]


def test_restoring_asks_again_for_what_the_jobs_of_a_deleted_row_skipped(
    store: Store, clock: ManualClock, uid: str, writer: Writer
):
    delete_memory(writer, uid)
    restore_memory(Writer(store, clock, random_uid, "owner", embeds=True), uid)

    jobs = rows(store, "SELECT kind, payload ->> 'memory_id' FROM jobs ORDER BY id")
    assert jobs == [("extract_edges", 1), ("extract_edges", 1), ("embed_memories", 1)]


def test_what_is_gone_cannot_be_deleted_and_what_is_not_cannot_be_restored(
    uid: str, owner: Writer, writer: Writer
):
    with pytest.raises(ConflictError, match="not deleted"):
        restore_memory(owner, uid)
    delete_memory(writer, uid)
    with pytest.raises(NotFoundError, match="deleted already"):
        delete_memory(writer, uid)


@pytest.mark.parametrize("name", ["no such uid", "", "\0", "\ud800", 0, -1, 99, 2**64])
def test_a_name_of_nothing_is_not_found(store: Store, owner: Writer, name: str | int):
    for verb in (delete_memory, restore_memory):
        with pytest.raises(NotFoundError):
            verb(owner, name)
    with pytest.raises(NotFoundError):
        get_memory(store, name)


def test_after_thirty_days_a_deletion_is_final(
    store: Store, clock: ManualClock, uid: str, owner: Writer, writer: Writer
):
    delete_memory(writer, uid)
    clock.advance(days=30)
    restore_memory(owner, uid)
    delete_memory(writer, uid)
    clock.advance(days=30, microseconds=1)

    with pytest.raises(NotFoundError, match="30 days"):
        restore_memory(owner, uid)
    assert rows(store, "SELECT count(*) FROM memories") == [(1,)]


BY_HAND = NewMemory("personalization", "trades from Lisbon", source="user_manual", origin="owner")
OWNERS_NOTE = NewMemory("instruction", "ask first", origin="owner", type="instruction")
OBSERVED = NewMemory("trade_outcome", "long ETH +7.8%")


@pytest.mark.parametrize(
    ("new", "actor", "allowed"),
    [
        (NOTE, "agent", True),
        (NOTE, "owner", True),
        (BY_HAND, "owner", True),
        (BY_HAND, "agent", False),
        (OWNERS_NOTE, "owner", True),
        (OWNERS_NOTE, "agent", False),
        (OBSERVED, "owner", False),
        (OBSERVED, "agent", False),
    ],
)
def test_who_may_delete_what(
    store: Store,
    clock: ManualClock,
    ids: IdSource,
    new: NewMemory,
    actor: Actor,
    allowed: bool,
    owner: Writer,
):
    uid = write_memory(owner, new).uid
    assert is_deletable(get_memory(store, uid), actor) == allowed

    if not allowed:
        why = (
            "observed or derived.* forget --memory 1"
            if actor == "owner"
            else "is not a typed entry|only the owner"
        )
        with pytest.raises(InvalidInputError, match=why):
            delete_memory(Writer(store, clock, ids, actor), uid)
        assert get_memory(store, uid).uid == uid
