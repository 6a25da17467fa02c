"""Which methodologies enter prompts: both gates, by hand-computed cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.graduation import (
    expected_false,
    graduating,
    graduation_bar,
    is_demoted,
    is_literally_demoted,
    is_literally_graduated,
    is_promising,
    literal_confidence,
    selected,
    uses_needed,
    verdict_at,
)
from afterword.pipeline.rules.evidence.method_record import MethodVote, method_record

VALUES = st.lists(st.floats(0, 1e6), min_size=1, max_size=40)
LEVELS = st.sampled_from([0.05, 0.1, 0.2, 0.5])


def record_of(right, wrong, **options):
    """A record in which hits and misses take turns as evenly as they can."""
    hits, owed = [], 0.0
    for _ in range(right + wrong):
        owed += right / (right + wrong)
        hits.append(owed >= 1)
        owed -= hits[-1]
    votes = [MethodVote(10 * n, 10 * n + 10, "BTC", hit, 0.5) for n, hit in enumerate(hits)]
    return method_record(votes, **options)


def test_e_bh_selects_the_three_largest_of_four():
    """By hand: of 4 at 0.2 the first needs 20, two need 10 each, three 6.7 each, four 5 each."""
    tried = {1: 100.0, 2: 30.0, 3: 7.0, 4: 1.0}

    assert graduating(tried, [1, 2, 3, 4], 0.2) == {1, 2, 3}


def test_only_a_promising_one_graduates():
    assert graduating({1: 1e5, 2: 1e5}, [2], 0.2) == {2}


def test_methods_that_failed_raise_the_bar_for_the_others():
    alone, among_many = {1: 25.0}, {1: 25.0} | dict.fromkeys(range(2, 10), 0.5)

    assert graduating(alone, [1], 0.2) == {1}
    assert graduating(among_many, [1], 0.2) == set()


def test_at_level_one_each_is_judged_by_itself():
    assert graduating({1: 25.0} | dict.fromkeys(range(2, 500), 0.5), [1], 1) == {1}


@pytest.mark.parametrize("level", [0, -0.1, 1.1])
def test_another_level_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        graduating({1: 25.0}, [1], level)


@given(VALUES, LEVELS)
def test_the_bar_is_what_one_more_needs(values, level):
    tried = dict(enumerate(sorted(values)))  # the weakest asks
    bar = graduation_bar(tried.values(), level)

    assert 0 in graduating(tried | {0: bar * 1.0001}, [0], level) or tried[0] > bar
    assert bar >= 20
    if bar > 20 and tried[0] < bar * 0.999:
        assert 0 not in graduating(tried | {0: bar * 0.999}, [0], level)


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [(17, 3, True), (19, 0, False), (25, 15, False), (12, 8, False), (60, 25, True)],
)
def test_promising_takes_twenty_stretches_evidence_and_a_bound_above_the_base(
    right, wrong, expected
):
    assert is_promising(record_of(right, wrong)) is expected


def test_a_graduate_is_demoted_by_a_low_bound_or_by_a_lost_edge():
    assert is_demoted(record_of(8, 12))  # its lower bound is below 0.40 after 20 uses
    assert not is_demoted(record_of(3, 9))  # too few uses
    assert not is_demoted(record_of(30, 10, graduated_at=0))
    lost = method_record(
        [MethodVote(10 * n, 10 * n + 10, "BTC", n < 100, 0.5) for n in range(120)], graduated_at=0
    )
    assert lost.lower > 0.7 and is_demoted(lost)


@pytest.mark.parametrize(
    ("correct", "used", "graduated", "demoted"),
    [
        (9, 9, False, False),  # nine uses
        (9, 10, True, False),  # 0.596
        (8, 10, False, False),  # 0.490
        (12, 20, False, True),  # 0.387
        (13, 20, False, False),  # 0.433
        (3, 19, False, False),  # nineteen uses
    ],
)
def test_the_literal_gate_is_that_of_the_requirements(correct, used, graduated, demoted):
    assert is_literally_graduated(correct, used) is graduated
    assert is_literally_demoted(correct, used) is demoted


def test_the_literal_confidence_is_wilsons_lower_bound():
    assert literal_confidence(9, 10) == pytest.approx(0.59585, abs=1e-5)


def test_how_many_are_expected_to_be_luck():
    found = expected_false(200, 10)

    assert found == (2.0, 10.0)  # a fifth of ten; one in twenty of all tried
    assert expected_false(3, 1).with_choice == pytest.approx(0.15)  # never more than alone
    assert expected_false(200, 10, level=1) == (10.0, 10.0)


def test_luck_may_all_be_among_the_few_that_are_shown():
    """Six winners were deleted: the level bounds the false ones among all seven selected."""
    assert expected_false(18, 1, among=7).with_choice == pytest.approx(0.9)
    assert selected([50.0] * 6 + [43.0] + [0.5] * 11) == 7
    assert expected_false(400, 2, among=30).with_choice == 2  # never more than there are


def test_a_rate_at_its_base_has_no_verdict_in_sight():
    assert uses_needed(record_of(10, 10), 20) is None


def test_a_better_rate_needs_fewer_uses_and_a_graduate_none():
    needed = [uses_needed(record_of(right, 30 - right), 20) for right in (21, 22, 24, 26)]

    assert all(one is not None for one in needed)
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] == 0


def test_a_verdict_is_told_at_the_pace_until_now():
    record = record_of(13, 7)  # twenty stretches of ten microseconds

    assert verdict_at(record, 5, 10) == 200 + 50
    assert verdict_at(record, 5, 30) == 200 + 150  # no faster than its horizon
    assert verdict_at(method_record([]), 5, 10) is None
