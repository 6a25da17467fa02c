"""Rates, neutral calls and calibration follow their formulas."""

from math import isclose

import pytest

from afterword.pipeline.rules.evidence.calibration import calibration
from afterword.pipeline.rules.evidence.needed import stretches_needed
from afterword.pipeline.rules.evidence.neutral import neutral_kappa, neutral_verdict, usual_move
from afterword.pipeline.rules.evidence.rates import (
    base_rate,
    clipped_base,
    shrunk_rate,
    wilson_interval,
)


def test_a_base_rate_begins_at_one_half_and_follows_the_past():
    assert base_rate(0, 0) == 0.5
    assert isclose(base_rate(70, 100), 85 / 130)
    assert (clipped_base(0.001), clipped_base(0.3), clipped_base(0.999)) == (0.05, 0.3, 0.95)


def test_a_selected_effect_is_shrunk_towards_its_base():
    assert isclose(shrunk_rate(15, 30, 60), 1 / 3)  # 15 of 60, base 30: expect about 33 %
    assert shrunk_rate(0, 0, 0) == 0.5


def test_the_interval_is_wilsons():
    low, high = wilson_interval(7, 31)
    assert (round(low, 3), round(high, 3)) == (0.114, 0.398)
    assert wilson_interval(0, 0) == (0, 1)
    with pytest.raises(ValueError, match="hits"):
        wilson_interval(3, 2)


def test_a_neutral_call_is_judged_by_the_usual_move_of_its_market():
    assert neutral_kappa(0.4, 0) == 0.62
    assert isclose(neutral_kappa(0.7, 25), 0.66)
    usual = usual_move(sigma=0.05, kappa=0.62)
    assert isclose(usual, 0.031)
    moves = (0.0, -0.0278, 0.028, -0.034, 0.0342)
    assert [neutral_verdict(move, usual) for move in moves] == [
        *("right", "right", "noise", "noise", "wrong")
    ]


def test_calibration_counts_every_decision_in_one_bin():
    found = calibration([(0.8, True), (0.85, False), (0.8, False), (0.3, False), (1.0, True)])

    assert [(one.low, one.n, one.hits) for one in found.bins] == [
        *((0.2, 1, 0), (0.8, 3, 1), (0.9, 1, 1))
    ]
    assert found.n == 5
    assert found.brier is not None
    assert isclose(found.brier, (0.04 + 0.7225 + 0.64 + 0.09 + 0) / 5)
    assert calibration([]).brier is None
    with pytest.raises(ValueError, match="confidence"):
        calibration([(80, True)])


def test_stronger_effects_need_fewer_stretches():
    def from_nothing(rate: float) -> int | None:
        return stretches_needed("failing", 1.0, 0, rate, 0.5, 0.05, 12)

    assert from_nothing(0.25) == 48
    assert from_nothing(0.5 * 2 / 3) == 110
    assert from_nothing(0.5) is None
    assert from_nothing(0.7) is None
    assert stretches_needed("works", 100.0, 12, 0.7, 0.5, 0.05, 12) == 20
    assert stretches_needed("works", 1e6, 30, 0.7, 0.5, 0.05, 12) == 1
