"""Whatever is wrong with the vectors, a search answers exactly as if there were no embedder."""

import pytest
import sqlite_vec

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.tables import memory_vectors
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import BudgetExceededError, UnavailableError
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.testing.embedding import HashedEmbedder

QUERY = "what about funding rates of BTC"
TEXTS = (
    "Bought BTC after the funding rate turned negative",
    "The fundings of ETH were rated high",
    "Prefers weekly charts",
    "Never hold BTC over a weekend",
)
EMBEDDER = HashedEmbedder(8)


class Failing(HashedEmbedder):
    """An embedder that gives no vector of a question."""

    def __init__(self, error: Exception) -> None:
        super().__init__(8)
        self.error = error

    def vector(self, text: str) -> bytes:  # noqa: ARG002 - whatever is asked
        raise self.error


@pytest.fixture(autouse=True)
def memories(store: Store, writer: Writer) -> None:
    news = [NewMemory("lesson", text, session_id="one") for text in TEXTS]
    rows = write_memories(writer, news)
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO embedding_models VALUES (1, ?, ?, 8, 0)", _identity())
        conn.execute(
            memory_vectors.insert(),
            [
                {"memory_id": row.id, "model_id": 1, "vector": EMBEDDER.vector(text)}
                for row, text in zip(rows, TEXTS, strict=True)
            ],
        )


def _identity() -> tuple[str, str]:
    return EMBEDDER.provider, EMBEDDER.model


def answer(
    store: Store, embedder: HashedEmbedder | None, index: VectorIndex | None = None
) -> bytes:
    options = SearchOptions(explain=True, embedder=embedder, index=index)
    return repr(search(store, QUERY, options=options)).encode()


def edit(store: Store, statement: str) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql(statement)


def test_whole_vectors_change_the_answer(store):
    assert answer(store, EMBEDDER) != answer(store, None)


@pytest.mark.parametrize("few", [1_000, 1])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memory_vectors SET vector = x'0000803f'",
        "UPDATE memory_vectors SET vector = CAST('no vector' AS BLOB)",
        "UPDATE embedding_models SET dimensions = 12",
        "UPDATE embedding_models SET model = 'another'",
        "DELETE FROM memory_vectors",
        "DROP TABLE memory_vectors",
    ],
)
def test_damaged_vectors_leave_the_answer_to_the_words(store, damage, few):
    edit(store, damage)

    assert answer(store, EMBEDDER, index=VectorIndex(few=few)) == answer(store, None)


def test_vectors_without_a_memory_leave_the_answer_to_the_words(store):
    with writing(store):
        pass
    raw = store.writer().connection.driver_connection
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("UPDATE memory_vectors SET memory_id = memory_id + 1000")
    raw.execute("PRAGMA foreign_keys = ON")

    assert answer(store, EMBEDDER) == answer(store, None)


def test_without_sqlite_vec_the_words_answer(store, monkeypatch):
    monkeypatch.setattr(sqlite_vec, "loadable_path", lambda: "/nowhere/vec0")

    assert answer(store, EMBEDDER) == answer(store, None)


@pytest.mark.parametrize(
    "error", [UnavailableError("no answer"), BudgetExceededError("spent", reopens_at=None)]
)
def test_without_a_vector_of_the_question_the_words_answer(store, error):
    assert answer(store, Failing(error)) == answer(store, None)
