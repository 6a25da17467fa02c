"""Claims about what is known of an entity: only what stands, strongest first, as of any time."""

from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text as sql

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import STRONGEST_FIRST, extract_edges
from afterword.pipeline.domain.edges.read import (
    EntityCount,
    name_entity,
    neighbourhood,
    top_entities,
)
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.visibility import visible
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.clock import ManualClock

WALLET = "0xabcdef0123456789abcdef0123456789abcdef01"


@pytest.fixture
def say(store: Store, clock: ManualClock, system: Writer):
    """Write a memory with its edges, a minute after the one before; return its id."""

    def write(text: str, scenario_id: str | None = None, parents: tuple[int, ...] = ()) -> int:
        clock.advance(minutes=1)
        new = NewMemory("context", text, type="context", scenario_id=scenario_id, parents=parents)
        with writing(store) as conn:
            (row,) = insert_memories(conn, system, [new], clock())
            edge_rows.keep(conn, [(row.id, extract_edges(text, scenario_id))], to_micros(clock()))
        return row.id

    return write


def known(
    store: Store, kind: str, key: str, as_of: datetime | None = None
) -> list[tuple[int, tuple[str, ...]]]:
    found = neighbourhood(store, kind, key, as_of=as_of)  # type: ignore[arg-type]  # any word is refused or not
    return [(about.memory.id, about.edge_types) for about in found.memories]


def test_what_is_done_counts_before_what_is_mentioned_and_the_newest_before_the_older(store, say):
    mentioned = say("BTC dominance rose")
    held, watched = say("long BTC"), say("watching BTC")
    both, again = say("swapped BTC, then sold BTC"), say("bought BTC")
    say("long ETH")

    assert known(store, "ticker", "BTC") == [
        (again, ("holds",)),
        (held, ("holds",)),
        (both, ("exited", "traded")),
        (watched, ("watched",)),
        (mentioned, ("mentions",)),
    ]
    assert [m.memory.id for m in neighbourhood(store, "ticker", "BTC", 2).memories] == [again, held]


def test_the_newest_is_what_happened_last_or_became_known_where_nobody_said_when(
    store, say, clock, system
):
    first = say("long BTC")
    old = NewMemory("trade_outcome", "long BTC", occurred_at=clock() - timedelta(days=900))
    with writing(store) as conn:
        (late,) = insert_memories(conn, system, [old], clock())
        edge_rows.keep(conn, [(late.id, extract_edges(old.content, None))], to_micros(clock()))

    assert [row for row, _ in known(store, "ticker", "BTC")] == [first, late.id]


def test_what_no_reader_sees_is_neither_about_an_entity_nor_counted(
    store, say, clock, owner, system, writer
):
    kept, deleted, replaced = say("long BTC"), say("short BTC"), say("watching BTC")
    derived = say("holding BTC and ETH", parents=(deleted,))
    before = clock()
    clock.advance(minutes=1)
    delete_memory(writer, deleted)
    with writing(store) as conn:
        supersede(conn, system, replaced, kept, clock())

    assert [row for row, _ in known(store, "ticker", "BTC")] == [kept]
    assert top_entities(store) == [EntityCount("ticker", "BTC", 1)]
    assert neighbourhood(store, "ticker", "BTC").beside == ()
    then = neighbourhood(store, "ticker", "BTC", as_of=before)
    assert {about.memory.id for about in then.memories} == {kept, deleted, replaced, derived}
    assert then.beside == (EntityCount("ticker", "ETH", 1),)
    assert top_entities(store, as_of=before)[0] == EntityCount("ticker", "BTC", 4)

    restore_memory(owner, deleted)
    assert top_entities(store) == [EntityCount("ticker", "BTC", 2)]


def test_an_earlier_moment_knows_nothing_of_a_later_one(store, say, clock):
    first = say("long BTC")
    then = clock()
    say("watching BTC and ETH")

    assert [row for row, _ in known(store, "ticker", "BTC", then)] == [first]
    assert top_entities(store, as_of=then) == [EntityCount("ticker", "BTC", 1)]
    assert top_entities(store, as_of=then - timedelta(days=1)) == []


def test_tickers_named_together_are_counted_the_most_frequent_first(store, say):
    for text in ("BTC and ETH", "ETH beat BTC", "BTC or SOL", "SOL and ETH"):
        say(text)

    beside = neighbourhood(store, "ticker", "BTC").beside
    assert beside == (EntityCount("ticker", "ETH", 2), EntityCount("ticker", "SOL", 1))
    assert len(neighbourhood(store, "ticker", "BTC", 1).beside) == 1


def test_a_pair_a_chain_and_a_scenario_are_asked_like_a_ticker(store, say):
    pair = say("BTC and ETH")
    chain, filed = say("bridged to Arbitrum"), say("stops trail", scenario_id="scalps")

    assert known(store, "pair", "BTC|ETH") == [(pair, ("co_occurs_with",))]
    assert [row for row, _ in known(store, "chain", "arbitrum")] == [chain]
    assert known(store, "scenario", "scalps") == [(filed, ("belongs_to_scenario",))]
    assert top_entities(store, kind="scenario") == [EntityCount("scenario", "scalps", 1)]
    assert {one.kind for one in top_entities(store)} == {"ticker", "chain"}


@pytest.mark.parametrize(
    ("written", "entity"),
    [
        ("bitcoin", ("ticker", "BTC")),
        ("btc/usdt", ("ticker", "BTC")),
        ("EUR/USD", ("ticker", "EURUSD")),
        ("xyz:TSLA", ("ticker", "TSLA")),
        ("以太坊", ("ticker", "ETH")),
        ("base", ("chain", "base")),
        ("eth | btc", ("pair", "BTC|ETH")),
        (WALLET.upper().replace("X", "x"), ("address", WALLET)),
        ("NEVERSEEN", ("ticker", "NEVERSEEN")),
    ],
)
def test_an_entity_is_named_as_people_write_it(written: str, entity: tuple[str, str]):
    assert name_entity(written) == entity


def test_a_name_of_two_things_is_the_one_asked_for():
    assert name_entity("arbitrum", "ticker") == ("ticker", "ARB")
    assert name_entity("arbitrum", "chain") == ("chain", "arbitrum")
    assert name_entity("arbitrum", "scenario") == ("scenario", "arbitrum")


def test_what_cannot_be_asked_is_refused(store):
    for ask in (
        lambda: neighbourhood(store, "coin", "BTC"),  # type: ignore[arg-type]  # the point
        lambda: neighbourhood(store, "ticker", "BTC", 0),
        lambda: top_entities(store, 1_001),
        lambda: name_entity("  "),
        lambda: name_entity("|ETH"),
    ):
        with pytest.raises(InvalidInputError):
            ask()


def test_edge_types_are_ordered_as_they_are_extracted():
    said = extract_edges("bought BTC, sold ETH, watching SOL, swapped DOGE; LINK is up", "scalps")
    ranks = [STRONGEST_FIRST.index(edge.edge_type) for edge in said if edge.entity_kind != "pair"]

    assert ranks[0] == 0
    assert ranks[-1] == STRONGEST_FIRST.index("mentions")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("wdsr"), st.integers(0, 30)), min_size=5, max_size=30))
def test_an_entity_has_at_every_moment_the_memories_that_stood_then(
    store, say, clock, owner, system, writer, steps
):
    written: list[int] = []
    moments: list[datetime] = []
    for step, pick in steps:
        clock.advance(minutes=1)
        try:
            if step == "w" or not written:
                parents = (written[pick % len(written)],) if written and pick % 3 == 0 else ()
                written.append(say("long BTC", parents=parents))
            elif step == "d":
                delete_memory(writer, written[pick % len(written)])
            elif step == "r":
                restore_memory(owner, written[pick % len(written)])
            else:
                with writing(store) as conn:
                    supersede(conn, system, written[pick % len(written)], written[-1], clock())
        except Exception as refused:  # what is not allowed changes nothing
            assert type(refused).__name__ in {"NotFoundError", "ConflictError"}
        moments.append(clock())
    for moment in (None, *moments):
        at = None if moment is None else to_micros(moment)
        with reading(store) as conn:
            query = sql(f"SELECT id FROM memories WHERE {visible(at)}")
            expected = set(conn.execute(query, {"as_of": at}).scalars())
        about = neighbourhood(store, "ticker", "BTC", 1000, as_of=moment).memories
        counted = {one.key: one.edges for one in top_entities(store, as_of=moment)}
        assert {one.memory.id for one in about} == expected
        assert counted.get("BTC", 0) == len(expected)
