"""Bets have a mean of 1 without an effect, and grow as their formulas say."""

from math import isclose
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.bets import (
    DELTAS,
    LARGEST,
    Wager,
    e_bh_bar,
    gain,
    reverse_factor,
)

CHANCES = st.floats(0.05, 0.95)
SIDES = pytest.mark.parametrize("side", ["failing", "works"])


@SIDES
@given(p=CHANCES)
def test_a_bet_neither_wins_nor_loses_at_the_base_rate(side, p):
    for delta in DELTAS:
        factors = [1 + delta * gain(side, is_hit, p) for is_hit in (True, False)]
        assert isclose(p * factors[0] + (1 - p) * factors[1], 1)
        assert min(factors) > 0


@given(p=CHANCES)
def test_the_factors_are_those_of_the_rule(p):
    for delta in DELTAS:
        q = p + delta * (1 - p)
        assert isclose(1 + delta * gain("failing", True, p), 1 - delta)
        assert isclose(1 + delta * gain("failing", False, p), (1 - p * (1 - delta)) / (1 - p))
        assert isclose(1 + delta * gain("works", True, p), q / p)
        assert isclose(1 + delta * gain("works", False, p), (1 - q) / (1 - p), abs_tol=1e-12)


@pytest.mark.parametrize("misses", [1, 5, 30])
def test_the_e_value_of_misses_in_a_row_equals_the_formula(misses):
    wager, p = Wager(), 0.4
    for _ in range(misses):
        wager.add(gain("failing", False, p))

    wanted = mean(((1 - p * (1 - delta)) / (1 - p)) ** misses for delta in DELTAS)
    assert isclose(wager.value, wanted)


@SIDES
@given(p=CHANCES, assets=st.integers(2, 10))
def test_assets_that_always_move_together_keep_the_mean_of_a_bet(side, p, assets):
    values = []
    for is_hit in (True, False):
        wager = Wager()
        wager.add(mean(gain(side, is_hit, p) for _ in range(assets)))
        values.append(wager.value)
    assert isclose(p * values[0] + (1 - p) * values[1], 1)


@SIDES
@given(p=CHANCES)
def test_the_reverse_bet_stands_still_while_a_fifth_is_turned(side, p):
    hits = 0.8 * p if side == "failing" else p + 0.2 * (1 - p)
    factors = [reverse_factor(side, is_hit, p) for is_hit in (True, False)]
    assert isclose(hits * factors[0] + (1 - hits) * factors[1], 1)
    assert p * factors[0] + (1 - p) * factors[1] > 1


def test_the_reverse_bet_on_a_failing_setup_is_that_of_the_rule():
    assert isclose(reverse_factor("failing", True, 0.5), 1 / (1 - 0.2))
    assert isclose(reverse_factor("failing", False, 0.5), (1 - 0.5) / (1 - 0.8 * 0.5))


def test_an_e_value_stays_finite():
    wager = Wager()
    for _ in range(10_000):
        wager.add(gain("works", True, 0.05))
    assert wager.value == LARGEST
    for _ in range(10_000):
        wager.add(gain("works", False, 0.95))
    assert 0 <= wager.value < 1


@pytest.mark.parametrize(
    ("e_values", "selected"),
    [
        ([239.0] + [1.0] * 11, 0),
        ([240.0] + [1.0] * 11, 1),
        ([120.0, 120.0] + [1.0] * 10, 2),
        ([120.0, 119.0] + [1.0] * 10, 0),
        ([500.0, 100.0, 80.0] + [1.0] * 9, 3),
        ([20.0] * 12, 12),
        ([19.9] * 12, 0),
    ],
)
def test_among_twelve_hypotheses_the_first_needs_240_and_two_need_120(e_values, selected):
    bar = e_bh_bar(e_values, 0.05)
    assert sum(one >= bar for one in e_values) == selected


@given(st.lists(st.floats(0, 1e6), min_size=12, max_size=12), st.sampled_from([0.05, 0.1, 0.2]))
def test_the_mean_is_large_whenever_anything_is_selected(e_values, level):
    if any(one >= e_bh_bar(e_values, level) for one in e_values):
        assert mean(e_values) >= (1 - 1e-9) / level
