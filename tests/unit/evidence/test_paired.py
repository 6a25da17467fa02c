"""The bet on the difference of two arms: its formula, its error without a difference, its words."""

from itertools import product
from math import isclose
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.bets import DELTAS
from afterword.pipeline.rules.evidence.graduation import MOST_NEEDED
from afterword.pipeline.rules.evidence.paired import PairedStretch, paired_verdict


def stretch(place, won, *, bound=2.0):
    """A stretch in which the first arm is better by some amount."""
    return PairedStretch(10 * place, 10 * place + 10, won / 2, -won / 2, bound)


def in_turn(*wins, bound=2.0):
    return [stretch(place, won, bound=bound) for place, won in enumerate(wins)]


WINS = st.lists(st.floats(-1, 1), max_size=30)


@pytest.mark.parametrize("times", [1, 5, 40])
@pytest.mark.parametrize(("won", "bound"), [(1.0, 2.0), (0.5, 1.0), (-0.3, 0.6)])
def test_equal_wins_in_a_row_give_the_e_values_of_the_formula(times, won, bound):
    found = paired_verdict(in_turn(*[won] * times, bound=bound))

    assert isclose(found.up, mean((1 + delta * won / bound) ** times for delta in DELTAS))
    assert isclose(found.down, mean((1 - delta * won / bound) ** times for delta in DELTAS))
    assert (found.n, found.mean) == (times, pytest.approx(won))


@given(st.lists(st.tuples(st.floats(0.05, 1), st.floats(0, 1)), min_size=1, max_size=6))
def test_without_a_difference_the_mean_of_both_e_values_is_one(sizes):
    """Exactly, over all outcomes: each stretch wins or loses, by amounts whose mean is 0."""
    up = down = 0.0
    for signs in product([True, False], repeat=len(sizes)):
        chance, wins = 1.0, []
        for is_won, (size, skew) in zip(signs, sizes, strict=True):
            odds = 1 / (1 + skew)  # wins size * skew often, or loses size rarely
            chance *= odds if is_won else 1 - odds
            wins.append(size * skew if is_won else -size)
        found = paired_verdict(in_turn(*wins))
        up, down = up + chance * found.up, down + chance * found.down

    assert (up, down) == (pytest.approx(1), pytest.approx(1))


@given(st.floats(-1, 1), st.floats(0, 1))
def test_the_bet_loses_on_average_where_the_second_arm_is_better(won, worse):
    other = max(-won - worse, -1.0)  # as likely as `won`; their mean is at most 0

    values = [paired_verdict(in_turn(one)).up for one in (min(won, -other), other)]

    assert mean(values) <= 1 + 1e-12


@given(WINS, st.randoms())
def test_neither_order_nor_repetition_changes_a_bit(wins, chance):
    stretches = in_turn(*wins)
    mixed = [*stretches, *stretches[::2]]
    chance.shuffle(mixed)

    assert repr(paired_verdict(mixed)) == repr(paired_verdict(stretches))


@given(WINS)
def test_exchanged_arms_exchange_the_verdict(wins):
    found = paired_verdict(in_turn(*wins))
    mirrored = paired_verdict(in_turn(*[-won for won in wins]))

    assert (found.up, found.down) == (mirrored.down, mirrored.up)
    assert found.interval == (-mirrored.interval[1], -mirrored.interval[0])
    assert found.needed == mirrored.needed or not found.mean


def test_a_verdict_comes_at_20_and_the_interval_leaves_0_out_exactly_then():
    for times in range(1, 15):
        found = paired_verdict(in_turn(*[1.0] * times, bound=1.0))
        assert (found.verdict == "helps") == (found.up >= 20) == (found.interval[0] >= 0)
        assert (found.needed == 0) == (found.verdict == "helps")
        worse = paired_verdict(in_turn(*[-1.0] * times, bound=1.0))
        assert (worse.verdict == "hurts") == (found.verdict == "helps") == (worse.interval[1] <= 0)


@given(WINS)
def test_the_mean_lies_in_its_interval(wins):
    found = paired_verdict(in_turn(*wins))

    assert found.interval[0] <= found.mean <= found.interval[1]


def test_an_interval_closes_in_on_the_mean():
    chance = Random(3)
    wins = [0.2 + chance.choice([-0.6, 0.6]) for _ in range(800)]

    short, long = (paired_verdict(in_turn(*wins[:n], bound=1.0)) for n in (100, 800))

    assert short.interval[0] < long.interval[0] < 0.2 < long.interval[1] < short.interval[1]
    assert long.interval[1] - long.interval[0] < 0.3


def test_the_end_of_an_interval_is_ever_wrong_in_at_most_5_percent():
    wrong = 0
    for seed in range(100):
        chance = Random(seed)
        wins = [0.2 + chance.choice([-0.8, 0.8]) for _ in range(60)]
        looks = (paired_verdict(in_turn(*wins[:n], bound=1.0)) for n in range(10, 61, 10))
        wrong += any(one.interval[0] > 0.2 for one in looks)

    assert wrong <= 100 * 0.05


@pytest.mark.parametrize("seed", range(20))
def test_that_many_more_at_the_same_mean_reach_the_verdict(seed):
    chance = Random(seed)
    wins = [0.15 + chance.choice([-0.7, 0.7]) for _ in range(40)]
    found = paired_verdict(in_turn(*wins, bound=1.0))
    if not found.needed:
        assert found.verdict != "cannot tell yet" or abs(found.mean) < 0.1
        return

    later = paired_verdict(in_turn(*wins, *[found.mean] * found.needed, bound=1.0))

    assert later.verdict == ("helps" if found.mean > 0 else "hurts")


def test_the_stretches_needed_are_those_of_repeating_the_record():
    """Not fewer: repeated as they came, two rounds short there is no verdict yet."""
    wins = [0.8, -0.6] * 10
    found = paired_verdict(in_turn(*wins, bound=1.0))
    rounds = -(-found.needed // len(wins))

    assert paired_verdict(in_turn(*wins * (1 + rounds), bound=1.0)).verdict == "helps"
    assert paired_verdict(in_turn(*wins * (rounds - 1), bound=1.0)).needed > 0


def test_nothing_is_promised_where_there_is_hardly_a_difference():
    assert paired_verdict(in_turn(*[0.5, -0.5] * 50)).needed is None
    assert paired_verdict(in_turn(*[0.0] * 50)).needed is None
    slow = paired_verdict(in_turn(*[0.02] * 10))
    assert slow.needed is not None and slow.needed < MOST_NEEDED
    assert paired_verdict(in_turn(*[0.002] * 10)).needed is None


@pytest.mark.parametrize("times", [250, 700])
def test_a_long_record_without_a_loss_stays_finite(times):
    found = paired_verdict(in_turn(*[1.0] * times, bound=1.0))

    assert (found.verdict, found.needed) == ("helps", 0)


def test_without_a_stretch_nothing_is_known():
    found = paired_verdict([])

    assert (found.n, found.verdict, found.needed) == (0, "cannot tell yet", None)
    assert found.interval == (-2.0, 2.0)


@pytest.mark.parametrize(
    "wrong",
    [
        [PairedStretch(0, 10, 0, 0), PairedStretch(9, 20, 0, 0)],
        [PairedStretch(0, 10, 0, 0), PairedStretch(0, 10, 0.1, 0)],
        [PairedStretch(5, 5, 0, 0)],
        [PairedStretch(0, 10, 0.9, -0.9, 1.0)],
        [PairedStretch(0, 10, 0.0, 0.0, 0.0)],
        [PairedStretch(0, 10, float("nan"), 0.0)],
    ],
)
def test_a_bet_that_would_not_be_fair_is_refused(wrong):
    with pytest.raises(ValueError, match="stretch"):
        paired_verdict(wrong)
