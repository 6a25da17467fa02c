"""Sentences say no more than the record, and judge nothing that was not selected."""

import re
from random import Random

from afterword.pipeline.rules.evidence.habits import examine
from afterword.pipeline.rules.evidence.model import HYPOTHESES, SETUPS, Hypothesis, Setup
from afterword.pipeline.rules.evidence.words import (
    expectation,
    nothing_text,
    pattern_line,
    pattern_text,
    report_opening,
)

LONG_UP = Setup("long", "up")
FAILING = Hypothesis(LONG_UP, "failing")
YEAR = 52
JUDGING = re.compile(
    r"\b(fail\w*|works?|edges?|habits?|costs? you|lesson learned)\b", re.IGNORECASE
)


def test_a_confirmed_pattern_of_a_class_is_told_with_its_numbers(family, vote):
    votes = [
        vote(week, week % 8 == 0, asset, residual=-0.021, cost_micro_usd=-23_000_000)
        for week in range(30 * YEAR, 30 * YEAR + 40)
        for asset in ("BTC", "ETH")
    ]

    found = family(votes).pattern(FAILING)

    assert found.scope.is_class
    assert pattern_line(found, "coins") == (
        "Longs after a rise beyond the band, all coins: 5 of 40 (base 20), "
        "mean −2.1 % beyond the market, −$1,840; since 1999-11"
    )
    assert pattern_text(found, "coins") == (
        f"{pattern_line(found, 'coins')}. Chance finds something like this in at most 1 of 20 such "
        "roles, however often you look. Expect about 29 % next (shrunk). Since confirmation: 2 of "
        "17 (base 8.5)."
    )


def test_a_pattern_of_one_asset_is_told_with_the_numbers_of_that_asset(family, vote):
    votes = [vote(week, False, "BTC") for week in range(40)]
    votes += [vote(week, week % 2 == 0, asset) for week in range(40) for asset in ("ETH", "SOL")]

    found = family(votes).pattern(FAILING)

    assert pattern_line(found, "coins") == (
        "Longs after a rise beyond the band, BTC 0 of 40 (base 20); since 1970-01"
    )
    assert expectation(found).startswith("Expect about BTC 21 % next (shrunk).")


def test_a_hint_says_that_it_is_one(family, vote):
    found = family(vote(week, False) for week in range(18)).pattern(FAILING)

    assert found.state == "emerging"
    assert pattern_text(found) == (
        "Longs after a rise beyond the band, BTC 0 of 18 (base 9); since 1970-01. A hint, not a "
        f"lesson: one role in 5 shows one by luck. About {found.stretches_needed} more stretches "
        "decide."
    )


def test_without_a_finding_the_text_says_what_would_be_found():
    assert nothing_text(41) == (
        "Nothing can be told apart from luck yet: 41 stretches. A setup that turns half of its "
        "hits would be seen by about 60, one that turns a third by about 125."
    )


def test_a_retired_pattern_is_told_as_past(family, vote):
    failed = [vote(week, False) for week in range(40)]
    found = family(failed + [vote(40 + week, week % 4 != 0) for week in range(30)])
    assert "Not told since 1971-" in pattern_text(found.pattern(FAILING))


def test_no_text_judges_what_was_not_selected(family, vote):
    for seed in range(20):
        chance = Random(seed)
        votes = [
            vote(week, chance.random() < 0.5, asset, chance.choice(SETUPS))
            for week in range(60)
            for asset in ("BTC", "ETH")
        ]
        record = family(votes)
        for hypothesis in HYPOTHESES:
            found = record.pattern(hypothesis)
            if found.state != "confirmed":
                assert not JUDGING.search(pattern_text(found, "coins"))


def test_a_report_says_how_many_cuts_were_tried():
    assert report_opening(examine([])) == (
        "0 ways of cutting your trades were tried. By chance 1 report in 25 would name anything."
    )
