"""A read as of a moment sees what was known and alive then, and nothing that came later."""

import json
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.user_profile import read_profile, set_profile_value
from afterword.pipeline.domain.memory.visibility import hidden, visible
from afterword.pipeline.domain.memory.write import insert_memories, write_memory
from afterword.pipeline.errors import InvalidInputError

ENTRY = NewMemory("fact", "ETH is held", type="fact")
HOUR = timedelta(hours=1)


@pytest.fixture
def seen(store):
    """Return the texts a reader saw at a moment, newest first."""
    return lambda moment: [row.content for row in read_memories(store, as_of=moment)]


def test_a_row_is_seen_from_the_moment_it_became_known(clock, seen, writer):
    before = clock() - timedelta(microseconds=1)
    write_memory(writer, ENTRY)

    assert (seen(before), seen(clock())) == ([], ["ETH is held"])


def test_a_deleted_row_is_away_from_then_until_it_is_restored(clock, seen, owner, writer):
    written = write_memory(writer, ENTRY)
    known = clock()
    clock.advance(hours=1)
    delete_memory(writer, written.id)
    deleted = clock()
    clock.advance(hours=1)
    restore_memory(owner, written.id)

    assert [len(seen(moment)) for moment in (known, deleted, clock())] == [1, 0, 1]


def test_a_superseded_row_stood_until_it_was_replaced(store, clock, seen, system, writer):
    old = write_memory(writer, NewMemory("reference", "old"))
    then = clock()
    clock.advance(hours=1)
    new = write_memory(writer, NewMemory("reference", "new"))
    with writing(store) as conn:
        supersede(conn, system, old.id, new.id, clock())

    assert (seen(then), seen(clock())) == (["old"], ["new"])


def test_a_stale_row_stood_until_its_parent_fell(store, clock, seen, system, writer):
    parent = write_memory(writer, ENTRY)
    derived = NewMemory("lesson", "derived", origin="system", parents=[parent.id])
    with writing(store) as conn:
        insert_memories(conn, system, [derived], clock())
    then = clock()
    clock.advance(hours=1)
    delete_memory(writer, parent.id)

    assert (seen(then), seen(clock())) == (["derived", "ETH is held"], [])


def test_the_profile_is_read_as_it_was(store, clock, writer):
    before = clock() - HOUR
    set_profile_value(writer, "risk", "low")
    then = clock()
    clock.advance(hours=1)
    set_profile_value(writer, "risk", "high")

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


def test_a_moment_before_any_purge_is_refused_by_the_latest_and_read_from_it_on(store, clock):
    first, latest = to_micros(clock()), to_micros(clock() + HOUR)
    with writing(store) as conn:
        for horizon in (latest, first):
            conn.exec_driver_sql(
                "INSERT INTO memory_purges (at, deleted, superseded, horizon) VALUES (0, 1, 0, ?)",
                (horizon,),
            )

    with pytest.raises(InvalidInputError, match="were purged"):
        read_memories(store, as_of=clock() + HOUR - timedelta(microseconds=1))
    assert read_memories(store, as_of=clock() + HOUR) == []


class Life(NamedTuple):
    """What became of a row, in microseconds from its first moment; None: it did not.

    Args:
        away: when it was deleted, and when it was back.
        replaced: when it was superseded, and when that was undone.
    """

    known: int
    away: tuple[tuple[int, int | None], ...] = ()
    superseded: int | None = None
    stale: int | None = None
    replaced: tuple[tuple[int, int], ...] = ()

    def is_not_deleted(self, at: int) -> bool:
        gone = any(start <= at and (end is None or at < end) for start, end in self.away)
        return self.known <= at and not gone

    def is_visible(self, at: int) -> bool:
        ends = [end for end in (self.superseded, self.stale) if end is not None]
        was_replaced = any(start <= at < end for start, end in self.replaced)
        return self.is_not_deleted(at) and not was_replaced and all(at < end for end in ends)


LIVES = (
    Life(1),
    Life(3),
    Life(1, away=((2, None),)),
    Life(1, away=((2, 4),)),
    Life(1, away=((2, 3), (4, None))),
    Life(1, away=((3, 3),)),
    Life(1, superseded=3),
    Life(1, stale=3),
    Life(1, superseded=2, stale=4),
    Life(1, superseded=4, stale=2),
    Life(1, away=((2, 4),), superseded=3),
    Life(2, away=((3, None),), stale=4),
    Life(3, stale=3),
    Life(1, replaced=((2, 4),)),
    Life(1, away=((4, 5),), superseded=4, replaced=((2, 3),)),
)
NOW = 9
"""After all that happened."""


@pytest.fixture
def lives(store, ids):
    """Rows that lived so, their ids from 1 on."""
    with writing(store) as conn:
        for row_id, life in enumerate(LIVES, 1):
            deleted = next((start for start, end in life.away if end is None), None)
            conn.exec_driver_sql(
                "INSERT INTO memories (uid, category, content, origin, behavioral, known_at,"
                " created_at, updated_at, deleted_at, superseded_at, stale_at)"
                " VALUES (?, 'lesson', 'x', 'agent', 0, ?, ?, ?, ?, ?, ?)",
                (ids(), *[life.known] * 3, deleted, life.superseded, life.stale),
            )
            causes = ((life.away, "deleted"), (life.replaced, "superseded"))
            conn.exec_driver_sql(
                "INSERT INTO memory_absences (memory_id, gone_at, back_at, cause)"
                " SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
                (json.dumps([(row_id, *one, why) for spans, why in causes for one in spans]),),
            )


def ids_that(store, condition: str, as_of: int) -> list[int]:
    with reading(store) as conn:
        query = text(f"SELECT id FROM memories WHERE {condition} ORDER BY id")
        return list(conn.execute(query, {"as_of": as_of}).scalars())


@pytest.mark.parametrize("moment", [0, 1, 2, 3, 4, 5, None])
def test_the_visible_and_the_hidden_rows_are_all_rows(store, lives, moment: int | None):
    """As a condition, and as the ids of the rows left out: one rule, now and as of a moment."""
    at = NOW if moment is None else moment
    seen = [row_id for row_id, life in enumerate(LIVES, 1) if life.is_visible(at)]
    there = [row_id for row_id, life in enumerate(LIVES, 1) if life.is_not_deleted(at)]
    for include_superseded, wanted in ((False, seen), (True, there)):
        left_out = hidden(moment, include_superseded)
        for condition in (
            visible(moment, include_superseded),
            f"known_at <= :as_of AND id NOT IN ({left_out})",
        ):
            assert ids_that(store, condition, at) == wanted, condition


@pytest.mark.parametrize("moment", ["2020", 5, 1.5])
def test_what_is_no_moment_is_refused_by_name(store, moment):
    for read in (read_profile, lambda store, as_of: read_memories(store, as_of=as_of)):
        with pytest.raises(InvalidInputError) as refused:
            read(store, moment)
        assert refused.value.field == "as_of"
