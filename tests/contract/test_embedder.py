"""Contract of the embedders: a paid service, the model in this process, the fake of tests."""

import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import isfinite
from typing import Any

import pytest

from afterword.pipeline import local_model
from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.embedding_server import EmbeddingServer

needs_model = pytest.mark.skipif(
    not local_model.is_installed(), reason="the extra afterword[local] is not installed"
)
METERED = ("service", pytest.param("local", marks=needs_model))
EMBEDDERS = (*METERED, "fake")

Make = Callable[[str], Embedder]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimensions=8) as server:
        yield server


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    return Budget(instance, caps_of(Settings()), clock, ids)


@pytest.fixture
def make(
    server: EmbeddingServer, instance: Store, budget: Budget, clock: ManualClock
) -> Iterator[Make]:
    made: list[Any] = []

    def embedder(name: str) -> Embedder:
        if name == "fake":
            return HashedEmbedder(8)
        service = {
            "embedding_provider": "openai",
            "embedding_base_url": server.base_url,
            "embedding_model": "some-model",
            "embedding_dimensions": 8,
            "embedding_usd_per_million_tokens": 1.0,
        }
        settings = Settings(**(service if name == "service" else {"embedding_provider": "local"}))
        made.append(build_embedder(settings, instance, budget, clock))
        return made[-1]

    yield embedder
    for one in made:
        one.close()


@pytest.fixture(params=EMBEDDERS)
def embedder(request: pytest.FixtureRequest, make: Make) -> Embedder:
    return make(request.param)


def embed(embedder: Embedder, *texts: str) -> list[bytes]:
    return embedder.embed(texts, "main", "embed_memories")


def test_provider_model_and_dimensions_name_its_vectors(embedder):
    assert embedder.provider
    assert embedder.model
    assert embedder.dimensions > 0


def test_each_text_and_each_question_has_a_vector_of_finite_float32(embedder):
    found = [*embed(embedder, "one", "two", "两"), embedder.embed_query("one?", "main", "query")]

    assert len(found) == 4
    for vector in found:
        assert len(vector) == 4 * embedder.dimensions
        numbers = struct.unpack(f"<{embedder.dimensions}f", vector)
        assert any(numbers)
        assert all(map(isfinite, numbers))


def test_vectors_come_in_the_order_of_their_texts(embedder):
    texts = [f"memory number {number}" for number in range(5)]

    assert embed(embedder, *texts) == embed(embedder, *reversed(texts))[::-1]


def test_alone_or_among_others_a_text_has_the_same_vector(embedder):
    texts = [f"memory number {number}" for number in range(5)]

    assert embed(embedder, texts[3]) == [embed(embedder, *texts)[3]]


def test_each_of_many_callers_gets_its_own_vectors(embedder):
    texts = [f"text {number}" for number in range(16)]
    expected = embed(embedder, *texts)

    with ThreadPoolExecutor(8) as callers:
        found = list(callers.map(lambda text: embed(embedder, text), texts))

    assert found == [[vector] for vector in expected]


def test_no_texts_have_no_vectors(embedder):
    assert embed(embedder) == []


@pytest.mark.parametrize("text", ["a\0b", "x" * 100_000, "\U0001f680", " ", "\u200b"])
def test_any_text_that_is_not_empty_has_a_vector(embedder, text):
    assert len(embed(embedder, text)) == 1


@pytest.mark.parametrize(
    ("texts", "field"),
    [(["fine", ""], "texts[1]"), (["\ud800"], "texts[0]"), (["x"] * 2049, "texts")],
)
def test_texts_no_service_embeds_are_refused_by_name(embedder, server, budget, texts, field):
    with pytest.raises(InvalidInputError) as refused:
        embed(embedder, *texts)

    assert refused.value.field == field
    assert server.requests == 0
    assert budget.overview().models == ()


def test_an_empty_question_is_refused(embedder):
    with pytest.raises(InvalidInputError):
        embedder.embed_query("", "main", "query")


@pytest.mark.parametrize("name", METERED)
def test_each_request_is_booked_to_its_task_and_no_money_stays_reserved(make, budget, name):
    embedder = make(name)
    embed(embedder, "one text", "another text")
    embedder.embed_query("a question", "main", "query")

    (use,) = budget.overview().models
    assert (use.model, use.calls) == (embedder.model, 2)
    assert use.input_tokens > 4
    day = next(line for line in budget.overview().categories if line.name == "learning")
    assert (day.spent_micro_usd, day.reserved_micro_usd) == (use.cost_micro_usd, 0)


@pytest.mark.parametrize("name", METERED)
def test_while_all_spending_is_stopped_nothing_is_embedded(make, budget, server, name):
    embedder = make(name)
    budget.stop("a person looks")

    with pytest.raises(BudgetExceededError):
        embed(embedder, "hello")
    with pytest.raises(BudgetExceededError):
        embedder.embed_query("hello", "main", "query")
    assert server.requests == 0


IN_ANOTHER_PROCESS = {
    "fake": "from afterword.pipeline.testing.embedding import HashedEmbedder as Hashed;"
    "print(Hashed(8).embed(['memory number 7'], 'main', 'test')[0].hex())",
    "local": "from afterword.pipeline.gateway.embedding.local import LocalEmbeddings as Local;"
    "print(Local().ask(['memory number 7']).content[0].hex())",
}


@pytest.mark.parametrize("name", ["fake", pytest.param("local", marks=needs_model)])
def test_another_process_gives_the_same_vectors(make, name):
    line = [sys.executable, "-c", IN_ANOTHER_PROCESS[name]]
    elsewhere = subprocess.run(line, capture_output=True, text=True, check=True)

    assert elsewhere.stdout.strip() == embed(make(name), "memory number 7")[0].hex()
