"""Four gates over the same decisions, and arms that were asked the same questions."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.gated import (
    GATES,
    PRIMARY_GATE,
    ArmDecision,
    GatedDecision,
    gate_records,
    gated_pairs,
    keyed_pairs,
)
from afterword.pipeline.rules.evidence.paired import paired_verdict


def decision(key, entry, is_hit, is_graduated, *, asset="BTC", length=10, base=0.5):
    return GatedDecision(str(key), entry, entry + length, asset, is_hit, base, is_graduated)


def answer(key, is_hit, *, sample=0, entry=0, length=10, base=0.5):
    return ArmDecision(str(key), sample, entry, entry + length, "BTC", is_hit, base)


@st.composite
def decisions(draw):
    """Some decisions whose bars are crowded and whose windows overlap."""
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 12),
                st.sampled_from([True, False, None]),
                st.booleans(),
                st.integers(1, 6),
                st.sampled_from([0.3, 0.5, 0.7]),
            ),
            max_size=40,
        )
    )
    return [
        decision(key, entry, is_hit, is_graduated, length=length, base=base)
        for key, (entry, is_hit, is_graduated, length, base) in enumerate(rows)
    ]


@given(decisions(), st.sampled_from(GATES))
def test_stretches_never_overlap(made, gate):
    found = gated_pairs(made, gate, 1)

    assert all(one.exit_at <= after.entry_at for one, after in pairwise(found))
    paired_verdict(found)  # accepts every bound


@given(decisions(), st.randoms())
def test_neither_order_nor_repetition_changes_a_bit(made, chance):
    mixed = [*made, *(one._replace() for one in made[::3])]
    chance.shuffle(mixed)

    assert repr(gate_records(mixed, 5)) == repr(gate_records(made, 5))


@given(decisions())
def test_the_flipped_gate_says_the_opposite_of_the_graduated(made):
    found = gate_records(made, 1)

    assert found["graduated"].against_rest.up == found["flipped"].against_rest.down
    assert found["graduated"].kept + found["flipped"].kept == found["all"].kept == len(made)


@given(decisions())
def test_against_all_the_e_value_is_that_against_the_rest(made):
    """The difference to all is a part of that to the rest, and so is its bound."""
    rest = paired_verdict(gated_pairs(made, PRIMARY_GATE, 1))
    everyone = paired_verdict(gated_pairs(made, PRIMARY_GATE, 1, against="all"))

    assert everyone.up == pytest.approx(rest.up)
    assert everyone.down == pytest.approx(rest.down)
    assert abs(everyone.mean) <= abs(rest.mean) or rest.n > 1


def test_a_pair_compares_decisions_of_one_bar():
    made = [
        decision("a", 0, True, True),
        decision("b", 0, False, False, base=0.6),
        decision("c", 0, None, False),
        decision("later", 3, True, False),
    ]

    (one,) = gated_pairs(made, PRIMARY_GATE, 1)

    assert (one.entry_at, one.exit_at) == (0, 10)
    assert (one.a, one.b) == (0.5, pytest.approx(-0.3))
    assert one.bound == pytest.approx(1.05)


def test_a_bar_of_one_side_takes_no_time_from_a_later_pair():
    made = [
        decision("early", 0, True, False),
        decision("a", 4, True, True),
        decision("b", 4, False, False),
    ]

    assert [one.entry_at for one in gated_pairs(made, PRIMARY_GATE, 1)] == [4]


def test_who_joins_a_stretch_later_changes_nothing():
    """Whether somebody decides again depends on the prices in between: his vote would lean."""
    made = [decision("a", 0, True, True), decision("b", 0, False, False)]
    joined = [*made, decision("c", 5, False, True), decision("d", 5, True, False)]

    assert gated_pairs(joined, PRIMARY_GATE, 1) == gated_pairs(made, PRIMARY_GATE, 1)


def test_a_side_inside_the_band_is_worth_0_and_keeps_its_stretch():
    """Whether a pair counts must not depend on what the price did."""
    made = [decision("a", 0, None, True), decision("b", 0, False, False)]

    (one,) = gated_pairs(made, PRIMARY_GATE, 1)

    assert (one.a, one.b) == (0.0, -0.5)


def test_a_fall_in_which_more_assets_leave_the_band_is_no_difference():
    """Longs on five assets beside a short: rises move one asset, falls all; bases are true."""
    longs = [f"coin{number}" for number in range(5)]
    total = 0.0
    for place in range(600):
        is_fall = place % 6 == 0  # one fall of all for five rises of one: each asset goes even
        moved = longs if is_fall else [longs[place % 6 - 1]]
        made = [
            decision(coin, 0, None if coin not in moved else not is_fall, True, asset=coin)
            for coin in longs
        ]
        (one,) = gated_pairs([*made, decision("rest", 0, None, False)], PRIMARY_GATE, 1)
        total += one.a - one.b

    assert total == pytest.approx(0)


def test_a_stretch_that_still_waits_is_left_out():
    for lengths in ((10, 12), (12, 10)):
        made = [
            decision("a", 0, True, True, length=lengths[0]),
            decision("b", 0, False, False, length=lengths[1]),
        ]

        assert gated_pairs(made, PRIMARY_GATE, 1, until=11) == ()
        assert len(gated_pairs(made, PRIMARY_GATE, 1, until=12)) == 1


def test_the_random_gate_is_as_large_and_draws_each_key_by_itself():
    made = [decision(key, key, True, key % 4 == 0) for key in range(4000)]

    kept = gate_records(made, 7)["random"].kept
    halves = [gate_records(half, 7)["random"].kept for half in (made[:2000], made[2000:])]

    assert 900 < kept < 1100
    assert sum(halves) == kept
    assert gate_records(made, 8)["random"].kept != kept


def test_a_gate_counts_what_it_lets_through():
    made = [
        decision("a", 0, True, True, base=0.4),
        decision("b", 0, None, True),
        decision("c", 0, False, False, base=0.6),
        decision("d", 0, False, True, base=0.3),
    ]
    found = gate_records(made, 1)

    graduated = found["graduated"]
    assert (graduated.kept, graduated.voted, graduated.hits) == (3, 2, 1)
    assert graduated.expected == pytest.approx(0.7)
    assert graduated.against_rest.mean == pytest.approx((0.6 - 0.3) / 3 + 0.6)
    assert graduated.above_all == pytest.approx((0.6 - 0.3) / 3 - (0.6 - 0.3 - 0.6) / 4)
    assert (found["all"].against_rest, found["all"].above_all) == (None, None)


def test_a_gate_that_lets_nothing_through_has_no_verdict():
    found = gate_records([decision(key, 10 * key, True, False) for key in range(50)], 1)

    assert found["graduated"].against_rest.verdict == "cannot tell yet"
    assert found["graduated"].against_rest.n == found["random"].kept == 0
    assert found["graduated"].above_all is None


def crowd(seed, *, edge, gate):
    """Five assets that mostly move as one, in regimes; one to six decisions on a bar."""
    chance = Random(seed)
    made = []
    rises = 0.5
    for bar in range(150):
        if chance.random() < 0.03:
            rises = chance.choice([0.35, 0.5, 0.65])
        common = chance.random() < rises
        for number in range(chance.randint(1, 6)):
            moved = common if chance.random() < 0.8 else chance.random() < rises
            is_hit = moved == (chance.random() < 0.5)
            is_graduated = bar > 40 and gate(chance, number)
            if is_graduated and chance.random() < edge:
                is_hit = True
            made.append(decision(f"{bar}-{number}", 10 * bar, is_hit, is_graduated))
    return made


def half(chance, number):
    return chance.random() < 0.5


@pytest.mark.parametrize("gate", [half, lambda _, number: number < 2], ids=["drawn", "fixed"])
def test_a_gate_that_knows_nothing_helps_in_at_most_5_percent(gate):
    helped = 0
    for seed in range(200):
        pairs = gated_pairs(crowd(seed, edge=0, gate=gate), PRIMARY_GATE, seed)
        looks = range(20, len(pairs) + 1, 20)
        helped += any(paired_verdict(pairs[:look]).verdict == "helps" for look in looks)

    assert helped <= 200 * 0.05


def test_a_planted_gate_helps_and_its_opposite_hurts():
    found = [gate_records(crowd(seed, edge=0.6, gate=half), seed) for seed in range(10)]

    assert [one["graduated"].against_rest.verdict for one in found].count("helps") >= 9
    assert [one["flipped"].against_rest.verdict for one in found].count("hurts") >= 9
    assert [one["random"].against_rest.verdict for one in found].count("helps") <= 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([decision("a", 0, True, True), decision("a", 0, False, True)], "key a"),
        ([decision("a", 0, True, True, length=0)], "BTC"),
        ([decision("a", 0, True, True, base=1.2)], r"0\.\.1"),
    ],
)
def test_decisions_that_cannot_be_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        gate_records(wrong, 1)


def test_arms_are_paired_by_question_and_answers_to_one_are_averaged():
    memory = [answer("q1", True), answer("q1", False, sample=1), answer("q2", True)]
    none = [answer("q1", False), answer("q2", False), answer("q3", True)]

    (one,) = keyed_pairs(memory, none)

    assert (one.a, one.b, one.bound) == (0.25, -0.5, 1.0)


def test_questions_within_a_stretch_wait_for_its_end():
    memory = [answer(key, True, entry=4 * key) for key in range(6)]
    none = [answer(key, False, entry=4 * key) for key in range(6)]

    assert [one.entry_at for one in keyed_pairs(memory, none)] == [0, 12]
    assert len(keyed_pairs(memory, none, until=15)) == 1


def test_memory_that_changes_nothing_makes_no_difference():
    arm = [answer(key, key % 3 == 0, entry=10 * key) for key in range(60)]

    found = paired_verdict(keyed_pairs(arm, arm))

    assert (found.n, found.mean, found.up, found.needed) == (60, 0.0, 1.0, None)


def test_answers_of_one_question_enter_together():
    with pytest.raises(ValueError, match="q1"):
        keyed_pairs([answer("q1", True)], [answer("q1", True, entry=1)])
