"""No text makes a search raise, whatever it does to the query language or to SQL."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import MAX_TERMS, readable, terms
from afterword.pipeline.recall.search.search import search

CORPUS = Path(__file__).parents[2] / "corpora" / "hostile_queries.txt"
LINES = CORPUS.read_text(encoding="utf-8").splitlines()

LANGUAGE = st.lists(
    st.sampled_from(
        [
            *('"', "AND", "OR", "NOT", "NEAR(", "(", ")", "*", "^", "+", "-", ":", "{", "}", ","),
            *("category:", "content:", "tags:", "rank", "slippage", "base", "币", "山寨", "'"),
            *("%", "_", "\\", "…", "0.5", "May 3", "2023"),
        ]
    ),
    max_size=12,
)


@pytest.fixture
def filled(store: Store, writer: Writer) -> Store:
    """A store that some of the words lead somewhere in."""
    said = ("slippage on base is 0.5%", "山寨币崩了", "a b c", "R:R > 2 on BTC/USD", "x" * 3_000)
    news = [NewMemory("lesson", text, session_id="s") for text in said]
    write_memories(writer, news)
    return store


def check(store: Store, text: str) -> None:
    hits = search(store, text, options=SearchOptions(limit=3, explain=True))
    assert len(hits) <= 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.relevance <= 1 for hit in hits)


def test_the_corpus_is_large_enough():
    assert len(LINES) >= 150


@pytest.mark.parametrize("line", range(0, len(LINES), 50))
def test_hostile_lines_are_answered(filled: Store, line: int):
    for text in LINES[line : line + 50]:
        check(filled, text)
        check(filled, f"slippage {text} base")
        check(filled, f'"{text}')


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(text=st.one_of(st.text(st.characters()), LANGUAGE.map(" ".join), LANGUAGE.map("".join)))
def test_no_text_whatever_makes_search_raise(filled: Store, text: str):
    check(filled, text)


@pytest.mark.parametrize(
    "query",
    [
        *("(" * 500, '"a" AND ' * 60, "a* OR " * 80 + "b", "NOT " * 100, "x" * 100_000),
        *(
            "币" * 500,
            "币圈" * 250,
            "*reads",
            "a " * 250,
            "in May " * 60,
            "(a OR b) AND " * 38 + "a",
        ),
    ],
)
def test_a_query_built_to_hurt_is_answered(filled: Store, query: str):
    check(filled, query)
    assert len(terms(readable(query))) <= MAX_TERMS
