"""Numbers as other programs write them, and which decimal mark a file has."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.tabular.numbers import mark_of, read_number, split_unit


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("1,234.56", "1234.56", None),
        ("1.234,56", None, "1234.56"),
        ("1 234,5", None, "1234.5"),
        ("1 234.5", "1234.5", None),
        ("1'234.5", "1234.5", None),
        ("1\u2019234,5", None, "1234.5"),
        ("1\u202f234", "1234", "1234"),
        ("1,234", "1234", "1.234"),
        ("1.234", "1.234", "1234"),
        ("1,5", None, "1.5"),
        ("1.5", "1.5", None),
        ("1,234,567", "1234567", None),
        ("1.234.567", None, "1234567"),
        ("12,34,567", None, None),
        ("1,234.567,8", None, None),
        ("-$1,234.50", "-1234.50", None),
        ("($400.00)", "-400.00", None),
        ("-€597,49", None, "-597.49"),
        ("\u22121.5", "-1.5", None),
        ("+2", "2", "2"),
        (".50", "0.50", None),
        ("1e-06", "0.000001", "0.000001"),
        ("9007199254740993", "9007199254740993", "9007199254740993"),
    ],
)
def test_a_number_is_read_exactly_by_its_decimal_mark(text, point, comma):
    assert read_number(text, ".") == (None if point is None else Decimal(point))
    assert read_number(text, ",") == (None if comma is None else Decimal(comma))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "NaN",
        "inf",
        "0x10",
        "1_000",
        "1e999",
        "=1+1",
        "+cmd|x",
        "1..5",
        "1-",
        "٣",
        "1,",
        "1" * 60,
    ],
)
def test_what_is_no_number_is_none(text):
    if text == "1,":
        assert read_number(text, ".") is None
    else:
        assert read_number(text, ".") is None and read_number(text, ",") is None


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.5", "2"], "."),
        (["1.234"], "."),  # no number has a comma
        (["1,5"], ","),
        (["1,234"], None),
        (["0,125"], ","),  # nothing is grouped behind a leading 0
        (["-0.125", "1.250"], "."),
        (["1,234", "2,5"], ","),
        (["1,234", "2.5"], "."),
        (["1,234", "1,234.5"], "."),
        (["1,5", "1.5"], None),
        ([], "."),
        (["x"], "."),
    ],
)
def test_the_mark_of_a_file_is_that_of_the_numbers_with_one_meaning(texts, mark):
    assert mark_of([[text] for text in texts]) == mark


def test_a_mark_that_a_program_writes_counts_where_no_number_has_the_other_one():
    assert mark_of([["1,234"], ["5"]], usual=",") == ","
    assert mark_of([["1.234"]], usual=",") is None


def test_a_mark_is_looked_for_until_a_number_decides():
    rows = [["1,234"]] * 100 + [["2,5"]]

    assert mark_of(rows, most=10) == ","


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0.1 BNB", ("0.1", "BNB")),
        ("0.1BNB", ("0.1", "BNB")),
        ("1e-06", ("1e-06", "")),
        ("1e30", ("1e30", "")),
        ("5", ("5", "")),
        ("USD", ("USD", "")),
        ("$5", ("$5", "")),
    ],
)
def test_the_word_behind_a_number_is_its_unit(text, parts):
    assert split_unit(text) == parts


@given(st.decimals(-(10**9), 10**9, places=4), st.sampled_from([".", ","]))
def test_a_number_written_with_thousands_is_read_back(number, mark):
    text = f"{number:,.4f}"
    if mark == ",":
        text = text.translate(str.maketrans(",.", ".,"))

    assert read_number(text, mark) == number
