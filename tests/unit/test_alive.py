"""A read as of a moment sees what was known and alive then, and nothing that came later."""

from datetime import timedelta

import pytest

from pipeline.clock import to_micros
from pipeline.errors import InvalidInputError
from pipeline.memory.delete import delete_memory, restore_memory
from pipeline.memory.model import NewMemory
from pipeline.memory.read import read_memories
from pipeline.memory.supersede import supersede
from pipeline.memory.user_profile import read_profile, set_profile_value
from pipeline.memory.write import insert_memories, write_memory
from pipeline.store import writing

ENTRY = NewMemory("fact", "ETH is held", type="fact")
HOUR = timedelta(hours=1)


@pytest.fixture
def seen(store):
    """Return the texts a reader saw at a moment, newest first."""
    return lambda moment: [row.content for row in read_memories(store, as_of=moment)]


def test_a_row_is_seen_from_the_moment_it_became_known(store, clock, ids, seen):
    before = clock() - timedelta(microseconds=1)
    write_memory(store, ENTRY, clock, ids)

    assert (seen(before), seen(clock())) == ([], ["ETH is held"])


def test_a_deleted_row_is_away_from_then_until_it_is_restored(store, clock, ids, seen):
    written = write_memory(store, ENTRY, clock, ids)
    known = clock()
    clock.advance(hours=1)
    delete_memory(store, written.id, clock)
    deleted = clock()
    clock.advance(hours=1)
    restore_memory(store, written.id, clock)

    assert [len(seen(moment)) for moment in (known, deleted, clock())] == [1, 0, 1]


def test_a_superseded_row_stood_until_it_was_replaced(store, clock, ids, seen):
    old = write_memory(store, NewMemory("fact", "old"), clock, ids)
    then = clock()
    clock.advance(hours=1)
    new = write_memory(store, NewMemory("fact", "new"), clock, ids)
    with writing(store) as conn:
        supersede(conn, old.id, new.id, clock())

    assert (seen(then), seen(clock())) == (["old"], ["new"])


def test_a_stale_row_stood_until_its_parent_fell(store, clock, ids, seen):
    parent = write_memory(store, ENTRY, clock, ids)
    derived = NewMemory("lesson", "derived", origin="system", parents=[parent.id])
    with writing(store) as conn:
        insert_memories(conn, [derived], clock(), ids)
    then = clock()
    clock.advance(hours=1)
    delete_memory(store, parent.id, clock)

    assert (seen(then), seen(clock())) == (["derived", "ETH is held"], [])


def test_the_profile_is_read_as_it_was(store, clock):
    before = clock() - HOUR
    set_profile_value(store, "risk", "low", clock)
    then = clock()
    clock.advance(hours=1)
    set_profile_value(store, "risk", "high", clock)

    found = [read_profile(store, moment) for moment in (before, then, clock())]

    assert found == [{}, {"risk": "low"}, {"risk": "high"}]


def test_a_moment_that_was_purged_is_refused(store, clock):
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO memory_purges (at, deleted, superseded, horizon) VALUES (0, 1, 0, ?)",
            (to_micros(clock()),),
        )

    assert read_memories(store, as_of=clock()) == []
    with pytest.raises(InvalidInputError, match="were purged; accepted: a moment from 20"):
        read_memories(store, as_of=clock() - HOUR)


def test_a_moment_needs_its_time_zone(store, clock):
    with pytest.raises(InvalidInputError, match="as_of: has no time zone"):
        read_memories(store, as_of=clock().replace(tzinfo=None))


@pytest.mark.parametrize("moment", ["2020", 5, 1.5])
def test_what_is_no_moment_is_refused_by_name(store, moment):
    for read in (read_profile, lambda store, as_of: read_memories(store, as_of=as_of)):
        with pytest.raises(InvalidInputError) as refused:
            read(store, moment)
        assert refused.value.field == "as_of"
