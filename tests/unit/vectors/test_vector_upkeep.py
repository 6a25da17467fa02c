"""An old model's vectors go when they are not needed, bad ones when they are found."""

from collections.abc import Callable
from typing import Any

import pytest

from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.vectors.embed import backfill_embeddings, embed_memories
from afterword.pipeline.domain.vectors.upkeep import RepairReport, drop_other_models, repair_vectors
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder

OLD, NEW = HashedEmbedder(8), HashedEmbedder(12)
Embed = Callable[..., int]


@pytest.fixture
def embed(store: Store, clock: ManualClock) -> Embed:
    """Embed what waits for a vector of an embedder's model; return how many."""

    def embed(embedder: HashedEmbedder, limit: int = 100) -> int:
        backfill_embeddings(store, embedder, clock(), limit)
        with writing(store) as conn:
            rows = [row.id for row in claim(conn, EMBED_MEMORIES.name, limit, clock())]
            leases = lease(conn, rows, "worker", clock, EMBED_MEMORIES)
        embed_memories(store, leases, embedder, clock())
        return len(rows)

    return embed


@pytest.fixture(autouse=True)
def memories(writer: Writer) -> None:
    news = [NewMemory("lesson", f"lesson number {number}") for number in range(5)]
    write_memories(writer, [*news, NewMemory("lesson", "ok")])


def lengths(store: Store) -> list[int]:
    with reading(store) as conn:
        query = "SELECT length(vector) FROM memory_vectors ORDER BY id"
        return [int(length) for length in conn.exec_driver_sql(query).scalars()]


def models(store: Store) -> list[int]:
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT dimensions FROM embedding_models").scalars())


def edit(store: Store, *statements: str) -> Any:
    with writing(store) as conn:
        for statement in statements:
            conn.exec_driver_sql(statement)


def test_the_old_vectors_go_once_the_last_row_has_a_new_one(store, embed):
    embed(OLD)

    embed(NEW, limit=3)
    assert drop_other_models(store, NEW) == 0
    assert sorted(lengths(store)) == [32] * 5 + [48] * 3

    embed(NEW)
    assert drop_other_models(store, NEW) == 5
    assert lengths(store) == [48] * 5
    assert models(store) == [12]
    assert drop_other_models(store, NEW) == 0


def test_a_model_that_made_no_vector_yet_replaces_none(store, embed):
    embed(OLD)

    assert drop_other_models(store, NEW) == 0
    assert lengths(store) == [32] * 5


def test_a_row_no_service_takes_does_not_keep_the_old_vectors(store, embed):
    embed(OLD)
    embed(NEW)
    edit(
        store,
        "UPDATE memories SET embedding_state = 'failed', embedding_error = 'no' WHERE id = 1",
        "DELETE FROM memory_vectors WHERE memory_id = 1 AND model_id = 2",
    )

    assert drop_other_models(store, NEW) == 5


def test_a_repair_removes_what_cannot_be_compared_and_the_backfill_makes_it_again(store, embed):
    embed(OLD)
    edit(store, "UPDATE memory_vectors SET vector = x'0000' WHERE memory_id IN (2, 3)")

    with writing(store) as conn:
        assert repair_vectors(conn) == RepairReport(orphaned=0, misshapen=2, table_missing=False)
        assert repair_vectors(conn) == RepairReport(orphaned=0, misshapen=0, table_missing=False)

    assert embed(OLD) == 2
    assert lengths(store) == [32] * 5


def test_a_repair_removes_vectors_without_a_memory_or_a_model(store, embed):
    embed(OLD)
    with writing(store):
        pass
    raw = store.writer().connection.driver_connection
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("DELETE FROM memories WHERE id = 1")
    raw.execute("UPDATE memory_vectors SET model_id = 7 WHERE memory_id = 2")
    raw.execute("PRAGMA foreign_keys = ON")

    with writing(store) as conn:
        assert repair_vectors(conn) == RepairReport(orphaned=2, misshapen=0, table_missing=False)

    assert embed(OLD) == 1


def test_a_repair_makes_a_missing_table_as_it_was(store, embed):
    embed(OLD)
    with reading(store) as conn:
        query = "SELECT sql FROM sqlite_schema WHERE name = 'memory_vectors'"
        made = conn.exec_driver_sql(query).scalar_one()
    edit(store, "DROP TABLE memory_vectors")

    with writing(store) as conn:
        assert repair_vectors(conn) == RepairReport(orphaned=0, misshapen=0, table_missing=True)

    with reading(store) as conn:
        assert conn.exec_driver_sql(query).scalar_one() == made
    assert embed(OLD) == 5


def test_a_vector_that_is_made_again_gets_a_new_number(store, embed):
    embed(OLD)
    with reading(store) as conn:
        newest = conn.exec_driver_sql("SELECT max(id) FROM memory_vectors").scalar_one()
    edit(store, "UPDATE memories SET embedding_state = 'pending' WHERE id = 5")

    embed(OLD)

    with reading(store) as conn:
        query = "SELECT id FROM memory_vectors WHERE memory_id = 5"
        assert conn.exec_driver_sql(query).scalar_one() == newest + 1
