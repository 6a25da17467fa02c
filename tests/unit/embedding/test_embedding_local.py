"""The local model: similar meanings, different vectors for queries and texts, no cost."""

import struct

import pytest

from afterword.pipeline import local_model
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.settings import Settings

needs_model = pytest.mark.skipif(
    not local_model.is_installed(), reason="the extra afterword[local] is not installed"
)


@pytest.fixture
def budget(instance, clock, ids) -> Budget:
    return Budget(instance, caps_of(Settings()), clock, ids)


@pytest.fixture
def embedder(instance, budget, clock) -> MeteredEmbedder:
    made = build_embedder(Settings(embedding_provider="local"), instance, budget, clock)
    assert made is not None
    return made


def likeness(one: bytes, other: bytes) -> float:
    vectors = zip(struct.unpack("<384f", one), struct.unpack("<384f", other), strict=True)
    return sum(a * b for a, b in vectors)


@needs_model
@pytest.mark.parametrize(
    ("question", "fits", "other"),
    [
        ("山寨币崩了", "altcoin drawdown overnight", "prefers weekly charts"),
        ("how much may I lose?", "Never risk above 2 % a trade", "The user lives in Lisbon"),
    ],
)
def test_a_question_is_nearer_to_what_it_means(embedder, question, fits, other):
    asked = embedder.embed_query(question, "main", "test")
    near, far = embedder.embed([fits, other], "main", "test")

    assert likeness(asked, near) > likeness(asked, far)


@needs_model
def test_a_question_and_a_text_of_the_same_words_differ(embedder):
    (text,) = embedder.embed(["weekly charts"], "main", "test")

    assert embedder.embed_query("weekly charts", "main", "test") != text


@needs_model
def test_it_costs_nothing(embedder, budget):
    embedder.embed(["one text", "another text"], "main", "embed_memories")

    (use,) = budget.overview().models
    assert use.cost_micro_usd == 0


@needs_model
@pytest.mark.parametrize(
    "text", ["a\0b", "x" * 100_000, "\ufdfa" * 100_000, "\U0001f680", "é" * 3, " "]
)
def test_any_text_has_a_unit_vector(embedder, text):
    (vector,) = embedder.embed([text], "main", "test")

    assert abs(likeness(vector, vector) - 1) < 1e-3


def test_without_its_package_it_is_refused_at_the_start(instance, budget, clock, monkeypatch):
    monkeypatch.setattr(local_model, "PACKAGE", "not_to_be_found")

    with pytest.raises(InvalidInputError, match=r"afterword\[local\]"):
        build_embedder(Settings(embedding_provider="local"), instance, budget, clock)
