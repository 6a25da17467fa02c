"""No request without a reservation, and no booking below the service's own meter."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unicodedata import normalize

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import (
    BudgetExceededError,
    CircuitOpenError,
    InvalidInputError,
    UnavailableError,
)
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.embedding_server import EmbeddingServer
from afterword.pipeline.testing.faulty_server import (
    changed,
    cut,
    drip,
    flood,
    hang,
    refuses,
    reset,
    says,
)

KEY = "sk-do-not-tell"
Make = Callable[..., MeteredEmbedder]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimensions=8) as server:
        yield server


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    # At 1 USD for a million tokens the caps and the bookings are micro-USD and tokens at once.
    caps = {"learning_daily_cap_usd": 0.01, "group_caps_usd": {"poor": 0.00002}}
    return Budget(instance, caps_of(Settings(**caps)), clock, ids)


@pytest.fixture
def make(
    server: EmbeddingServer, instance: Store, budget: Budget, clock: ManualClock
) -> Iterator[Make]:
    made: list[MeteredEmbedder] = []

    def make(**settings: object) -> MeteredEmbedder:
        asked_for = {
            "embedding_provider": "openai",
            "embedding_base_url": server.base_url,
            "embedding_api_key": KEY,
            "embedding_model": "some-model",
            "embedding_dimensions": 8,
            "embedding_usd_per_million_tokens": 1.0,
        }
        embedder = build_embedder(Settings(**(asked_for | settings)), instance, budget, clock)
        assert embedder is not None
        made.append(embedder)
        return embedder

    yield make
    for embedder in made:
        embedder.close()


@pytest.fixture
def embedder(make: Make) -> MeteredEmbedder:
    return make()


def booked(budget: Budget) -> tuple[int, int]:
    """Return what learning spent and holds today, in micro-USD."""
    day = next(line for line in budget.overview().categories if line.name == "learning")
    return day.spent_micro_usd, day.reserved_micro_usd


def test_sixty_four_texts_are_one_request_booked_at_what_was_measured(server, budget, embedder):
    asked: Embedder = embedder
    texts = [f"memory {index}" for index in range(64)]

    blobs = asked.embed(texts, group="main", task="embed_memories")

    assert blobs == HashedEmbedder(8).embed(texts, "main", "embed_memories")
    assert server.requests == 1
    assert booked(budget) == (server.tokens, 0)


def test_the_ledger_says_which_model_was_paid(server, budget, embedder):
    embedder.embed(["hello"], group="main", task="query")

    [use] = budget.overview().models
    assert (use.category, use.model, use.input_tokens) == ("learning", "some-model", 5)


@pytest.mark.parametrize(
    "fault",
    [
        *map(refuses, (400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 529)),
        *(hang, drip, flood, cut, reset),
        *map(says, (b"", b"<html>busy</html>", b"[1, 2]")),
        changed(lambda reply: reply.pop("usage")),
        changed(lambda reply: reply["usage"].update(total_tokens=-1)),
        changed(lambda reply: reply["usage"].update(total_tokens=10**30)),
        changed(lambda reply: reply["usage"].update(total_tokens=0.5)),
        changed(lambda reply: reply["data"].pop()),
        changed(lambda reply: reply["data"][0]["embedding"].pop()),
        changed(lambda reply: reply["data"][0].update(embedding=[float("nan")] * 8)),
    ],
)
def test_whatever_goes_wrong_no_less_is_booked_than_the_service_counted(
    server, budget, make, fault
):
    server.script(fault)

    with pytest.raises((UnavailableError, InvalidInputError, CircuitOpenError)):
        make(embedding_timeout_s=1).embed(["first text", "second text"], "main", "embed_memories")

    spent, reserved = booked(budget)
    assert spent >= server.tokens
    assert reserved == 0
    assert server.requests == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 529])
def test_an_error_that_is_not_billed_costs_nothing(server, budget, embedder, status):
    server.script(refuses(status))

    with pytest.raises((UnavailableError, InvalidInputError, CircuitOpenError)):
        embedder.embed(["first text", "second text"], "main", "embed_memories")

    assert booked(budget) == (0, 0)


def test_the_pause_a_busy_service_asks_for_reaches_the_caller(server, embedder, clock):
    server.script(refuses(429, Retry_After="7"))

    with pytest.raises(CircuitOpenError) as held:
        embedder.embed(["hello"], group="main", task="embed_memories")

    assert held.value.reopens_at == clock() + timedelta(seconds=7)


def test_a_request_that_never_left_costs_nothing(make, budget):
    with socket.socket() as listening_to_nobody:
        listening_to_nobody.bind(("127.0.0.1", 0))
        port = listening_to_nobody.getsockname()[1]
        unreachable = make(embedding_base_url=f"http://127.0.0.1:{port}/v1")
        with pytest.raises(UnavailableError, match="could not be reached"):
            unreachable.embed(["hello"], group="main", task="embed_memories")

    assert booked(budget) == (0, 0)


def test_a_spent_budget_sends_nothing(server, budget, embedder):
    with pytest.raises(BudgetExceededError):
        embedder.embed(["x" * 10_000], group="main", task="embed_memories")

    assert (server.requests, server.tokens) == (0, 0)
    assert booked(budget) == (0, 0)


def test_a_group_with_a_cap_of_its_own_is_held_to_it(server, embedder):
    with pytest.raises(BudgetExceededError, match="poor"):
        embedder.embed(["more than twenty bytes"], group="poor", task="embed_memories")

    assert server.requests == 0


def test_callers_at_once_never_pass_the_cap_together(budget, make):
    with EmbeddingServer(count_tokens=lambda _text: 1_000) as dear:
        embedder = make(embedding_base_url=dear.base_url)

        def admitted(number: int) -> bool:
            text = f"{number:984}"  # reserved as 1,000 tokens of the 10,000 there are
            try:
                return len(embedder.embed([text], group="main", task="embed_memories")) == 1
            except BudgetExceededError:
                return False

        with ThreadPoolExecutor(16) as callers:
            assert sum(callers.map(admitted, range(16))) == 10

        assert dear.requests == 10
    assert booked(budget) == (10_000, 0)


def test_a_text_that_unfolds_inside_the_tokenizer_does_not_stop_all_spending(make, budget):
    text = "\ufdfa" * 40  # one character of 3 bytes; 33 bytes after NFKC

    with EmbeddingServer(count_tokens=lambda text: len(normalize("NFKC", text).encode())) as folds:
        make(embedding_base_url=folds.base_url).embed([text], group="main", task="embed_memories")

    assert booked(budget) == (33 * 40, 0)
    assert budget.overview().stopped is None


def test_disabled_is_the_default_and_builds_nothing(instance, budget, clock):
    assert build_embedder(Settings(), instance, budget, clock) is None


def test_a_model_without_a_price_is_refused_at_the_start(make):
    with pytest.raises(InvalidInputError) as refused:
        make(embedding_usd_per_million_tokens=None)

    assert refused.value.field == "AFTERWORD_EMBEDDING_USD_PER_MILLION_TOKENS"


def test_the_price_table_knows_the_default_model(make):
    assert (
        make(
            embedding_model=Settings().embedding_model, embedding_usd_per_million_tokens=None
        ).model
        == "text-embedding-3-small"
    )


def test_the_key_shows_nowhere(embedder):
    assert KEY not in f"{embedder!r} {vars(embedder)}"
