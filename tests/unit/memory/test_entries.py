"""Typed entries: five types, and chains of supersession that nobody forks."""

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import TYPES, Actor, NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError


@pytest.fixture
def keep(store: Store, clock, ids):
    """Store one entry, as the agent if nothing else is said, and return its uid."""

    def keep(content: str, supersedes: str | None = None, actor: Actor = "agent") -> str:
        new = new_entry("preference", content, actor=actor)
        return store_entry(Writer(store, clock, ids, actor), new, supersedes=supersedes).uid

    return keep


@pytest.mark.parametrize("type", TYPES)
def test_behavioral_follows_the_type(store, type, owner):
    uid = store_entry(owner, new_entry(type, "x", actor="owner")).uid
    found = get_memory(store, uid)

    assert (found.type, found.category, found.origin) == (type, type, "owner")
    assert found.behavioral == (type in {"preference", "instruction", "correction"})


def test_a_chain_is_kept_and_only_its_end_is_read(store, clock, keep):
    first = keep("weekly charts")
    clock.advance(days=1)
    second = keep("daily charts", first)
    clock.advance(days=1)
    third = keep("hourly charts", second)

    assert [row.uid for row in read_memories(store)] == [third]
    links = [get_memory(store, uid) for uid in (first, second, third)]
    assert [row.superseded_by for row in links] == [links[1].id, links[2].id, None]
    yesterday = read_memories(store, as_of=links[1].known_at)
    assert [row.uid for row in yesterday] == [second]


def test_what_was_superseded_cannot_be_superseded_again(store, keep):
    first = keep("weekly charts")
    keep("daily charts", first)
    with pytest.raises(ConflictError, match=f"entry {first} was superseded before"):
        keep("hourly charts", first)

    assert [row.content for row in read_memories(store)] == ["daily charts"]


def test_what_the_owner_said_is_replaced_by_the_owner_alone(store, keep):
    said = keep("never more than 2x", actor="owner")
    with pytest.raises(InvalidInputError, match="a preference the owner said; only the owner"):
        keep("10x is fine", said)
    assert [row.uid for row in read_memories(store)] == [said]

    keep("never more than 3x", said, actor="owner")
    assert [row.content for row in read_memories(store)] == ["never more than 3x"]


def test_words_stated_by_hand_are_the_owners_whatever_way_they_came(keep, owner, writer):
    new = NewMemory(
        "preference", "by file", type="preference", origin="import", source="user_manual"
    )
    uid = write_memory(owner, new).uid

    with pytest.raises(InvalidInputError, match="supersedes"):
        keep("other", uid)
    with pytest.raises(InvalidInputError, match="memory"):
        delete_memory(writer, uid)


def test_only_an_entry_can_be_superseded(store, keep, writer):
    lesson = write_memory(writer, NewMemory("lesson", "cut losers")).uid
    deleted = keep("old")
    delete_memory(writer, deleted)

    with pytest.raises(InvalidInputError, match="supersedes"):
        keep("let losers run", lesson)
    for uid in (deleted, "no such uid", "", "\0", 7, "x" * 10_000):
        with pytest.raises(NotFoundError) as refused:
            keep("new", uid)
        assert str(refused.value) == "the entry to supersede does not exist, or is deleted"
    assert [row.content for row in read_memories(store)] == ["cut losers"]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("type", ("lesson", "x")),
        ("type", (None, "x")),
        ("content", ("fact", "x" * 2_001)),
        ("content", ("fact", "\n")),
        ("tags", ("fact", "x", "btc")),
        ("tags", ("fact", "x", ["t"] * 11)),
        ("tags[0]", ("fact", "x", ["t" * 51])),
    ],
)
def test_a_bad_entry_is_refused_by_the_name_of_its_field(field, values):
    with pytest.raises(InvalidInputError) as refused:
        new_entry(*values, actor="agent")
    assert refused.value.field == field


def test_a_supersession_and_its_entry_are_one_write(store, keep):
    first = keep("weekly charts")
    keep("daily charts", first)
    with reading(store) as conn:
        lines = conn.exec_driver_sql("SELECT tool_call FROM audit_log ORDER BY id").scalars().all()
    assert lines == ["memory.write", "memory.write", "memory.supersede"]
