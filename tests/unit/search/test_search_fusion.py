"""Words and meaning become one order, and shared assets lift what names them."""

import numpy as np
import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.recall.search.fusion import BOOST, RRF_K, boost, fused, position, top
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.scoring import Arm
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder


def arm(*scores: float) -> Arm:
    none = np.empty(0)
    return Arm(
        "words", np.empty(0, np.int64), none, none, none, none, np.array([0.0, *scores]), none
    )


def test_scaled_scores_are_added():
    assert fused([arm(3, 0, 1), arm(0, 2, 1)], "scaled").tolist() == [0, 3, 2, 2]


def test_reciprocal_ranks_are_added():
    found = fused([arm(3, 0, 1), arm(0, 2, 1)], "rrf")

    assert found[3] == pytest.approx(2 / (RRF_K + 2))
    assert found[1] == found[2] == pytest.approx(1 / (RRF_K + 1))
    assert found[0] == 0


def test_of_equals_the_newest_comes_first_and_last_bits_decide_nothing():
    scores = np.array([0, 0.1 + 0.2, 0.3, 0.0, 0.5])

    assert top(scores, 3).tolist() == [4, 2, 1]
    assert top(scores, 2).tolist() == [4, 2]
    assert [position(scores, row) for row in range(5)] == [None, 3, 2, None, 1]


def test_each_shared_asset_adds_a_share():
    assert boost(np.array([0, 1, 2])).tolist() == [1, 1 + BOOST, 1 + 2 * BOOST]


@pytest.mark.parametrize("with_edges", [True, False])
def test_a_memory_about_the_asset_asked_for_is_lifted(
    store: Store, clock: ManualClock, with_edges: bool, writer: Writer
):
    """Also while its edges are not there yet; a name counts as its ticker."""
    news = [
        NewMemory("lesson", "take profit early on Ethereum"),
        NewMemory("lesson", "take profit early on slow days"),
    ]
    written = write_memories(writer, news)
    if with_edges:
        with writing(store) as conn:
            edge_rows.keep(
                conn,
                [
                    (row.id, extract_edges(new.content, None))
                    for row, new in zip(written, news, strict=True)
                ],
                to_micros(clock()),
            )

    hits = search(store, "when to take profit on ETH", options=SearchOptions(explain=True))

    assert hits[0].memory.id == written[0].id
    told = [hit.explanation for hit in hits]
    assert [(one.overlap, one.boost) for one in told if one] == [(1, 1 + BOOST), (0, 1)]


class Broken(HashedEmbedder):
    """An embedder whose service is away."""

    def embed_query(self, *_: str) -> bytes:
        raise UnavailableError("away")


@pytest.fixture
def embedded(store: Store, clock: ManualClock, writer: Writer) -> Store:
    """Memories with vectors."""
    said = ("slippages were large", "weekly charts only", "gold hedges", "the desk opens at nine")
    news = [NewMemory("lesson", text, session_id=f"s{n % 2}") for n, text in enumerate(said)]
    written = write_memories(writer, news)
    embedder = HashedEmbedder()
    with writing(store) as conn:
        model_id = vector_rows.keep_model(conn, embedder, clock())
        for row in vector_rows.unembedded(conn, [row.id for row in written], model_id):
            vector_rows.keep_vector(conn, row, model_id, embedder.vector(row.content))
    return store


@pytest.mark.parametrize("fusion", ["scaled", "rrf"])
def test_meaning_finds_what_no_word_finds(embedded: Store, fusion: str):
    """Trigrams stand in for meaning: `slippagez` is no word of the store."""
    query = "slippagez weekly"
    assert search(embedded, query)[0].memory.content == "weekly charts only"

    hits = search(
        embedded,
        query,
        options=SearchOptions(explain=True, embedder=HashedEmbedder(), fusion=fusion),
    )  # type: ignore[arg-type]

    assert {"slippages were large", "weekly charts only"} <= {hit.memory.content for hit in hits}
    for hit in hits:
        assert hit.explanation
        assert [share.arm for share in hit.explanation.arms] == ["words", "meaning"]


@pytest.mark.parametrize("embedder", [None, Broken(), HashedEmbedder(dimensions=8)])
def test_without_a_vector_words_alone_decide(embedded: Store, embedder: Embedder | None):
    """Disabled, away, or of a model that has made no vectors here: the same to the last bit."""
    for query in ("slippage weekly", "gold", "desk opens"):
        assert search(embedded, query, options=SearchOptions(embedder=embedder)) == search(
            embedded, query
        )
