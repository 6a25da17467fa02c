"""What a query is taken for: the query language, plain words, or pieces of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.recall.query import MAX_PIECES, is_unspaced, pieces, readable, uses_syntax, words


@pytest.mark.parametrize(
    "query",
    [
        '"always use"',
        "slippage AND base",
        "slippage OR impact",
        "slippage NOT base",
        "slip*",
        "category:preference slippage",
        "tags:btc",
    ],
)
def test_the_query_language_is_recognised(query: str):
    assert uses_syntax(query)


@pytest.mark.parametrize(
    "query",
    ["BTC/USD 5%", "R:R > 2", "slippage and base", "what about SANDY?", "5 * 3", '""', "the ANDES"],
)
def test_ordinary_text_is_not_taken_for_it(query: str):
    assert not uses_syntax(query)


def test_common_words_are_dropped_while_others_remain():
    assert words("What did the user say about the Slippage?") == ["user", "say", "slippage"]
    assert words("what is the") == ["what", "is", "the"]
    assert words("US equities, long or short") == ["us", "equities", "long", "short"]
    assert words("¿%&?") == []


def test_unspaced_text_is_looked_for_in_pairs():
    assert is_unspaced("BTC 跌破")
    assert pieces("BTC跌破七万 now") == ["跌破", "破七", "七万", "btc", "now"]
    assert pieces("涨") == ["涨"]
    assert pieces("🚀🚀 %") == ["🚀🚀", "%"]


@given(st.text(st.characters(), max_size=600))
def test_what_is_read_of_a_query_can_be_given_to_sqlite(text: str):
    read = readable(text)

    assert read.encode().decode() == read
    assert "\0" not in read
    assert all(part.isalnum() for part in words(read))
    assert len(pieces(read)) <= MAX_PIECES
    assert bool(pieces(read)) == bool(read)
