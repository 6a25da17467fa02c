"""The job that embeds: each text worth it once, and never a row that changed meanwhile."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import Leases, lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.vectors.embed import (
    backfill_embeddings,
    embed_memories,
    is_worth_embedding,
)
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, UnavailableError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder


class Interrupted(HashedEmbedder):
    """An embedder during whose answer something else happens."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        super().__init__()
        self.meanwhile = meanwhile

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        self.meanwhile()
        return super().embed(texts, group, task)


def remember(store: Store, clock: ManualClock, ids: IdSource, *texts: str) -> list[int]:
    news = [NewMemory("context", text, type="context") for text in texts]
    return [row.id for row in write_memories(Writer(store, clock, ids, embeds=True), news)]


def taken(store: Store, clock: ManualClock, jobs: int = EMBED_MEMORIES.batch) -> Leases:
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, EMBED_MEMORIES.name, jobs, clock())]
        return lease(conn, ids, "worker", clock, EMBED_MEMORIES)


def states(store: Store) -> list[str]:
    return [state for state, _ in rows(store, "SELECT embedding_state, id FROM memories")]


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def open_jobs(store: Store) -> dict[str, int]:
    query = "SELECT state, count(*) FROM jobs WHERE kind = 'embed_memories' GROUP BY state"
    return {str(state): int(jobs) for state, jobs in rows(store, query)}


def test_vectors_are_kept_with_the_model_that_made_them(
    store: Store, clock: ManualClock, ids: IdSource
):
    embedder = HashedEmbedder(8)
    first, second = remember(store, clock, ids, "weekly charts", "meme coins")

    embed_memories(store, taken(store, clock), embedder, clock())

    assert rows(store, "SELECT provider, model, dimensions FROM embedding_models") == [
        ("fake", "hashed-trigrams", 8)
    ]
    assert rows(store, "SELECT memory_id, vector FROM memory_vectors ORDER BY 1") == [
        (first, embedder.vector("weekly charts")),
        (second, embedder.vector("meme coins")),
    ]
    assert states(store) == ["embedded", "embedded"]
    assert open_jobs(store) == {}


def test_the_words_index_is_not_touched(store: Store, clock: ManualClock, ids: IdSource):
    remember(store, clock, ids, "weekly charts", "a b")
    with reading(store) as conn:
        before = content_hash(conn, "memories_fts_data")

    embed_memories(store, taken(store, clock), HashedEmbedder(), clock())

    assert states(store) == ["embedded", "skipped"]
    with reading(store) as conn:
        assert content_hash(conn, "memories_fts_data") == before


@pytest.mark.parametrize(
    ("content", "worth"),
    [("ok!", False), ("!!! ???", False), ("a_b_", False), ("BTC", True), ("a b c", True)],
)
def test_what_has_fewer_than_three_letters_or_digits_is_not_asked_for(content: str, worth: bool):
    assert is_worth_embedding(content) == worth


def test_a_second_delivery_asks_for_nothing(store: Store, clock: ManualClock, ids: IdSource):
    remember(store, clock, ids, "weekly charts")
    embed_memories(store, taken(store, clock), HashedEmbedder(), clock())
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO jobs (kind, payload, state, available_at, created_at) "
            "VALUES ('embed_memories', '{\"memory_id\": 1}', 'ready', 0, 0)"
        )

    def never() -> None:
        raise AssertionError("nothing is left to ask for")

    embed_memories(store, taken(store, clock), Interrupted(never), clock())

    assert open_jobs(store) == {}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE memories SET content = 'daily charts'",
        "UPDATE memories SET deleted_at = 1",
        "UPDATE memories SET embedding_state = 'skipped'",
        "DELETE FROM memories",
    ],
)
def test_a_row_that_changed_while_the_model_was_asked_keeps_its_own_way(
    store: Store, clock: ManualClock, ids: IdSource, change: str
):
    remember(store, clock, ids, "weekly charts")
    changed: list[tuple[Any, ...]] = []

    def meanwhile() -> None:
        with writing(store) as conn:
            conn.exec_driver_sql(change)
        changed.extend(rows(store, "SELECT * FROM memories"))

    embed_memories(store, taken(store, clock), Interrupted(meanwhile), clock())

    assert rows(store, "SELECT * FROM memories") == changed
    assert rows(store, "SELECT * FROM memory_vectors") == []
    assert open_jobs(store) == {}


def test_a_deleted_memory_is_not_sent_to_a_model(
    store: Store, clock: ManualClock, ids: IdSource, writer: Writer
):
    (memory_id,) = remember(store, clock, ids, "weekly charts")
    delete_memory(writer, memory_id)

    def never() -> None:
        raise AssertionError("a deleted text left the house")

    embed_memories(store, taken(store, clock), Interrupted(never), clock())

    assert states(store) == ["pending"]


def failing(error: Exception) -> Interrupted:
    def fail() -> None:
        raise error

    return Interrupted(fail)


def test_a_batch_that_is_refused_fails_as_a_whole_and_a_single_row_is_marked(
    store: Store, clock: ManualClock, ids: IdSource
):
    first, _ = remember(store, clock, ids, "weekly charts", "daily charts")
    refusal = InvalidInputError("input", "is too long", "8191 tokens")
    batch = taken(store, clock)

    with pytest.raises(InvalidInputError):
        embed_memories(store, batch, failing(refusal), clock())
    assert states(store) == ["pending", "pending"]

    embed_memories(store, batch.one(batch.held[0]), failing(refusal), clock())

    assert states(store) == ["failed", "pending"]
    assert get_memory(store, first).embedding_error == str(refusal)
    assert open_jobs(store) == {"running": 1}


@pytest.mark.parametrize(
    "error", [UnavailableError("no answer"), BudgetExceededError("spent", reopens_at=None)]
)
def test_what_may_pass_leaves_the_row_and_its_job_as_they_were(
    store: Store, clock: ManualClock, ids: IdSource, error: Exception
):
    remember(store, clock, ids, "weekly charts")

    with pytest.raises(type(error)):
        embed_memories(store, taken(store, clock), failing(error), clock())

    assert states(store) == ["pending"]
    assert open_jobs(store) == {"running": 1}


def test_a_backfill_adds_a_job_for_each_row_that_waits_for_none(
    store: Store, clock: ManualClock, ids: IdSource, writer: Writer
):
    news = [NewMemory("lesson", f"lesson number {n}") for n in range(5)]
    write_memories(writer, news)  # while embeddings were disabled
    remember(store, clock, ids, "has a job")
    embedder = HashedEmbedder()

    assert backfill_embeddings(store, embedder, clock(), limit=3) == 3
    assert backfill_embeddings(store, embedder, clock(), limit=100) == 2
    assert backfill_embeddings(store, embedder, clock(), limit=100) == 0
    assert open_jobs(store) == {"ready": 6}

    embed_memories(store, taken(store, clock), embedder, clock())

    assert set(states(store)) == {"embedded"}
    assert backfill_embeddings(store, embedder, clock(), limit=100) == 0


def test_a_backfill_tries_failed_rows_again_unless_told_not_to(
    store: Store, clock: ManualClock, ids: IdSource
):
    remember(store, clock, ids, "weekly charts")
    refusal = InvalidInputError("input", "is too long", "8191 tokens")
    embed_memories(store, taken(store, clock), failing(refusal), clock())
    embedder = HashedEmbedder()

    assert backfill_embeddings(store, embedder, clock(), 100, retry_failed=False) == 0
    assert backfill_embeddings(store, embedder, clock(), 100) == 1

    embed_memories(store, taken(store, clock), embedder, clock())

    assert get_memory(store, 1).embedding_state == "embedded"
    assert get_memory(store, 1).embedding_error is None


def test_a_changed_model_embeds_again_beside_the_old_vectors(
    store: Store, clock: ManualClock, ids: IdSource
):
    remember(store, clock, ids, "weekly charts", "a b")
    old, new = HashedEmbedder(8), HashedEmbedder(16)
    embed_memories(store, taken(store, clock), old, clock())

    assert backfill_embeddings(store, new, clock(), limit=100) == 1
    embed_memories(store, taken(store, clock), new, clock())

    found = rows(store, "SELECT memory_id, model_id, length(vector) FROM memory_vectors ORDER BY 2")
    assert found == [(1, 1, 32), (1, 2, 64)]
    assert states(store) == ["embedded", "skipped"]
    assert backfill_embeddings(store, old, clock(), limit=100) == 0
