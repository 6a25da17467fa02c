"""A methodology is stored once; what says the same is a sighting, and never a use."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies import compare_rows
from afterword.pipeline.domain.methodologies.compare_rows import TermGroup
from afterword.pipeline.domain.methodologies.similarity import cosine, terms, weights
from afterword.pipeline.errors import InvalidInputError

GROUP = TermGroup("major_crypto", "bullish", "short")


def facts(store, sql):
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(sql).all()]


def test_a_new_one_starts_in_quarantine_with_its_event_and_audit_line(store, add):
    done = add("Buy when RSI is below 30", source="import", imported_uses=90, imported_correct=80)

    assert done.is_new
    state = "SELECT quarantine, confidence, times_used, effective_uses FROM methodologies"
    assert facts(store, state) == [(1, 0.1, 0, 0)]
    events = "SELECT methodology_id, kind, said_by FROM methodology_lifecycle_events"
    assert facts(store, events) == [(done.id, "created", "owner")]
    line = "SELECT actor, object_id FROM audit_log WHERE tool_call = 'methodology.add'"
    assert facts(store, line) == [("owner", done.id)]


def test_the_same_in_other_words_is_a_sighting_and_never_a_use(store, add, listed):
    first = add("Buy BTC on RSI dip")
    again = add("Enter long when RSI oversold")

    assert (again.uid, again.is_new, again.recognised_by) == (first.uid, False, "fields")
    (one,) = listed()
    assert (one.sightings, one.figures.times_used, one.figures.effective_uses) == (2, 0, 0)


def test_without_a_known_indicator_the_words_decide(add):
    first = add("Buy the spot bitcoin ETF after five days of outflows")
    same = add("Go long the bitcoin spot ETF following five consecutive days of outflows")
    other = add("Buy whatever the loudest account on the street names at noon")

    assert (same.uid, same.recognised_by) == (first.uid, "tfidf")
    assert other.is_new


def test_a_text_without_words_is_compared_by_its_characters(add):
    first = add("12 34 56 !!")

    assert add("12 34 56 !!!").recognised_by == "jaccard"
    assert add("98 76 54 ??").is_new
    assert not first.payloads


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Buy when RSI is below 30", "Buy when RSI breaks above 70 and keeps rising"),
        ("Buy when RSI is below 30", "Buy when RSI is below 20"),
        ("Buy BTC at support", "Buy BTC when it breaks resistance"),
        ("Buy BTC at support", "Buy ETH at support"),
        ("Buy BTC at support", "Sell BTC at support"),
        ("Buy before the token unlock", "Buy after the token unlock"),
        ("资金费率为负时买入", "资金费率为正时买入"),
        ("日线RSI低于30时买入比特币", "日线RSI低于15时买入比特币"),
    ],
)
def test_what_contradicts_is_another_methodology(add, one, other):
    add(one)

    assert add(other).is_new


@pytest.mark.parametrize(
    "fields",
    [
        {"direction": "bearish"},
        {"asset_class": "stock"},
        {"timeframe": "long"},
        {"source": "placebo"},
    ],
)
def test_another_direction_class_or_timeframe_is_never_the_same(add, fields):
    add("Buy BTC at support")

    assert add("Buy BTC at support", **fields).is_new


def test_the_owner_may_keep_a_look_alike_apart_and_an_agent_may_not(add, writer):
    first = add("Buy BTC at support")

    assert add("Buy BTC at support", as_new=True).uid != first.uid
    with pytest.raises(InvalidInputError, match="owner"):
        add("Buy BTC at support", as_new=True, by=writer)


def test_what_repeats_a_merged_one_is_a_sighting_of_its_survivor(add, change):
    survivor = add("Buy BTC at support")
    merged = add("Buy BTC when the level below holds", primary_signal="momentum")
    change(merged, "merged", into=survivor.id)

    again = add("Buy BTC when the level below holds", primary_signal="momentum")

    assert (again.uid, again.is_new) == (survivor.uid, False)


def test_a_key_names_one_methodology_also_where_it_was_a_sighting(store, add, listed):
    first = add("Buy BTC on RSI dip", key="a")
    sighted = add("Enter long when RSI oversold", key="b")

    assert add("Buy BTC on RSI dip", key="a").is_repeat
    repeat = add("Enter long when RSI oversold", key="b")
    assert (repeat.is_repeat, repeat.uid) == (True, sighted.uid)
    assert listed()[0].sightings == 2
    for key in "ab":
        with pytest.raises(InvalidInputError, match=first.uid):
            add("Sell everything on RSI", key=key)


def test_two_processes_adding_the_same_key_at_once_end_with_one_row(store, home, command):
    line = [sys.executable, "-m", "afterword", "--home", str(home)]
    line += ["methodology", "add", "Buy BTC at support", "--key", "a", "--class", "major_crypto"]
    line += ["--direction", "bullish", "--timeframe", "short", "--json"]
    both = [subprocess.Popen(line, stdout=subprocess.PIPE, env=os.environ.copy()) for _ in range(2)]
    done = [json.loads(one.communicate()[0]) for one in both]

    assert sorted(one["is_repeat"] for one in done) == [False, True]
    assert facts(store, "SELECT count(*), sum(sightings) FROM methodologies") == [(1, 1)]


WORDS = [
    "rsi",
    "dip",
    "spike",
    "trend",
    "weekly",
    "close",
    "funding",
    "whale",
    "unlock",
    "breakout",
    "quiet",
    "narrow",
    "band",
]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=2, max_size=12))
def test_the_index_finds_what_comparing_with_every_text_finds(stores, clock, texts):
    store = stores.group("main", create=True)
    *stored, new = [" ".join(words) for words in texts]
    with writing(store) as conn:
        conn.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        for place, text in enumerate(stored, 1):
            compare_rows.insert_terms(conn, place, GROUP, weights(terms(text)))
        found = compare_rows.alike(conn, GROUP, weights(terms(new)), 0.5, 100)
        conn.exec_driver_sql("DELETE FROM methodology_terms")
    expected = {place: cosine(text, new) for place, text in enumerate(stored, 1)}

    sure = {place for place, near in expected.items() if near > 0.500001}
    assert sure <= {place for place, _ in found}
    assert all(abs(expected[place] - near) < 1e-9 for place, near in found)


def test_a_deleted_or_forgotten_one_leaves_no_words(store, add):
    done = add("Buy BTC at support")
    assert facts(store, "SELECT count(*) > 0 FROM methodology_terms") == [(1,)]
    with writing(store) as conn:
        conn.exec_driver_sql(
            "UPDATE methodologies SET methodology = '(forgotten)' WHERE id = ?", (done.id,)
        )

    assert facts(store, "SELECT count(*) FROM methodology_terms") == [(0,)]
    assert add("Buy BTC at support").is_new
