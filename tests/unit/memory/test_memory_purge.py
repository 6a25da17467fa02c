"""What nobody can read any more is removed for good; reads of a past it was part of are refused."""

from datetime import timedelta
from typing import Any

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.memory import purge
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.purge import Retention, expired, purge_expired
from afterword.pipeline.domain.memory.purge_rows import PurgeCounts
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.settings import load
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

KEPT = Retention()


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


@pytest.fixture
def keep(writer):
    """Store one entry, in another's place if named, and return its uid."""

    def keep(content: str, supersedes: str | None = None) -> str:
        new = new_entry("preference", content, actor="agent")
        return store_entry(writer, new, supersedes=supersedes).uid

    return keep


def test_a_deleted_row_goes_when_it_can_no_longer_be_restored(store, clock, keep, owner, writer):
    uid = keep("weekly charts")
    delete_memory(writer, uid)
    clock.advance(days=30)
    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 0)

    clock.advance(microseconds=1)
    assert expired(store, clock(), KEPT) == PurgeCounts(1, 0)
    assert purge_expired(store, clock(), KEPT) == PurgeCounts(1, 0)
    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 0)
    with pytest.raises(NotFoundError):
        restore_memory(owner, uid)


def test_a_superseded_row_goes_after_ninety_days(store, clock, keep):
    old = keep("weekly charts")
    clock.advance(hours=1)
    new = keep("daily charts", old)
    clock.advance(days=90)
    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 0)

    clock.advance(microseconds=1)
    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 1)
    assert [row.uid for row in read_memories(store)] == [new]


def test_the_retention_is_a_setting(store, clock, keep, writer):
    delete_memory(writer, keep("a"))
    keep("c", keep("b"))
    clock.advance(days=2)

    day = timedelta(days=1)
    assert purge_expired(store, clock(), Retention(deleted=day)) == PurgeCounts(1, 0)
    assert purge_expired(store, clock(), Retention(superseded=day)) == PurgeCounts(0, 1)


def test_a_restored_row_and_a_living_one_stay(store, clock, keep, owner, writer):
    uid = keep("weekly charts")
    delete_memory(writer, uid)
    restore_memory(owner, uid)
    clock.advance(days=1_000)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 0)
    assert get_memory(store, uid).content == "weekly charts"


def test_facts_of_the_fact_layer_stay_and_typed_ones_go(store, clock, system, writer):
    for new in (NewMemory("fact", "has a dog"), NewMemory("fact", "has a cat", type="fact")):
        with writing(store) as conn:
            old, later = insert_memories(conn, writer, [new, new], clock(), as_facts=True)
            supersede(conn, system, old.id, later.id, clock())
    clock.advance(days=91)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 1)
    assert rows(store, "SELECT content FROM memories WHERE superseded_at IS NOT NULL") == [
        ("has a dog",)
    ]


def test_all_that_hangs_on_a_row_goes_with_it(store, clock, keep, writer):
    uid = keep("long ETH, 做多")
    row_id = get_memory(store, uid).id
    with writing(store) as conn:
        for sql in (
            "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key,"
            f" edge_type, known_at, created_at) VALUES ('memories', {row_id}, 'ticker', 'ETH',"
            " 'holds', 0, 0)",
            "INSERT INTO embedding_models VALUES (1, 'p', 'm', 2, 0)",
            f"INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES ({row_id}, 1, x'00')",
        ):
            conn.exec_driver_sql(sql)
    delete_memory(writer, uid)
    clock.advance(days=31)
    purge_expired(store, clock(), KEPT)

    for table in ("memories", "memory_edges", "memory_vectors", "memory_absences"):
        assert rows(store, f"SELECT count(*) FROM {table}") == [(0,)]
    for word in ("ETH", '"做多"'):
        found = f"SELECT count(*) FROM memories_fts WHERE memories_fts MATCH '{word}'"
        assert rows(store, found) == [(0,)]
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)"
        )


def test_a_chain_outlives_the_members_that_are_removed(store, clock, keep, system, writer):
    """The first is a fact's row and stays, the two in the middle go, the last one stands."""
    second = keep("b")
    with writing(store) as conn:
        (first,) = insert_memories(conn, writer, [NewMemory("fact", "a")], clock(), as_facts=True)
        supersede(conn, system, first.id, get_memory(store, second).id, clock())
    last = keep("d", keep("c", second))
    clock.advance(days=91)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(0, 2)
    assert get_memory(store, first.uid).superseded_by == get_memory(store, last).id
    assert [row.uid for row in read_memories(store)] == [last]


def test_a_row_whose_successor_is_removed_stays_superseded(store, clock, keep, writer):
    first = keep("a")
    second = keep("b", first)
    delete_memory(writer, second)
    clock.advance(days=31)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(1, 0)
    orphan = get_memory(store, first)
    assert (orphan.superseded_by, orphan.superseded_at is None) == (None, False)
    assert read_memories(store) == []


def test_the_past_is_refused_up_to_where_removed_rows_were_alive(store, clock, keep):
    keep("stays")
    old = keep("weekly charts")
    clock.advance(days=1)
    keep("daily charts", old)
    gone_at = clock()
    clock.advance(days=91)
    purge_expired(store, clock(), KEPT)

    with pytest.raises(InvalidInputError, match="as_of: rows that stood then were purged"):
        read_memories(store, as_of=gone_at - timedelta(microseconds=1))
    then = read_memories(store, as_of=gone_at)
    assert {row.content for row in then} == {"stays", "daily charts"}


def test_a_row_deleted_after_it_was_superseded_was_alive_until_then(store, clock, keep, writer):
    old = keep("weekly charts")
    clock.advance(days=1)
    keep("daily charts", old)
    gone_at = clock()
    clock.advance(days=1)
    delete_memory(writer, old)
    clock.advance(days=31)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(1, 0)
    assert [row.content for row in read_memories(store, as_of=gone_at)] == ["daily charts"]


def test_many_rows_go_in_short_transactions_each_with_its_line(
    store, clock, keep, monkeypatch, writer
):
    monkeypatch.setattr(purge, "_BATCH", 3)
    for number in range(7):
        delete_memory(writer, keep(str(number)))
    clock.advance(days=31)
    told: list[dict[str, Any]] = []
    stop = listen(lambda action, facts: told.append(facts) if action == "memory.purged" else None)

    assert purge_expired(store, clock(), KEPT) == PurgeCounts(7, 0)
    stop()
    assert told == [{"group": "main", "deleted": 7, "superseded": 0}]
    assert rows(store, "SELECT deleted, superseded FROM memory_purges") == [(3, 0), (3, 0), (1, 0)]
    assert rows(
        store,
        "SELECT actor, detail ->> 'deleted' FROM audit_log WHERE tool_call = 'memory.purge'",
    ) == [("system", 3), ("system", 3), ("system", 1)]


def test_a_dry_look_changes_nothing(store, clock, keep, writer):
    delete_memory(writer, keep("a"))
    clock.advance(days=31)

    assert expired(store, clock(), KEPT) == expired(store, clock(), KEPT) == PurgeCounts(1, 0)
    assert rows(store, "SELECT count(*) FROM memory_purges") == [(0,)]


def test_as_a_job_it_ends_with_its_lease(home, store, clock, keep, writer):
    delete_memory(writer, keep("a"))
    clock.advance(days=31)
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock)
    route = ROUTES["purge_expired"]
    with writing(store) as conn:
        add(conn, route.kind, {}, clock())
        job_ids = [row.id for row in claim(conn, route.kind.name, 1, clock())]
        leases = lease(conn, job_ids, "worker", clock, route.kind)
    route.run(Work(context, "main", store, leases))

    assert rows(store, "SELECT deleted FROM memory_purges") == [(1,)]
    assert rows(store, "SELECT kind FROM jobs WHERE kind = 'purge_expired'") == []
    with pytest.raises(LeaseLostError):  # a late second delivery
        route.run(Work(context, "main", store, leases))
    context.stores.close()
