"""A decision is recorded once, with what it was made on, and never changes."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES, EXTRACT_ROLE_EDGES
from afterword.pipeline.domain.decisions.edges import (
    extract_role_edges,
    keep_role_edges,
    missing_role_edges,
)
from afterword.pipeline.domain.decisions.embed import (
    DECISION_VECTORS,
    backfill_role_embeddings,
    embed_role_entries,
)
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import record_decision, record_decisions
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.skills import Manual, PeerRelative, RoleRegistry
from afterword.pipeline.domain.vectors.embed import backfill_embeddings, embed_memories
from afterword.pipeline.domain.vectors.rows import MEMORY_VECTORS
from afterword.pipeline.domain.vectors.upkeep import drop_other_models
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.roles import role_of, skill_of

SECRET = "sk-ant-api03-" + "a1B2" * 20

NEW = NewDecision("desk.calls", "Buy SOL, it broke out", asset="SOL", direction="long")
REGISTRY = RoleRegistry(
    [
        skill_of(
            role_of(),
            role_of("desk.swift", triggers=("on_new_write",)),
            role_of("desk.words", Manual(), min_age_hours=0),
            role_of("desk.peers", PeerRelative(24, peers_field="rivals")),
            role_of("desk.beside", PeerRelative(24, ("ETH",))),
        )
    ]
)


@pytest.fixture
def record(store, clock, ids):
    def one(new=NEW, **changes):
        return record_decision(store, REGISTRY, replace(new, **changes), clock, ids)

    return one


def rows(store, sql, *values):
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(sql, values)]


def leased(store, clock, kind):
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, kind.name, 99, clock())]
        return lease(conn, ids, "worker", clock, kind)


def test_a_decision_waits_with_all_that_was_known_of_it(store, clock, record):
    written = record(
        inputs={"rsi": 71},
        confidence=0.7,
        context={"prices": [1, 2], "prompt": "What now?"},
        decided_at=clock() - timedelta(hours=1),
    )
    shown = show_decision(store, written.uid)

    one = shown.decision
    assert (one.id, one.state, one.verdict, one.lesson) == (written.id, "pending", None, None)
    assert (one.role_id, one.skill_id, one.asset, one.asset_key) == (
        "desk.calls",
        "desk",
        "SOL",
        "SOL",
    )
    assert (one.direction, one.confidence, one.inputs) == ("long", 0.7, {"rsi": 71})
    assert (one.known_at, one.decided_at) == (clock(), clock() - timedelta(hours=1))
    assert shown.context == {"prices": [1, 2], "prompt": "What now?"}
    assert rows(store, "SELECT reflection FROM role_memory") == [(None,)]
    assert rows(
        store,
        "SELECT actor, tool_call, object_id FROM audit_log WHERE object_table = 'role_memory'",
    ) == [("owner", "role.record", one.id)]


def test_the_asset_may_be_the_input_that_the_role_names(store, record):
    record(asset=None, inputs={"asset": "ETH/USDT"})
    assert list_decisions(store)[0].asset_key == "ETH"


def test_recorded_again_under_its_key_it_is_the_same_row(store, clock, record):
    first = record(key="turn-7")
    clock.advance(hours=1)
    again = record(key="turn-7")

    assert (again.id, again.uid, again.is_new) == (first.id, first.uid, False)
    assert len(list_decisions(store)) == 1
    assert record(role_id="desk.swift", key="turn-7").is_new


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"decision": "Sell SOL"}, "decision"),
        ({"asset": "ETH"}, "asset"),
        ({"direction": "short"}, "direction"),
        ({"confidence": 0.2}, "confidence"),
        ({"inputs": {"rsi": 30}}, "inputs"),
        ({"decided_at": datetime(2025, 1, 1, tzinfo=UTC)}, "decided_at"),
        ({"asset": "ETH", "direction": "short"}, "asset, direction"),
    ],
)
def test_another_decision_under_the_same_key_is_refused_not_lost(record, changes, named):
    first = record(key="turn-7", inputs={"rsi": 71}, confidence=0.7)
    with pytest.raises(InvalidInputError) as refused:
        record(**{"key": "turn-7", "inputs": {"rsi": 71}, "confidence": 0.7} | changes)

    assert refused.value.field == "key"
    assert refused.value.problem.endswith(
        f"names another decision of desk.calls: {first.uid}, of another {named}"
    )


def test_sent_again_an_asset_may_be_spelt_otherwise_and_a_context_be_a_later_one(record):
    record(key="a", inputs={"rsi": 71, "adx": 20}, context={"price": 1})
    again = record(key="a", asset="sol-usd", inputs={"adx": 20, "rsi": 71}, context={"price": 2})

    assert not again.is_new


def test_a_list_with_a_key_twice_is_one_decision(store, clock, ids):
    done = record_decisions(store, REGISTRY, [replace(NEW, key="a")] * 2, clock, ids)

    assert [one.is_new for one in done] == [True, False]
    assert done[0].uid == done[1].uid


def test_a_context_is_kept_once_whatever_the_order_of_its_names(store, record):
    record(context={"a": 1, "b": 2})
    record(context={"b": 2, "a": 1})
    record(context={"a": 1})

    assert rows(store, "SELECT count(*) FROM decision_contexts") == [(2,)]


def test_no_secret_reaches_the_file(store, record):
    record(
        decision=f"Buy with {SECRET}",
        inputs={"api_key": SECRET},
        context={"prompt": f"key {SECRET}"},
    )
    with writing(store) as conn:
        conn.exec_driver_sql("SELECT 1")
    raw = store.path.read_bytes() + store.path.with_name(store.path.name + "-wal").read_bytes()

    assert SECRET.encode() not in raw
    assert "[masked:" in list_decisions(store)[0].decision


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"decision": " "}, "decision"),
        ({"decision": "\u200b\u202e"}, "decision"),
        ({"asset": "\u200b"}, "asset"),
        ({"role_id": ""}, "role"),
        ({"role_id": None}, "role"),
        ({"role_id": []}, "role"),
        ({"role_id": "desk.peers"}, "inputs.rivals"),
        ({"role_id": "desk.peers", "inputs": {"rivals": "ETH"}}, "inputs.rivals"),
        ({"role_id": "desk.peers", "inputs": {"rivals": ["sol-usd"]}}, "inputs.rivals"),
        ({"role_id": "desk.peers", "inputs": {"rivals": ["ETH"] * 21}}, "inputs.rivals"),
        ({"role_id": "desk.peers", "inputs": {"rivals": ["ETH", 7]}}, "inputs.rivals[1]"),
        ({"role_id": "desk.beside", "asset": "ETH/USDT"}, "asset"),
        ({"asset": None}, "asset"),
        ({"asset": "S" * 101}, "asset"),
        ({"direction": None}, "direction"),
        ({"direction": "up"}, "direction"),
        ({"confidence": 1.1}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"inputs": {"a": float("inf")}}, "inputs"),
        ({"inputs": ["a"]}, "inputs"),
        ({"context": {"a": "b\0"}}, "context"),
        ({"context": {"a": "b" * 400_000}}, "context"),
        ({"origin": "god"}, "origin"),
        ({"key": ""}, "key"),
    ],
)
def test_what_could_not_be_kept_or_judged_is_refused_by_name(store, record, changes, field):
    with pytest.raises(InvalidInputError) as refused:
        record(**changes)

    assert refused.value.field == field
    assert list_decisions(store) == []


def test_a_decision_of_the_future_is_refused(clock, record):
    with pytest.raises(InvalidInputError, match="still to come"):
        record(decided_at=clock() + timedelta(seconds=1))


def test_where_no_price_judges_no_direction_is_asked_for(store, record):
    record(replace(NEW, role_id="desk.words", asset=None, direction=None))
    assert list_decisions(store)[0].direction == "neutral"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"confidence": 2.5}, "decisions[1].confidence: is 2.5"),
        ({"role_id": "desk.moon"}, "decisions[1].role: 'desk.moon' is declared by no skill"),
        ({"decided_at": datetime(2999, 1, 1, tzinfo=UTC)}, "decisions[1].decided_at: 2999"),
        ({"key": "a", "direction": "short"}, "decisions[1].key: 'a' names another"),
        ({"supersedes": "nobody"}, "decisions[1].supersedes: desk.calls has no decision 'nobody'"),
    ],
)
def test_of_a_bad_list_nothing_is_recorded_and_the_place_is_named(
    store, clock, ids, changes, named
):
    news = [replace(NEW, key="a"), replace(NEW, **changes)]
    with pytest.raises((InvalidInputError, NotFoundError)) as refused:
        record_decisions(store, REGISTRY, news, clock, ids)

    assert str(refused.value).startswith(named)
    assert list_decisions(store) == []


def test_a_decision_beside_the_peers_it_names_is_recorded(record):
    assert record(role_id="desk.peers", inputs={"rivals": ["ETH", "SOL"]}).is_new
    assert record(role_id="desk.beside").is_new


def test_a_role_nobody_declares_records_nothing(record):
    with pytest.raises(NotFoundError, match=r"market\.moon"):
        record(role_id="market.moon")


def test_a_better_account_takes_its_place_and_the_first_is_never_judged(store, clock, record):
    first = record()
    clock.advance(minutes=1)
    second = record(decision="Buy SOL at 180", supersedes=first.uid)

    old = show_decision(store, first.uid).decision
    assert (old.state, old.reason) == ("skipped", "superseded")
    assert (old.superseded_by, old.superseded_at) == (second.id, clock())
    with pytest.raises(ConflictError):
        record(decision="Buy SOL at 170", supersedes=first.uid)
    with pytest.raises(NotFoundError):
        record(supersedes="nobody")
    before = list_decisions(store, as_of=clock() - timedelta(seconds=1))
    assert [(one.id, one.state, one.superseded_by) for one in before] == [
        (first.id, "pending", None)
    ]


def test_a_role_triggered_by_writes_reflects_when_its_oldest_decision_is_ripe(store, clock, ids):
    new = replace(NEW, role_id="desk.swift")

    def due():
        return rows(store, "SELECT key, available_at FROM jobs WHERE kind = 'reflect_entries'")

    record_decision(store, REGISTRY, new, clock, ids)
    ((key, at),) = due()
    assert (key, at) == ("desk.swift", micros(clock() + timedelta(hours=24)))
    old = replace(new, decided_at=clock() - timedelta(hours=30))
    record_decision(store, REGISTRY, old, clock, ids)
    assert due() == [("desk.swift", micros(clock()))]
    record_decision(store, REGISTRY, replace(NEW), clock, ids)
    assert len(due()) == 1  # the other role has its clock


def micros(moment):
    return int(moment.timestamp() * 1_000_000)


def test_a_decision_has_the_edges_of_its_asset_and_its_words(store, clock, record):
    one = record(decision="Rotate out of ETH into SOL", scenario_id="rotation")
    extract_role_edges(store, leased(store, clock, EXTRACT_ROLE_EDGES), clock())

    edges = rows(
        store,
        "SELECT dst_entity_kind, dst_entity_key, edge_type FROM memory_edges"
        " WHERE src_table = 'role_memory' AND src_id = ?",
        one.id,
    )
    assert ("ticker", "SOL", "traded") in edges
    assert ("scenario", "rotation", "belongs_to_scenario") in edges
    assert any(key == "ETH" for _, key, _ in edges)


def test_a_decision_gets_a_vector_and_all_that_is_its_goes_with_it(store, clock, ids):
    new = replace(NEW, context={"a": 1})
    one = record_decision(store, REGISTRY, new, clock, ids, embedding_enabled=True)
    extract_role_edges(store, leased(store, clock, EXTRACT_ROLE_EDGES), clock())
    embedder = HashedEmbedder()
    embed_role_entries(store, leased(store, clock, EMBED_ROLE_ENTRIES), embedder, clock())
    assert show_decision(store, one.id).decision.embedding_state == "embedded"
    counts = (
        "SELECT (SELECT count(*) FROM memory_edges), (SELECT count(*) FROM role_vectors),"
        " (SELECT count(*) FROM decision_contexts)"
    )
    assert 0 not in rows(store, counts)[0]

    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM role_memory")

    assert rows(store, counts) == [(0, 0, 0)]


def test_lost_edges_and_vectors_are_found_and_asked_for_again(store, clock, ids):
    one = record_decision(store, REGISTRY, NEW, clock, ids, embedding_enabled=True)
    extract_role_edges(store, leased(store, clock, EXTRACT_ROLE_EDGES), clock())
    embedder = HashedEmbedder()
    assert missing_role_edges(store) == []
    assert backfill_role_embeddings(store, embedder, clock(), 9) == 0  # its job will bring one
    embed_role_entries(store, leased(store, clock, EMBED_ROLE_ENTRIES), embedder, clock())
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM memory_edges")

    ((row_id, edges),) = missing_role_edges(store)
    assert (row_id, edges[0].entity_key) == (one.id, "SOL")
    with writing(store) as conn:
        assert keep_role_edges(conn, [(row_id, edges)], clock()) == len(edges)
    assert missing_role_edges(store) == []
    other = HashedEmbedder(dimensions=8)
    assert backfill_role_embeddings(store, other, clock(), 9) == 1
    embed_role_entries(store, leased(store, clock, EMBED_ROLE_ENTRIES), other, clock())
    assert rows(store, "SELECT length(vector) FROM role_vectors ORDER BY id") == [(256,), (32,)]


def test_an_old_model_s_vectors_stay_until_decisions_have_new_ones_too(store, clock, ids, writer):
    record_decision(store, REGISTRY, NEW, clock, ids, embedding_enabled=True)
    old, new = HashedEmbedder(), HashedEmbedder(dimensions=8)
    embed_role_entries(store, leased(store, clock, EMBED_ROLE_ENTRIES), old, clock())
    write_memory(writer, NewMemory("lesson", "Wait a day"))
    backfill_embeddings(store, new, clock(), 9)
    embed_memories(store, leased(store, clock, EMBED_MEMORIES), new, clock())

    tables = (MEMORY_VECTORS, DECISION_VECTORS)
    assert drop_other_models(store, new, tables) == 0
    assert rows(store, "SELECT length(vector) FROM role_vectors") == [(256,)]
    assert backfill_role_embeddings(store, new, clock(), 9) == 1
    embed_role_entries(store, leased(store, clock, EMBED_ROLE_ENTRIES), new, clock())
    assert drop_other_models(store, new, tables) == 1
    assert rows(store, "SELECT length(vector) FROM role_vectors") == [(32,)]


def test_a_shared_context_stays_while_a_decision_was_made_on_it(store, record):
    first, _ = record(context={"a": 1}), record(context={"a": 1})
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM role_memory WHERE id = ?", (first.id,))

    assert rows(store, "SELECT count(*) FROM decision_contexts") == [(1,)]


@pytest.mark.parametrize(
    "change",
    [
        "decision = 'Sell'",
        "inputs = '{}'",
        "asset = 'BTC'",
        "decided_at = 0",
        "known_at = 0",
        "context_hash = (SELECT hash FROM decision_contexts LIMIT 1)",
        "state = 'reflected', reflected_at = 1",
        "state = 'parked'",
        "outcome = 'wrong'",
        "outcome = 'right', measured = '{}', narrative = 'x', classified_by = 'x',"
        " classified_at = 1, classification = 'variance'",
        "outcome = 'wrong', measured = '{}', narrative = 'x', classified_by = 'x',"
        " classified_at = 1",
        "lesson = 'x', lesson_by = 'x'",
        "confidence = 7",
    ],
)
def test_the_schema_refuses_another_past_and_half_a_reflection(store, record, change):
    record(context={"a": 1})
    with pytest.raises(IntegrityError), writing(store) as conn:
        conn.exec_driver_sql(f"UPDATE role_memory SET {change}")


JUDGED = (
    "measured = '{}', narrative = 'x', classified_by = 'x', classified_at = 1, state = 'reflected',"
    " reflected_at = 2"
)


@pytest.mark.parametrize("word", ["exogenous", "variance"])
def test_the_schema_takes_no_lesson_from_luck_or_news(store, record, word):
    record()
    said = f"outcome = 'wrong', classification = '{word}', {JUDGED}"
    with pytest.raises(IntegrityError), writing(store) as conn:
        conn.exec_driver_sql(f"UPDATE role_memory SET {said}, lesson = 'x', lesson_by = 'x'")
    with writing(store) as conn:
        conn.exec_driver_sql(f"UPDATE role_memory SET {said}")
    for again in ("lesson = 'x'", "outcome = 'right'", "state = 'pending'", "reflected_at = 3"):
        with pytest.raises(IntegrityError, match="once"), writing(store) as conn:
            conn.exec_driver_sql(f"UPDATE role_memory SET {again}")


def test_a_frozen_context_never_changes(store, record):
    record(context={"a": 1})
    with pytest.raises(IntegrityError, match="never changes"), writing(store) as conn:
        conn.exec_driver_sql("UPDATE decision_contexts SET body = '{}'")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(context=st.dictionaries(st.text(max_size=8), JSON, max_size=4), words=st.text(max_size=60))
def test_any_context_and_words_come_back_or_are_refused_by_name(store, clock, context, words):
    new = replace(NEW, decision=words, context=context)
    try:
        one = record_decision(store, REGISTRY, new, clock, random_uid)
    except InvalidInputError as refused:
        assert refused.field in ("decision", "context")
        return
    shown = show_decision(store, one.id)
    assert shown.decision.decision == words
    assert json.dumps(shown.context, sort_keys=True) == json.dumps(context, sort_keys=True)
