"""What a query is taken for: words, numbers, dates, phrases, or the query language."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.clock import from_micros
from afterword.pipeline.recall.search.dates import find_dates
from afterword.pipeline.recall.search.forms import forms
from afterword.pipeline.recall.search.language import read_language, uses_language
from afterword.pipeline.recall.search.query import (
    MAX_PIECES,
    MAX_TERMS,
    pieces,
    readable,
    terms,
    words,
)


@pytest.mark.parametrize(
    "query",
    [
        *('"always use"', "slippage AND base", "slippage OR impact", "slippage NOT base"),
        *("slip*", "category:preference slippage", "tags:btc"),
    ],
)
def test_the_query_language_is_recognised(query: str):
    assert uses_language(query)


@pytest.mark.parametrize(
    "query",
    ["BTC/USD 5%", "R:R > 2", "slippage and base", "what about SANDY?", "5 * 3", '""', "the ANDES"],
)
def test_ordinary_text_is_not_taken_for_it(query: str):
    assert not uses_language(query)


@pytest.mark.parametrize(
    ("query", "expression", "wanted"),
    [
        ("base NOT slippage", '"base" NOT "slippage"', ["base"]),
        ("a NOT (b OR c) AND d", '"a" NOT ( "b" OR "c" ) AND "d"', ["a", "d"]),
        ("(a NOT b) OR c", '( "a" NOT "b" ) OR "c"', ["a", "c"]),
        ("slip* (a OR b)", '"slip"* AND ( "a" OR "b" )', ["slip*", "a", "b"]),
        (
            "category:lesson stop-loss",
            'category : "lesson" "stop" "loss"',
            ["lesson", "stop", "loss"],
        ),
        ("content:山寨币", '{content grams} : "山寨" + "寨币"', ["山寨币"]),
        ("unknown:a AND b", None, ["unknown", "a", "b"]),
    ],
)
def test_what_the_language_means(query: str, expression: str | None, wanted: list[str]):
    meant = read_language(query)

    assert meant.expression == expression
    assert [term.name for term in meant.terms] == wanted


def test_common_words_are_dropped_while_others_remain():
    assert words("What did the user do about the Slippage?") == ["user", "slippage"]
    assert words("what is the") == ["what", "is", "the"]
    assert words("US equities, long or short") == ["us", "equities", "long", "short"]
    assert words("¿%&?") == []


def test_what_a_question_says_about_itself_is_dropped_from_questions_only():
    assert words("What kind of order was mentioned?") == ["order"]
    assert words("order type") == ["order", "type"]
    assert words("What type?") == ["type"]


def names(query: str) -> list[str]:
    return [term.name for term in terms(query)]


def test_punctuation_holds_words_together():
    assert names("R:R > 2") == ["r:r", "r", "2"]
    assert names("stop-loss @ 3,450.5") == ["stop-loss", "3,450.5", "stop", "loss"]
    assert names("Melanie's wallet 0xabcdef…") == ["0xabcdef*", "melanie", "wallet", "0xabcdef"]


def test_unspaced_text_is_looked_for_in_pairs_and_in_every_script():
    assert names("BTC跌破七万 now") == ["btc", "跌破", "破七", "七万"]
    assert names("止损怎么设?") == ["止损", "设"]
    assert terms("币")[0].expression == '"币"* OR "幣"*'
    assert pieces("BTC跌破 now") == ["跌", "破", "btc"]
    assert pieces("🚀🚀 %") == ["🚀🚀", "%"]


def test_common_words_are_no_help_beside_anything_else():
    assert names("what did I do in March?") == ["in March"]
    assert names("how much is 止损?") == ["止损"]
    assert names("what is it") == ["what", "is", "it"]


def test_irregular_forms_stand_together():
    assert forms("buy") == ("buy", "bought")
    assert forms("went")[:2] == ("went", "go")
    assert set(forms("losing")) == {"losing", "lose", "lost"}
    assert forms("gas") == ("gas",)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("on October 13, 2023", "2023-10-13", "2023-10-14"),
        ("1 February 2023", "2023-02-01", "2023-02-02"),
        ("in Dec 2023", "2023-12-01", "2024-01-01"),
        ("during 2024", "2024-01-01", "2025-01-01"),
        ("2026-03-05", "2026-03-05", "2026-03-06"),
        ("2026年3月5日", "2026-03-05", "2026-03-06"),
        ("31 December, 2025", "2025-12-31", "2026-01-01"),
    ],
)
def test_a_date_is_a_stretch_of_time(said: str, first: str, last: str):
    (date,), _ = find_dates(f"what happened {said}?")
    ((start, end),) = date.spans

    assert from_micros(start) == datetime.fromisoformat(first).replace(tzinfo=UTC)
    assert from_micros(end) == datetime.fromisoformat(last).replace(tzinfo=UTC)


def test_a_date_without_a_year_is_that_of_any_year():
    (date,), rest = find_dates("who went camping in July, really?")

    assert len(date.spans) == 100
    assert rest.split() == ["who", "went", "camping", ",", "really?"]


@pytest.mark.parametrize(
    "text",
    ["you may sell", "ETH above 2000", "Feb 30 2024", "2023-13-01", "a march up", "99月99日"],
)
def test_what_is_no_date(text: str):
    assert find_dates(text) == ((), text)


@given(st.text(st.characters(), max_size=600))
def test_what_is_read_of_a_query_can_be_given_to_sqlite(text: str):
    read = readable(text)

    assert read.encode().decode() == read
    assert "\0" not in read
    assert all(part.isalnum() for part in words(read))
    assert len(terms(read)) <= MAX_TERMS
    assert all(term.expression for term in terms(read))
    assert len(pieces(read)) <= MAX_PIECES
    assert bool(pieces(read)) == bool(read)
