"""A changed embedding model: killed in the middle, the backfill goes on, and nothing is mixed."""

import signal
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.vectors.embed import backfill_embeddings
from afterword.pipeline.domain.vectors.upkeep import drop_other_models
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.embedding_server import EmbeddingServer

pytestmark = pytest.mark.crash

MEMORIES = 600
QUERY = "lesson number 7"


class Served(HashedEmbedder):
    """The model that the service of this test serves."""

    provider = "openai"
    model = "text-embedding-3-small"


OLD, NEW = Served(8), Served(12)


def settings(server: EmbeddingServer, embedder: Served) -> dict[str, Any]:
    return {
        "embedding_provider": "openai",
        "embedding_base_url": server.base_url,
        "embedding_dimensions": embedder.dimensions,
    }


def vectors(host: Any) -> dict[tuple[int, int], int]:
    """Return how many vectors there are by model and length."""
    query = "SELECT model_id, length(vector), count(*) FROM memory_vectors GROUP BY 1, 2"
    with reading(host.store) as conn:
        rows = conn.exec_driver_sql(query).all()
    return {(model_id, length // 4): count for model_id, length, count in rows}


def found(host: Any, model_id: int, embedder: Served) -> int:
    with reading(host.store) as conn:
        return len(VectorIndex().similar(conn, model_id, embedder.vector(QUERY), None, 10).ids)


@pytest.mark.parametrize("point", ["jobs.working", "store.finishing", "store.finished"])
def test_a_backfill_that_was_killed_goes_on_and_models_are_never_mixed(host: Any, point: str):
    news = [NewMemory("lesson", f"lesson number {number}") for number in range(MEMORIES)]
    write_memories(Writer(host.store, system_clock, random_uid, embeds=True), news)
    host.dispatcher()
    with EmbeddingServer() as server:
        first = host.worker(**settings(server, OLD))
        host.drained()
        assert vectors(host) == {(1, 8): MEMORIES}
        first.kill()
        first.wait()

        assert backfill_embeddings(host.store, NEW, system_clock(), limit=10_000) == MEMORIES
        victim = host.worker(crash_at=f"{point}:4", threads=2, **settings(server, NEW))
        assert victim.wait(timeout=60) == -signal.SIGKILL

        made = vectors(host).get((2, 12), 0)
        assert 0 < made < MEMORIES
        assert vectors(host) == {(1, 8): MEMORIES, (2, 12): made}
        assert found(host, 1, OLD) == MEMORIES
        assert found(host, 2, NEW) == made
        assert drop_other_models(host.store, NEW) == 0

        host.worker(**settings(server, NEW))
        host.worker(queues=("alone",), threads=1, **settings(server, NEW))
        host.drained()

    assert backfill_embeddings(host.store, NEW, system_clock(), limit=10_000) == 0
    assert vectors(host) == {(1, 8): MEMORIES, (2, 12): MEMORIES}
    assert drop_other_models(host.store, NEW) == MEMORIES
    assert vectors(host) == {(2, 12): MEMORIES}
    host.check()
