"""When two writings are one statement, and what no judge may overlook."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.facts.agreement import signature, why_not_instead, why_not_same
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.likeness import content_words, likeness
from afterword.pipeline.domain.facts.normalise import plain
from afterword.pipeline.domain.facts.numbers import read_numbers

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "benchmarks" / "data" / "fact_pairs.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
HARD = ("number", "negation", "side", "ticker", "chain")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Stop is 0.50 %.", "stop is 0.5%"),
        ("cap $1,000", "Cap $1000!"),
        ("min 10k USDT", "min 10,000 USDT"),
        ("doesn't hold", "Does not hold"),
        ("持有 ＢＴＣ。", "持有BTC"),
        ("单笔不超过5万", "单笔不超过50000"),
        ("buys\u200b the dip", "buys dip"),
    ],
)
def test_another_writing_is_the_same_statement(one, other):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("stop is 0.5%", "stop is 5%"),
        ("10² USDC", "102 USDC"),
        ("1½ ETH", "11/2 ETH"),
        ("1.000 USDT", "1 USDT"),  # a thousand where commas are decimal
        ("0,500 BTC", "500 BTC"),
        ("watches the 5m chart", "watches the 5M chart"),
        ("holds link", "holds LINK"),
        ("No, BTC is fine", "No BTC is fine"),
        ("trades options", "trades options?"),
        ("code aB93kQ", "code Ab93Kq"),
        ("pnl is -5%", "pnl is 5%"),
    ],
)
def test_what_only_looks_the_same_is_another_statement(one, other):
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("risks $1,000 or 2 %", ["1000usd", "2%"]),
        ("three positions, 4h chart, 10x", ["3", "4h", "10x"]),
        ("百分之五，三成，两倍，第一次", ["5%", "30%", "2x", "#1"]),
        ("一直十分谨慎", []),
        ("5万美元", ["50000usd"]),
        ("sent to 0x52908400098527886E0F7030069857D2E4169EE7", []),
        ("0\x1fX, 1\u2028h", ["0x", "1h"]),
        ("s\u0131x", []),  # a dotless i
    ],
)
def test_numbers_are_read_in_figures_and_words(text, numbers):
    assert [number.value for number in read_numbers(plain(text))] == numbers


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair["relation"] != "same"])
def test_no_two_statements_of_the_labelled_set_are_taken_for_one(pair):
    assert fingerprint(pair["a"]) != fingerprint(pair["b"])
    if pair["why"] in HARD:
        assert why_not_same(signature(pair["a"]), signature(pair["b"]))


def test_two_of_one_normal_form_agree_in_all_that_counts():
    alike = [pair for pair in PAIRS if fingerprint(pair["a"]) == fingerprint(pair["b"])]
    assert len(alike) > 30
    for pair in alike:
        one, other = signature(pair["a"]), signature(pair["b"])
        assert (one.language, one.entities) == (other.language, other.entities), pair
        assert (one.numbers, one.denied, one.turns) == (other.numbers, other.denied, other.turns)


def test_the_labelled_set_is_large_and_known_in_full():
    assert len(PAIRS) >= 300
    assert {pair["relation"] for pair in PAIRS} == {"same", "conflict", "different"}
    assert len({(pair["a"], pair["b"]) for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("why", ["ticker", "chain"])
def test_a_statement_never_replaces_one_about_another_asset_or_chain(why):
    for pair in PAIRS:
        if pair["why"] == why:
            assert why_not_instead(signature(pair["b"]), signature(pair["a"])), pair


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("BTC stop loss is 5%", "BTC take profit is 5%", "about"),
        ("Order 8841902 was rejected", "Order 8841920 was rejected", "which"),
        ("Lost 18% in 2024", "Lost 18% in 2025", "which"),
        ("user trades options", "does the user trade options?", "question"),
        ("user prefers weekly charts", "walks the dog after dinner", "subject"),
    ],
)
def test_a_statement_about_something_else_replaces_nothing(older, newer, reason):
    assert why_not_instead(signature(newer), signature(older)) == reason


def test_most_restatements_and_replacements_are_allowed():
    same = [pair for pair in PAIRS if pair["why"] == "paraphrase" and pair["relation"] == "same"]
    conflict = [pair for pair in PAIRS if pair["relation"] == "conflict"]

    merged = [not why_not_same(signature(pair["a"]), signature(pair["b"])) for pair in same]
    replaced = [
        not why_not_instead(signature(pair["b"]), signature(pair["a"])) for pair in conflict
    ]
    assert sum(merged) > 0.6 * len(same)
    assert sum(replaced) > 0.9 * len(conflict)


@given(st.text(max_size=200))
def test_no_text_breaks_a_rule(text):
    found = signature(text)

    assert fingerprint(f"  {text} ") == fingerprint(text)
    assert why_not_same(found, found) is not None  # words said again are no judge's business
    why_not_instead(found, found)


@given(st.sampled_from(PAIRS), st.booleans())
def test_the_rules_treat_both_of_a_pair_alike(pair, swapped):
    one, other = (signature(pair[key]) for key in ("ba" if swapped else "ab"))

    assert (why_not_same(one, other) is None) == (why_not_same(other, one) is None)


def test_likeness_counts_words_that_carry_meaning():
    weekly, daily = content_words("user prefers weekly charts"), content_words("weekly chart")

    assert likeness(weekly, daily) == pytest.approx(2 / 3)
    assert likeness(frozenset(), frozenset()) == 0
