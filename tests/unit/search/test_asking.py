"""A question's vector comes in time or not at all, and the agent's budget pays for it."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query_embedding import embed_query
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.embedding_server import EmbeddingServer
from afterword.pipeline.testing.faulty_server import hang, refuses, reset, says, slow
from afterword.pipeline.testing.wait import wait_until

Make = Callable[..., MeteredEmbedder]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimensions=8) as server:
        yield server


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    caps = {"agent_daily_cap_usd": 0.001, "learning_daily_cap_usd": 0}
    return Budget(instance, caps_of(Settings(**caps)), clock, ids)


@pytest.fixture
def make(
    server: EmbeddingServer, instance: Store, budget: Budget, clock: ManualClock
) -> Iterator[Make]:
    made: list[MeteredEmbedder] = []

    def make(**more: object) -> MeteredEmbedder:
        asked_for = {
            "embedding_provider": "openai",
            "embedding_base_url": server.base_url,
            "embedding_model": "some-model",
            "embedding_dimensions": 8,
            "embedding_usd_per_million_tokens": 1.0,
        }
        settings = Settings(**(asked_for | more))
        embedder = build_embedder(settings, instance, budget, clock, category="agent")
        assert embedder is not None
        made.append(embedder)
        return embedder

    yield make
    # A question that came too late is still on its way.
    wait_until(lambda: not any(one.name == "answer-within" for one in threading.enumerate()))
    for embedder in made:
        embedder.close()


def test_a_question_becomes_a_vector_and_the_agent_pays(make, budget, server):
    vector = embed_query("altcoin drawdown overnight", "main", SearchOptions(embedder=make()))

    assert vector == HashedEmbedder(8).vector("altcoin drawdown overnight")
    spent = {line.name: line.spent_micro_usd for line in budget.overview().categories}
    assert spent["agent"] == server.tokens > 0


def test_while_embeddings_are_disabled_nothing_is_asked():
    assert embed_query("altcoin drawdown overnight", "main", SearchOptions(embedder=None)) is None


@pytest.mark.parametrize("query", ["", "??", "a b", "…"])
def test_a_question_without_words_is_not_asked(make, server, query):
    assert embed_query(query, "main", SearchOptions(embedder=make())) is None
    assert server.requests == 0


@pytest.mark.parametrize(
    "fault", [refuses(401), refuses(429), refuses(503), reset, says(b"<html>busy</html>")]
)
def test_a_service_that_fails_leaves_the_search_to_the_words(make, server, fault):
    server.script(fault)

    assert embed_query("altcoin drawdown overnight", "main", SearchOptions(embedder=make())) is None


def test_a_service_that_hangs_delays_a_search_no_longer_than_its_timeout(make, server):
    server.script(hang)
    started = time.monotonic()

    assert (
        embed_query(
            "altcoin drawdown",
            "main",
            SearchOptions(embedder=make(embedding_timeout_s=0.5), embed_timeout_s=0.1),
        )
        is None
    )

    assert time.monotonic() - started < 0.4


def test_a_late_answer_is_not_the_next_question_s(make, server):
    server.script(slow(0.2))
    embedder = make()

    assert (
        embed_query(
            "the first question", "main", SearchOptions(embedder=embedder, embed_timeout_s=0.05)
        )
        is None
    )
    vector = embed_query("the second question", "main", SearchOptions(embedder=embedder))

    assert vector == HashedEmbedder(8).vector("the second question")


def test_without_money_nothing_is_sent(make, server):
    assert embed_query("x" * 2_000, "main", SearchOptions(embedder=make())) is None
    assert server.requests == 0


def test_a_ledger_that_is_held_elsewhere_does_not_hold_the_search(make, instance):
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with writing(instance):
            held.set()
            free.wait(5)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    started = time.monotonic()

    assert (
        embed_query(
            "altcoin drawdown overnight",
            "main",
            SearchOptions(embedder=make(), embed_timeout_s=0.1),
        )
        is None
    )

    assert time.monotonic() - started < 0.4
    free.set()
    holder.join()


def test_a_mistake_of_ours_is_not_taken_for_a_bad_service():
    class Broken(HashedEmbedder):
        def vector(self, text: str) -> bytes:
            raise TypeError(f"no vector of {text}")

    with pytest.raises(TypeError):
        embed_query("altcoin drawdown overnight", "main", SearchOptions(embedder=Broken()))
