"""Search finds what was meant, in the order of fit, and answers any text with a list."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock

SLIPPAGE = "user always sets slippage to 0.5% on base"
IMPACT = "price impact on base pools grows with size"
LONG = "long ETH from $3200, closed at $3450, +7.8%"
SHORT = "short BTC/USD after a 5% bounce, ETH stayed long"
RATIO = "only takes trades with R:R > 2"
ALTCOINS = "昨晚山寨币崩了,止损没有触发"
MEMES = "user avoided meme coins throughout Q1"

ROWS = (
    NewMemory("preference", SLIPPAGE, tags=("swaps",)),
    NewMemory("observation", IMPACT),
    NewMemory("trade_outcome", LONG),
    NewMemory("trade_outcome", SHORT),
    NewMemory("preference", RATIO),
    NewMemory("observation", ALTCOINS, tags=("周线",)),
    NewMemory("observation", MEMES),
)

Find = Callable[..., list[str]]


@pytest.fixture
def find(store: Store, clock: ManualClock, writer: Writer) -> Find:
    """Search seven memories and return the texts found, best first."""
    for row in ROWS:
        write_memories(writer, [row])
        clock.advance(minutes=1)
    return lambda query, *how: [hit.memory.content for hit in search(store, query, *how)]


def test_words_are_found_wherever_they_stand_and_in_other_forms(find: Find):
    assert find("slippage") == [SLIPPAGE]
    assert find("closing") == [LONG]
    assert find("swaps") == [SLIPPAGE]  # a tag


def test_the_more_words_fit_the_better(find: Find):
    found = find("what did the user say about slippage on base?")

    assert found[0] == SLIPPAGE
    assert set(found) == {SLIPPAGE, IMPACT, MEMES}


def test_a_phrase_is_the_exact_phrase(find: Find):
    assert find('"long ETH"') == [LONG]
    assert find('"ETH long"') == []


def test_and_or_and_not(find: Find):
    assert find("slippage AND base") == [SLIPPAGE]
    assert set(find("slippage OR impact")) == {SLIPPAGE, IMPACT}
    assert find("base NOT slippage") == [IMPACT]


def test_a_prefix(find: Find):
    assert find("slip*") == [SLIPPAGE]


def test_a_column(find: Find):
    assert find("category:preference slippage") == [SLIPPAGE]
    assert find("category:observation slippage") == []
    assert find("tags:swaps") == [SLIPPAGE]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("BTC/USD 5%", SHORT),
        ("R:R > 2", RATIO),
        ('"long ETH" AND', LONG),
        ("$3450, +7.8%", LONG),
        ("slippage 0.5%?", SLIPPAGE),
        ("(slippage", SLIPPAGE),
        ('say "slippage', SLIPPAGE),
        ("slippage AND AND base", SLIPPAGE),
        ("NOT slippage", SLIPPAGE),
        ("unknown:slippage AND base", SLIPPAGE),
        ("*slippage*", SLIPPAGE),
        ("it's slippage; -- DROP TABLE memories", SLIPPAGE),
    ],
)
def test_punctuation_of_the_trade_and_broken_syntax_still_find_the_words(
    find: Find, query: str, first: str
):
    assert find(query)[0] == first


@pytest.mark.parametrize(
    "query", ["山寨币崩了", "山寨币", "币", "止损怎么设", "ETH 山寨币", '"山寨币" AND', "周线"]
)
def test_chinese_is_found_inside_its_runs(find: Find, query: str):
    assert ALTCOINS in find(query)


def test_a_piece_of_a_word_is_found_where_no_word_fits(find: Find):
    assert find("lippag") == [SLIPPAGE]
    assert find("no such thing zzz") == []


def test_nothing_asked_for_returns_the_last_updated(find: Find):
    assert find("", Scope(), SearchOptions(2)) == [MEMES, ALTCOINS]
    assert find(" \n\0\ud800 ", Scope(), SearchOptions(1)) == [MEMES]
    assert find("", Scope(category="preference")) == [RATIO, SLIPPAGE]


def test_a_category_filters_every_kind_of_query(find: Find):
    for query in ("user slippage base", "slippage OR impact", "slippage", "lippag"):
        assert find(query, Scope(category="preference")) == [SLIPPAGE]
        assert SLIPPAGE not in find(query, Scope(category="observation"))
    assert find("山寨币", Scope(category="lesson")) == []


def test_hits_come_by_score_and_an_empty_query_has_no_relevance(find: Find, store: Store):
    hits = search(store, "slippage base user")

    assert all(0 < hit.relevance <= 1 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.relevance for hit in search(store, "")} == {0}


QUERIES = ("", "slippage", '"always sets"', "slippage OR zzz", "lippag")


@pytest.mark.parametrize("query", QUERIES)
def test_a_superseded_memory_is_found_only_when_asked_for(
    find: Find, store: Store, clock: ManualClock, query: str, system: Writer
):
    with writing(store) as conn:
        supersede(conn, system, 1, 2, clock())

    assert SLIPPAGE not in find(query)
    assert SLIPPAGE in find(query, Scope(include_superseded=True))


@pytest.mark.parametrize(
    "query", ["", "Lisbon", '"from Lisbon"', "Lisbon OR zzz", "isbo", "里斯本"]
)
def test_a_deleted_memory_is_found_nowhere_until_it_is_restored(
    find: Find, store: Store, clock: ManualClock, query: str, owner: Writer, writer: Writer
):
    note = NewMemory("context", "trades from Lisbon 里斯本", type="context")
    (written,) = write_memories(Writer(store, clock, random_uid), [note])
    delete_memory(writer, written.uid)
    assert note.content not in find(query, Scope(include_superseded=True))

    restore_memory(owner, written.uid)
    assert note.content in find(query)


def test_a_limit_holds_past_rows_that_are_gone(store: Store, writer: Writer):
    """The rows that fit best may be deleted; the next ones take their places."""
    news = [NewMemory("context", "gold " * (30 - n), type="context") for n in range(30)]
    written = write_memories(writer, news)
    for row in written[:10]:
        delete_memory(writer, row.uid)

    found = search(store, "gold", options=SearchOptions(limit=5))

    assert len(found) == 5
    assert {hit.memory.id for hit in found} <= {row.id for row in written[10:]}


@pytest.mark.parametrize(
    ("scope", "field"),
    [
        ({"category": "diary"}, "category"),
        ({"type": "lesson"}, "type"),
        ({"after": datetime(2026, 1, 1)}, "after"),  # noqa: DTZ001 - the point
        ({"before": "yesterday"}, "before"),
        ({"tags": "swaps"}, "tags"),
        ({"tags": ["swaps", 5]}, "tags[1]"),
        ({"session_id": "\0"}, "session_id"),
    ],
)
def test_a_scope_is_checked(store: Store, scope: dict[str, Any], field: str):
    with pytest.raises(InvalidInputError) as caught:
        search(store, "slippage", Scope(**scope))
    assert caught.value.field == field


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_a_limit_is_checked(store: Store, limit: int):
    with pytest.raises(InvalidInputError, match="limit"):
        search(store, "slippage", options=SearchOptions(limit))


def test_a_search_sees_what_was_committed_before_it(store: Store, writer: Writer):
    for n in range(3):
        write_memories(writer, [NewMemory("lesson", f"lesson {n}")])
        assert len(search(store, "lesson")) == n + 1
