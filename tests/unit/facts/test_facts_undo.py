"""A decision can be taken back once; consolidation touches nothing but what is its own."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.facts.consolidate import ConsolidationCounts, consolidate_pending
from afterword.pipeline.domain.facts.effects import RealFactEffects
from afterword.pipeline.domain.facts.read import list_events, list_facts, show_fact, standing_facts
from afterword.pipeline.domain.facts.record import record_fact, record_facts
from afterword.pipeline.domain.facts.resolve import resolve_facts
from afterword.pipeline.domain.facts.undo import undo_event
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.judge import eager_judge

WEEKLY, DAILY = "user prefers weekly charts", "user prefers daily charts"

ITS_OWN = {"facts", "memory_consolidation_events", "audit_log", "jobs"}


@pytest.fixture
def say(store, clock, ids):
    def record(*texts):
        found = []
        for words in texts:
            clock.advance(seconds=1)
            found.append(record_fact(store, NewMemory("fact", words), clock, ids).id)
        consolidate_pending(store, clock)
        clock.advance(seconds=1)
        return found

    return record


def standing(store, as_of=None):
    return [fact.content for fact in standing_facts(store, limit=1_000, as_of=as_of)]


def latest(store, kind):
    return list_events(store, kind, limit=1)[0].id


def test_a_retired_restatement_stands_again(store, clock, say):
    first, second = say(WEEKLY, WEEKLY.upper())
    between = clock()
    clock.advance(seconds=1)

    done = undo_event(store, latest(store, "retired"), clock)

    assert (done.kind, done.memory_id, done.other_id) == ("undone", second, first)
    assert get_memory(store, second).superseded_at is None
    assert {fact.id: fact.state for fact in list_facts(store)} == {
        first: "settled",
        second: "settled",
    }
    assert (len(standing(store)), len(standing(store, as_of=between))) == (2, 1)
    assert consolidate_pending(store, clock) == ConsolidationCounts()
    assert [event.undone for event in show_fact(store, second).events] == [False, True]


def test_a_decision_is_undone_once(store, clock, say):
    say(WEEKLY, WEEKLY)
    event = latest(store, "retired")
    undo_event(store, event, clock)

    with pytest.raises(ConflictError, match="undone already"):
        undo_event(store, event, clock)
    assert len(list_events(store, "undone")) == 1


def test_the_survivor_is_as_old_again_as_its_own_words(store, clock, say):
    first, _, _ = say(WEEKLY, DAILY, WEEKLY)
    assert show_fact(store, first).fact.said_at > show_fact(store, first).fact.known_at
    undo_event(store, latest(store, "retired"), clock)

    assert show_fact(store, first).fact.said_at == show_fact(store, first).fact.known_at


def test_undo_works_after_the_survivor_gave_way_itself(store, clock, say):
    first, second, third = say(WEEKLY, WEEKLY, DAILY)
    resolve_facts(store, eager_judge("supersede"), "", clock, RealFactEffects())
    assert standing(store) == [DAILY]
    clock.advance(seconds=1)
    undo_event(store, latest(store, "retired"), clock)

    assert {fact.id for fact in standing_facts(store)} == {second, third}
    assert get_memory(store, first).superseded_by == third


def test_undo_says_why_it_cannot(store, clock, say, system):
    first, second, _, fourth = say(WEEKLY, WEEKLY, DAILY, DAILY)
    of_fourth, of_second = (event.id for event in list_events(store, "retired"))
    with writing(store) as conn:
        retire(conn, system, fourth, clock(), {})
        conn.exec_driver_sql("UPDATE facts SET version = 9 WHERE memory_id = ?", (second,))

    for event, error, said in (
        (of_fourth, NotFoundError, "deleted or erased"),
        (of_second, ConflictError, "version 9 instead of 2"),
        (latest(store, "settled"), InvalidInputError, "it retired no fact"),
        (99, NotFoundError, "fact events"),
        (2**70, NotFoundError, "does not exist"),
    ):
        with pytest.raises(error, match=said):
            undo_event(store, event, clock)
    assert list_events(store, "undone") == []
    assert get_memory(store, second).superseded_by == first


def test_an_erased_fact_takes_a_judges_words_along(store, clock, say):
    first, second = say(WEEKLY, DAILY)
    resolve_facts(store, eager_judge("supersede"), "", clock, RealFactEffects())
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM memories WHERE id = ?", (first,))

    assert {event.said for event in list_events(store)} == {""}
    assert [fact.id for fact in list_facts(store)] == [second]


def hashes(store):
    """Hash every table but the chain; of memories all but what says that a row was superseded."""
    with reading(store) as conn:
        names = conn.exec_driver_sql(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).scalars()
        names = set(names) - {"memories", "chain_blocks"}
        found = {name: content_hash(conn, name) for name in names}
        columns = ", ".join(
            row.name
            for row in conn.exec_driver_sql("PRAGMA table_info(memories)")
            if not row.name.startswith("superseded")
        )
        found["memories"] = repr(conn.exec_driver_sql(f"SELECT {columns} FROM memories").all())
        return found


def test_consolidation_changes_no_other_table(store, clock, ids, say, owner, writer):
    set_profile_value(writer, "risk", "low")
    owners = [
        NewMemory("personalization", WEEKLY, source="user_manual", origin="owner"),
        NewMemory("fact", WEEKLY, source="user_explicit", origin="owner", type="fact"),
    ]
    kept = [write_memory(owner, new).id for new in owners]
    write_memory(writer, NewMemory("lesson", WEEKLY))
    news = [NewMemory("fact", words) for words in (WEEKLY, DAILY, WEEKLY, "user likes BTC 5%")]
    record_facts(store, news, clock, ids)
    before = hashes(store)

    consolidate_pending(store, clock)
    resolve_facts(store, eager_judge("supersede"), "", clock, RealFactEffects())
    resolve_facts(store, eager_judge("merge"), "", clock, RealFactEffects())

    after = hashes(store)
    assert {name for name in after if after[name] != before[name]} <= ITS_OWN
    assert len(standing(store)) < 4
    assert all(get_memory(store, one).superseded_at is None for one in kept)


def test_passes_at_once_settle_each_fact_once(store, clock, ids, monkeypatch):
    monkeypatch.setattr("afterword.pipeline.domain.facts.consolidate.CONSOLIDATE_BATCH", 10)
    news = [NewMemory("fact", f"holds {number % 40} SOL") for number in range(200)]
    record_facts(store, news, clock, ids)
    start = threading.Barrier(3)
    done = []

    def drain():
        start.wait()
        done.append(consolidate_pending(store, clock))

    threads = [threading.Thread(target=drain) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(done, ConsolidationCounts()) == ConsolidationCounts(settled=40, retired=160)
    events = list_events(store, limit=1_000)
    assert len(events) == len({event.memory_id for event in events}) == 200


STEPS = st.lists(
    st.sampled_from(["weekly", "daily", "again", "drain", "merge", "supersede", "undo"]),
    min_size=1,
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(STEPS, STEPS)
def test_what_comes_later_changes_no_read_of_the_past(store, clock, past, future):
    for step in past:
        _take(store, clock, step)
    moment = clock()
    seen = standing_facts(store, limit=1_000)
    assert standing_facts(store, limit=1_000, as_of=moment) == seen

    for step in future:
        _take(store, clock, step)

    assert standing_facts(store, limit=1_000, as_of=moment) == seen


def _take(store, clock, step):
    clock.advance(seconds=1)
    words = {"weekly": WEEKLY, "daily": DAILY, "again": WEEKLY.upper()}
    if step in words:
        record_fact(store, NewMemory("fact", words[step]), clock, random_uid)
    elif step == "drain":
        consolidate_pending(store, clock)
    elif step == "undo":
        gave_way = [
            event
            for event in list_events(store, limit=1_000)
            if event.kind in ("retired", "superseded") and not event.undone
        ]
        if gave_way:
            undo_event(store, gave_way[0].id, clock)
    else:
        resolve_facts(store, eager_judge(step), "", clock, RealFactEffects())
