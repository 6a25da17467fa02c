"""The job that finds what memories are about writes each edge once, whoever repeats it."""

from typing import Any

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.edges.extract import extract_memory_edges
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import MemoryIds, NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.testing.clock import ManualClock

TEXTS = ("long ETH from $3200", "watching BTC and SOL", "prefers weekly charts")


@pytest.fixture
def written(clock: ManualClock, writer: Writer) -> list[MemoryIds]:
    news = [NewMemory("context", text, type="context") for text in TEXTS]
    news.append(NewMemory("lesson", "stops trail", scenario_id="scalps"))
    rows = write_memories(writer, news)
    clock.advance(hours=1)
    return rows


def taken(store: Store, clock: ManualClock) -> Leases:
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, EXTRACT_EDGES.name, EXTRACT_EDGES.batch, clock())]
        return lease(conn, ids, "worker", clock, EXTRACT_EDGES)


def edges(store: Store) -> set[tuple[Any, ...]]:
    query = "SELECT src_id, dst_entity_kind, dst_entity_key, edge_type FROM memory_edges"
    with reading(store) as conn:
        return {tuple(row) for row in conn.exec_driver_sql(query)}


def test_edges_say_what_each_memory_is_about(
    store: Store, clock: ManualClock, written: list[MemoryIds]
):
    added = extract_memory_edges(store, taken(store, clock), clock())

    found = edges(store)
    assert len(found) == added
    assert (written[0].id, "ticker", "ETH", "holds") in found
    assert (written[1].id, "ticker", "BTC", "watched") in found
    assert (written[3].id, "scenario", "scalps", "belongs_to_scenario") in found
    assert not any(memory_id == written[2].id for memory_id, *_ in found)
    with reading(store) as conn:
        assert counts(conn) == {}


def test_an_edge_became_known_with_its_memory(
    store: Store, clock: ManualClock, written: list[MemoryIds]
):
    extract_memory_edges(store, taken(store, clock), clock())

    with reading(store) as conn:
        moments = conn.exec_driver_sql("SELECT DISTINCT known_at, created_at FROM memory_edges")
        known = conn.exec_driver_sql("SELECT DISTINCT known_at FROM memories").scalar_one()
        assert [tuple(row) for row in moments] == [(known, to_micros(clock()))]
    assert known < to_micros(clock())


def test_a_replay_costs_no_rows(store: Store, clock: ManualClock, written: list[MemoryIds]):
    extract_memory_edges(store, taken(store, clock), clock())
    with reading(store) as conn:
        before = content_hash(conn, "memory_edges")
    with writing(store) as conn:
        add_many(conn, EXTRACT_EDGES, [{"memory_id": row.id} for row in written], clock())
    clock.advance(days=1)

    assert extract_memory_edges(store, taken(store, clock), clock()) == 0
    with reading(store) as conn:
        assert content_hash(conn, "memory_edges") == before


def test_rows_that_are_gone_for_good_are_skipped_and_their_jobs_end(
    store: Store, clock: ManualClock, written: list[MemoryIds], writer: Writer
):
    delete_memory(writer, written[0].uid)  # a read as of its life still needs its edges
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM memories WHERE id = ?", (written[1].id,))

    extract_memory_edges(store, taken(store, clock), clock())

    assert {memory_id for memory_id, *_ in edges(store)} == {written[0].id, written[3].id}
    with reading(store) as conn:
        assert counts(conn) == {}


def test_a_worker_that_lost_its_lease_writes_no_edge(
    store: Store, clock: ManualClock, written: list[MemoryIds]
):
    late = taken(store, clock)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET epoch = epoch + 1")

    with pytest.raises(LeaseLostError):
        extract_memory_edges(store, late, clock())
    assert edges(store) == set()
