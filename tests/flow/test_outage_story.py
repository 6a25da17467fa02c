"""The story of a service that fails: its jobs wait in the ledger, say why, and lose nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding_server import EmbeddingServer
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context

MEMORIES = 1_000
AT_ONCE = 4 * 64
"""Texts that four threads may be asking about when the first refusal comes back."""

Start = Callable[[str], Up]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
def start(home: Path, clock: ManualClock, server: EmbeddingServer) -> Iterator[Start]:
    """Start everything in this process with some key of the embedding service."""
    started: list[Up] = []

    def start(key: str) -> Up:
        settings = load(
            home=home,
            synchronous="NORMAL",
            shutdown_grace_s=0.2,
            embedding_provider="openai",
            embedding_base_url=server.base_url,
            embedding_api_key=key,
            embedding_dimensions=8,
        )
        one = Up(build_context(settings, clock=clock), table=(), threads=4)
        one.context.stores.group("main", create=True)
        started.append(one)
        one.start()
        return one

    yield start
    for one in started:
        if one.is_alive():
            one.stop()


def embedding_jobs(store: Store) -> list[Job]:
    with reading(store) as conn:
        return listing(conn, kind="embed_memories", limit=2 * MEMORIES)


def test_a_wrong_key_dead_letters_no_job_and_the_right_one_finishes_them_all(
    start: Start, server: EmbeddingServer, clock: ManualClock
):
    server.script(*[refuses(401)] * 100)
    up = start("wrong")
    store = up.context.stores.group("main")
    news = [NewMemory("reference", f"Prefers chart number {n}") for n in range(MEMORIES)]
    write_memories(Writer(store, clock, up.context.runtime.ids, embeds=True), news)
    wait_until(lambda: {job.state for job in embedding_jobs(store)} == {"later"})

    waiting = embedding_jobs(store)
    assert len(waiting) == MEMORIES
    assert {job.attempts for job in waiting} == {0}
    assert all("AFTERWORD_EMBEDDING_API_KEY" in (job.waits_for or "") for job in waiting)
    assert server.requests <= 4
    with reading(store) as conn:
        leased = conn.scalar(text("SELECT sum(jobs) FROM job_stats WHERE outcome = 'postponed'"))
    assert leased <= AT_ONCE, "the others should be held before they start"
    up.stop()

    server._script.clear()
    clock.advance(seconds=16)
    up = start("right")
    store = up.context.stores.group("main")
    wait_until(lambda: not embedding_jobs(store))
    assert server.tokens > 0
