"""The record of a methodology: one vote for each stretch of its own horizon."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.method_record import (
    MethodVote,
    method_record,
    method_stretches,
)


def vote(entry, is_hit, *, asset="BTC", length=10, base=0.5):
    return MethodVote(entry, entry + length, asset, is_hit, base)


def in_turn(*hits, base=0.5):
    """One vote after the other, none of which overlap."""
    return [vote(10 * place, is_hit, base=base) for place, is_hit in enumerate(hits)]


VOTES = st.lists(
    st.builds(
        vote,
        st.integers(0, 60),
        st.sampled_from([True, False, None]),
        asset=st.sampled_from(["BTC", "ETH", "SOL"]),
        length=st.integers(1, 15),
        base=st.sampled_from([0.3, 0.5, 0.7]),
    ),
    max_size=25,
)


@given(VOTES)
def test_stretches_never_overlap_and_hold_every_decision(votes):
    found = list(method_stretches(votes))

    assert all(one.exit_at <= after.entry_at for one, after in pairwise(found))
    assert sum(one.n for one in found) == len(votes)


@given(VOTES, st.randoms())
def test_the_order_in_which_votes_come_changes_nothing(votes, chance):
    mixed = list(votes)
    chance.shuffle(mixed)

    assert method_record(mixed) == method_record(votes)


def test_a_decision_within_a_stretch_casts_no_vote():
    record = method_record([vote(0, True), vote(5, False), vote(9, False), vote(10, True)])

    assert (record.n, record.n_eff, record.hits) == (4, 2, 2.0)


def test_a_decision_that_waits_takes_its_stretch():
    """Else a second try within it could replace an outcome that is not there yet."""
    record = method_record([vote(0, None), vote(5, True)])

    assert (record.n_eff, record.spent) == (0, 1)


def test_noise_uses_a_stretch_up_and_votes_nothing():
    record = method_record([*in_turn(True, None), vote(15, True)])

    assert (record.n_eff, record.spent, record.evidence) == (
        1,
        1,
        method_record(in_turn(True)).evidence,
    )


def test_assets_that_enter_on_one_bar_are_one_vote_their_mean():
    record = method_record(
        [vote(0, True, asset="BTC"), vote(0, False, asset="ETH"), vote(0, True, asset="SOL")]
    )

    assert (record.n, record.n_eff) == (3, 1)
    assert record.hits == pytest.approx(2 / 3)


def test_an_asset_that_is_decided_on_twice_on_one_bar_votes_once():
    assert method_record([vote(0, True), vote(0, True)]).hits == 1.0


@pytest.mark.parametrize("base", [0.3, 0.5, 0.6])
def test_without_skill_the_mean_of_the_e_value_is_one(base):
    """Exactly, over all outcomes of eight votes: that makes it evidence."""
    mean = 0.0
    for hits in product([True, False], repeat=8):
        chance = 1.0
        for is_hit in hits:
            chance *= base if is_hit else 1 - base
        mean += chance * method_record(in_turn(*hits, base=base)).evidence

    assert mean == pytest.approx(1)


def test_a_rising_market_is_no_skill():
    """Right in 70 % where the base is 70 %: nothing; where it is one half: a lot."""
    hits = [True] * 7 + [False] * 3

    assert method_record(in_turn(*hits * 8, base=0.7)).evidence < 1
    assert method_record(in_turn(*hits * 8, base=0.5)).evidence > 100


def test_evidence_begins_anew_after_a_demotion():
    record = method_record(in_turn(True, True, False), evidence_from=10)

    assert (record.n_eff, record.hits, record.first_at) == (2, 1.0, 10)


def test_the_record_since_a_graduation_stands_apart():
    record = method_record(in_turn(True, True, False, False), graduated_at=20)

    assert (record.until.n_eff, record.until.hits) == (2, 2.0)
    assert (record.since.n_eff, record.since.hits) == (2, 0.0)


def test_before_and_after_a_graduation_have_rate_base_and_interval():
    record = method_record(in_turn(True, True, False, base=0.6), graduated_at=20)

    assert (record.until.rate, record.until.base) == (1.0, pytest.approx(0.6))
    assert (record.since.rate, record.since.base) == (0.0, 0.6)
    assert record.until.interval == pytest.approx((0.342, 1.0), abs=0.001)
    assert record.since.interval == pytest.approx((0.0, 0.793), abs=0.001)


def test_without_votes_since_a_graduation_nothing_is_said():
    since = method_record(in_turn(True, True)).since

    assert (since.rate, since.base, since.interval) == (None, None, (0.0, 1.0))


def test_the_bet_that_the_edge_is_lost_starts_again_after_each_success():
    """Without that, a method that held for long would hardly ever be demoted."""
    failing = [False] * 20
    at_once = method_record(in_turn(*failing), graduated_at=0)
    after_success = method_record(in_turn(*[True] * 60, *failing), graduated_at=0)

    assert at_once.reverse > 20
    assert after_success.reverse == pytest.approx(at_once.reverse)


def test_an_exit_before_its_entry_is_refused():
    with pytest.raises(ValueError, match="BTC"):
        method_record([MethodVote(10, 10, "BTC", True, 0.5)])
