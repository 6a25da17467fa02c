"""What decisions earn at equal risk, beside the same assets held."""

from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.equity import RiskedDecision, equity

PERCENT = 10_000_000


def decision(entry, move, *, stance="long", sigma=2.0, costs=0.0, length=10, asset="BTC"):
    """A decision; move, sigma and costs in per cent."""
    return RiskedDecision(
        *(entry, entry + length, asset, stance),
        *(round(move * PERCENT), round(sigma * PERCENT), round(costs * PERCENT)),
    )


DECISIONS = st.lists(
    st.builds(
        decision,
        st.integers(0, 60),
        st.floats(-20, 20),
        stance=st.sampled_from(["long", "short", "neutral"]),
        sigma=st.floats(0.1, 10),
        costs=st.floats(0, 1),
        length=st.integers(1, 30),
        asset=st.sampled_from(["BTC", "EURUSD"]),
    ),
    max_size=20,
)


def test_a_quiet_market_counts_as_much_as_a_wild_one():
    found = equity([decision(0, 4, sigma=2), decision(10, 0.2, sigma=0.1, asset="EURUSD")])

    assert [one.micro_sigma for one in found.decided.points] == [2_000_000, 4_000_000]


def test_costs_are_paid_both_ways_and_a_short_earns_a_fall():
    found = equity([decision(0, -4, stance="short", costs=1), decision(10, -4, costs=1)])

    assert [one.micro_sigma for one in found.decided.points] == [1_500_000, -1_000_000]


def test_holding_is_always_long_without_costs():
    found = equity([decision(0, -4, stance="short", costs=1), decision(10, 6, costs=1)])

    assert [one.micro_sigma for one in found.held.points] == [-2_000_000, 1_000_000]


def test_a_neutral_decision_takes_no_position():
    found = equity([decision(0, 5, stance="neutral"), decision(0, 2)])

    assert (found.neutral, found.decided.n, found.held.n) == (1, 1, 1)


def test_a_curve_moves_when_decisions_end_and_its_fall_counts_the_beginning():
    found = equity(
        [
            decision(0, -2, length=30),
            decision(5, 4, length=5),
            decision(6, 2, length=4),
            decision(40, -8),
        ]
    )

    curve = [(one.at, one.micro_sigma) for one in found.decided.points]
    assert curve == [(10, 3_000_000), (30, 2_000_000), (50, -2_000_000)]
    assert found.decided.drawdown == 5_000_000
    assert found.decided.total == -2_000_000
    assert equity([decision(0, -2)]).decided.drawdown == 1_000_000


def test_one_that_ends_makes_room_for_one_that_enters():
    in_turn = [decision(0, 1), decision(10, 1), decision(20, 1)]

    assert equity(in_turn).decided.most_open == 1
    assert equity([*in_turn, decision(15, 1)]).decided.most_open == 2


def test_ratio_and_errors_are_those_of_independent_results_where_none_overlap():
    moves = [1.0, -2.0, 3.0, 0.5, -1.0]
    found = equity([decision(10 * place, move) for place, move in enumerate(moves)]).decided

    results = [move / 2 for move in moves]
    ratio = mean(results) / stdev(results)
    assert found.mean == pytest.approx(mean(results))
    assert found.mean_error == pytest.approx(stdev(results) / sqrt(5))
    assert found.ratio == pytest.approx(ratio)
    assert found.ratio_error == pytest.approx(sqrt((1 + ratio**2 / 2) / 5))


def test_decisions_that_share_their_prices_are_no_further_proofs():
    """Each decision four times over: the errors stay those of a quarter of them."""
    chance = Random(1)
    moves = [chance.gauss(0.2, 2) for _ in range(100)]
    once = equity([decision(10 * place, move) for place, move in enumerate(moves)]).decided
    copies = [decision(10 * place, move) for place, move in enumerate(moves) for _ in range(4)]
    often = equity(copies).decided

    assert often.mean_error == pytest.approx(once.mean_error, rel=0.01)
    assert often.ratio_error == pytest.approx(once.ratio_error, rel=0.01)


def test_opposite_results_of_one_time_never_count_as_more_proofs():
    hedged = [decision(10 * place, move) for place in range(20) for move in (2, -2.1)]
    apart = [decision(10 * place, 2 if place % 2 else -2.1) for place in range(40)]

    assert equity(hedged).decided.mean_error == equity(apart).decided.mean_error


def test_too_few_results_have_no_error():
    none, one = equity([]).decided, equity([decision(0, 3)]).decided
    equal = equity([decision(0, 3), decision(10, 3)]).decided

    assert (none.n, none.total, none.mean, none.ratio) == (0, 0, None, None)
    assert (one.mean, one.mean_error, one.ratio) == (1.5, None, None)
    assert (equal.mean, equal.mean_error, equal.ratio, equal.ratio_error) == (1.5, 0.0, None, None)


@given(DECISIONS, st.randoms())
def test_the_order_of_decisions_changes_no_bit(made, chance):
    mixed = list(made)
    chance.shuffle(mixed)

    assert repr(equity(mixed)) == repr(equity(made))


@pytest.mark.parametrize("wrong", [decision(0, 1, sigma=0), decision(0, 1, length=0)])
def test_a_decision_without_risk_or_time_is_refused(wrong):
    with pytest.raises(ValueError, match="BTC"):
        equity([wrong])
