"""The numbers that a text claims, however they are written."""

import pytest

from afterword.pipeline.domain.patterns.claims import advice_in, numbers_in


def claimed(text, names=()):
    return [tuple(one) for one in numbers_in(text, names)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("right 15 of", ("15", "")),
        ("right 15.0 of", ("15", "")),
        ("right 15.20 of", ("15.2", "")),
        ("about 33 % next", ("33", "%")),
        ("about 33% next", ("33", "%")),
        ("about 33 percent next", ("33", "%")),
        ("about 33 per cent next", ("33", "%")),
        ("lost $1,840 in all", ("1840", "$")),
        ("lost $1,840.50 in all", ("1840.5", "$")),
        ("lost 1,840 USD", ("1840", "$")),
        ("lost €1,840", ("1840", "€")),
        ("a mean of −2.1 %", ("-2.1", "%")),
        ("a mean of -2.1 %", ("-2.1", "%")),
        ("a mean of +2.1 %", ("+2.1", "%")),
        ("over 24 hours", ("24", "h")),
        ("over 24h", ("24", "h")),
        ("15 times as often", ("15", "times")),
        ("3x as often", ("3", "x")),
        ("since 2024-03.", ("2024-03", "date")),
    ],
)
def test_a_number_is_read_with_its_unit_and_sign(text, number):
    assert claimed(text) == [number]


@pytest.mark.parametrize(
    "text",
    [
        "right seven times",
        "right twice",
        "Half of them failed",
        "a third of them",
        "nearly always wrong",
        "right in VII cases",
        "right in １５ cases",
        "right in ½ of the cases",
        "right in ١٥ cases",
        "对了七次",
        "15,2 of them",
        "1.2.3 of them",
    ],
)
def test_a_number_in_any_other_form_is_none_that_could_be_given(text):
    assert {"word", "sign", "unreadable"} & {one.unit for one in numbers_in(text)}


def test_the_digits_of_a_name_are_no_numbers():
    assert claimed("right 15 on 1INCH and SP500", ["1INCH", "SP500"]) == [("15", "")]


def test_a_range_has_two_numbers_and_no_sign():
    assert claimed("16-37 of them") == [("16", ""), ("37", "")]


@pytest.mark.parametrize(
    "text",
    ["Double the position size", "raise the limit", "use more leverage", "ignore the gate"],
)
def test_a_text_that_asks_for_more_is_found(text):
    assert advice_in(text) is not None


def test_a_text_that_only_tells_is_not():
    assert advice_in("Longs after a rise were right less often than without skill.") is None
