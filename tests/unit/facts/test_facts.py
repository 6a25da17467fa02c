"""A fact is kept at once; restatements give way to the oldest statement, and nothing is lost."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.facts.consolidate import ConsolidationCounts, consolidate_pending
from afterword.pipeline.domain.facts.read import list_events, list_facts, standing_facts
from afterword.pipeline.domain.facts.record import DEBOUNCE, record_fact, record_facts
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import insert_memories, write_memory
from afterword.pipeline.errors import InvalidInputError


@pytest.fixture
def say(store, clock, ids):
    """Record facts a second apart and return their ids."""

    def record(*texts, origin="agent"):
        found = []
        for words in texts:
            clock.advance(seconds=1)
            found.append(record_fact(store, NewMemory("fact", words, origin=origin), clock, ids).id)
        return found

    return record


def states(store):
    return {fact.id: (fact.state, fact.retired_by) for fact in list_facts(store)}


def standing(store, as_of=None):
    return [fact.content for fact in standing_facts(store, as_of=as_of)]


def open_jobs(store):
    query = "SELECT kind, key, available_at FROM jobs WHERE kind LIKE '%facts' ORDER BY id"
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def test_a_fact_is_read_at_once_and_waits_for_the_pass(store, say):
    (first,) = say("prefers weekly charts")

    memory = get_memory(store, first)
    assert (memory.category, memory.type, memory.source) == ("fact", None, "agent_recorded")
    assert standing(store) == ["prefers weekly charts"]
    assert states(store) == {first: ("pending", None)}


def test_each_fact_moves_the_time_of_one_job(store, clock, say):
    say("one", "two", "three")

    assert open_jobs(store) == [("consolidate_facts", "recorded", to_micros(clock() + DEBOUNCE))]


def test_a_restatement_gives_way_to_the_oldest_statement(store, clock, say):
    first, other, second, third = say(
        "Prefers weekly charts", "holds SOL", "prefers weekly charts.", "  prefers  WEEKLY charts"
    )

    assert consolidate_pending(store, clock) == ConsolidationCounts(settled=2, retired=2)
    assert states(store) == {
        first: ("settled", None),
        other: ("settled", None),
        second: ("retired", first),
        third: ("retired", first),
    }
    assert [row.content for row in read_memories(store)] == ["holds SOL", "Prefers weekly charts"]
    assert get_memory(store, third).superseded_by == first


def test_a_later_restatement_gives_way_to_a_settled_fact(store, clock, say):
    (first,) = say("max 3 positions")
    consolidate_pending(store, clock)
    (second,) = say("Max 3 positions!")

    assert consolidate_pending(store, clock) == ConsolidationCounts(retired=1)
    assert states(store)[second] == ("retired", first)


def test_settling_again_does_nothing(store, clock, say):
    say("holds SOL", "holds SOL")
    consolidate_pending(store, clock)
    events = list_events(store)

    assert consolidate_pending(store, clock) == ConsolidationCounts()
    assert list_events(store) == events


def test_more_facts_than_a_batch_drain_in_their_order(store, clock, ids, monkeypatch):
    monkeypatch.setattr("afterword.pipeline.domain.facts.consolidate.CONSOLIDATE_BATCH", 7)
    news = [NewMemory("fact", f"holds {number % 20} SOL") for number in range(100)]
    record_facts(store, news, clock, ids)

    assert consolidate_pending(store, clock, limit=90) == ConsolidationCounts(
        settled=20, retired=70
    )
    assert consolidate_pending(store, clock) == ConsolidationCounts(retired=10)
    assert {fact.retired_by for fact in list_facts(store, "retired")} == set(range(1, 21))


@pytest.mark.parametrize(
    ("older", "newer", "survives"),
    [("agent", "web", 1), ("web", "agent", 2), ("web", "web", 1), ("tool", "import", 1)],
)
def test_words_of_a_page_never_stand_for_the_agents_own(store, clock, say, older, newer, survives):
    say("ETH upgrade is in May", origin=older)
    say("ETH upgrade is in May", origin=newer)
    consolidate_pending(store, clock)

    assert len(standing(store)) == survives


def test_only_what_an_agent_derived_is_touched(store, clock, say, owner, writer):
    new = NewMemory("fact", "prefers weekly charts", source="user_explicit", origin="owner")
    with writing(store) as conn:  # as earlier versions let the owner write one
        (plain,) = insert_memories(conn, owner, [new], clock(), as_facts=True)
    typed = write_memory(writer, NewMemory("fact", "prefers weekly charts", type="fact"))
    say("prefers weekly charts", "prefers weekly charts")
    consolidate_pending(store, clock)

    assert get_memory(store, plain.id).superseded_at is None
    assert get_memory(store, typed.id).superseded_at is None
    for memory in (plain, typed):
        with (
            pytest.raises(IntegrityError, match="only facts an agent recorded"),
            writing(store) as c,
        ):
            c.exec_driver_sql("INSERT INTO facts (memory_id, said_at) VALUES (?, 0)", (memory.id,))


@pytest.mark.parametrize(
    ("new", "field"),
    [
        (NewMemory("fact", "I said so", origin="owner"), "origin"),
        (NewMemory("fact", " "), "content"),
        (NewMemory("fact", "x" * 2_001), "content"),
        (NewMemory("fact", "x", metadata={"a": float("nan")}), "metadata"),
    ],
)
def test_what_is_no_fact_of_an_agent_is_refused_whole(store, clock, ids, new, field):
    with pytest.raises(InvalidInputError) as caught:
        record_facts(store, [new], clock, ids)
    assert caught.value.field.endswith(field)
    assert (list_facts(store), open_jobs(store)) == ([], [])


def test_a_fact_that_is_away_waits_and_does_not_hold_up_the_others(store, clock, say, system):
    first, second = say("holds SOL", "holds SOL")
    with writing(store) as conn:
        retire(conn, system, first, clock(), {})

    assert consolidate_pending(store, clock) == ConsolidationCounts(settled=1)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE memories SET deleted_at = NULL")
    assert consolidate_pending(store, clock) == ConsolidationCounts(settled=1)
    assert states(store) == {first: ("settled", None), second: ("retired", first)}


def test_a_read_of_the_past_sees_the_facts_that_stood_then(store, clock, say):
    say("holds SOL", "holds SOL")
    before = clock()
    clock.advance(hours=1)
    consolidate_pending(store, clock)

    assert standing(store, as_of=before) == ["holds SOL", "holds SOL"]
    assert standing(store) == standing(store, as_of=clock()) == ["holds SOL"]
    assert standing(store, as_of=before - timedelta(seconds=1)) == ["holds SOL"]


def test_every_decision_is_written_down_and_stays(store, clock, say):
    first, second = say("holds SOL", "holds SOL")
    consolidate_pending(store, clock)

    retired, settled = list_events(store)
    assert (settled.kind, settled.memory_id, settled.detail["reason"]) == (
        *("settled", first),
        "new_statement",
    )
    assert (retired.kind, retired.memory_id, retired.other_id) == ("retired", second, first)
    for sql in ("UPDATE {} SET detail = '[]'", "UPDATE {} SET said = 'x'", "DELETE FROM {}"):
        with pytest.raises(IntegrityError, match="only grows"), writing(store) as conn:
            conn.exec_driver_sql(sql.format("memory_consolidation_events"))
