"""A family counts stretches, confirms what evidence supports, and retires what is lost."""

from math import isclose
from operator import le
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import HYPOTHESES, SETUPS, Hypothesis, Setup, Vote

DAY = 86_400_000_000
LONG_UP = Setup("long", "up")
FAILING = Hypothesis(LONG_UP, "failing")
WORKS = Hypothesis(LONG_UP, "works")


def test_there_are_six_setups_and_twelve_hypotheses():
    assert len(set(SETUPS)) == 6
    assert len(set(HYPOTHESES)) == 12


def test_twenty_misses_in_a_row_are_confirmed_and_nineteen_are_not(family, vote):
    assert family(vote(week, False) for week in range(19)).pattern(FAILING).state == "emerging"
    assert family(vote(week, False) for week in range(20)).pattern(FAILING).state == "confirmed"
    assert family(vote(week, True) for week in range(20)).pattern(WORKS).state == "confirmed"


def test_one_asset_has_the_evidence_of_its_class(family, vote):
    chance = Random(7)
    votes = [vote(week, chance.random() < 0.3, base=chance.uniform(0.3, 0.7)) for week in range(30)]

    for hypothesis in (FAILING, WORKS):
        found = family(votes).pattern(hypothesis)
        assert isclose(found.evidence, found.asset_evidence["BTC"].evidence)


def test_the_order_of_assets_changes_nothing(family, vote):
    chance = Random(3)
    rows = [
        (week, chance.random() < 0.4, asset, setup, chance.uniform(0.3, 0.7), chance.randint(5, 9))
        for week in range(40)
        for asset in ("BTC", "ETH", "SOL", "AVAX")
        for setup in chance.sample(SETUPS[:3], 2)
    ]
    first = [vote(*row, subject=number) for number, row in enumerate(rows)]
    chance.shuffle(rows)
    second = [vote(*row, subject=number) for number, row in enumerate(rows)]

    assert family(first).patterns() == family(second).patterns()


def test_a_short_is_right_when_the_price_falls(family, vote):
    short = Setup("short", "down")
    fell = [
        Vote(week, "BTC", short, week * DAY, (week + 1) * DAY, -0.05, 0.01, 0.4, residual=-0.02)
        for week in range(25)
    ]

    works = family(fell).pattern(Hypothesis(short, "works"))

    assert (works.state, works.hits) == ("confirmed", 25)
    assert isclose(works.expected, 10)
    # In the direction of the decision: the price fell by 2 % more than the market.
    assert works.mean_residual is not None
    assert isclose(works.mean_residual, 0.02)


def test_a_move_as_large_as_the_band_does_not_vote(family, vote):
    found = family([vote(0)._replace(move=0.01, band=0.01)]).pattern(FAILING)
    assert (found.n_eff, found.spent) == (0, 1)


def test_fourteen_misses_are_not_even_a_hint(family, vote):
    found = family(vote(week, False) for week in range(14)).pattern(FAILING)
    assert found.evidence > 240
    assert found.state == "single"


def test_a_hint_that_fades_is_none(family, vote):
    misses = [vote(week, False, base=0.2) for week in range(32)]
    assert family(misses).pattern(FAILING).state == "emerging"
    hits = [vote(32 + week, True, base=0.2) for week in range(3)]
    assert family(misses + hits).pattern(FAILING).state == "single"


def test_stretches_that_close_at_one_moment_are_judged_together(family, vote):
    """Two e-values of 120 select each other; here one rises to it while the other falls below."""
    first, second = SETUPS[0], SETUPS[1]
    votes = [vote(week, False, "BTC", first, 0.2) for week in range(35)]
    votes += [vote(week, False, "BTC", second, 0.2, subject=1) for week in range(-1, 34)]
    votes.append(vote(34, True, "BTC", second, 0.2, subject=1))

    states = {one.hypothesis.setup: one.state for one in family(votes).patterns()[:4:2]}

    assert states[first] == "emerging"
    assert family(votes[:-1]).pattern(Hypothesis(first, "failing")).state == "confirmed"


def test_moves_inside_the_band_spend_a_stretch_and_change_no_evidence(family, vote):
    with_quiet = [vote(week, None if week % 2 else False) for week in range(20)]
    without = [one for one in with_quiet if one.move]

    found, wanted = family(with_quiet).pattern(FAILING), family(without).pattern(FAILING)
    assert (found.spent, found.n, found.n_eff) == (10, 20, 10)
    assert found.evidence == wanted.evidence


def test_copies_of_a_decision_are_one_vote(family, vote):
    votes = [vote(week, week % 3 == 0) for week in range(30)]

    one, seven = family(votes).pattern(FAILING), family(votes * 7).pattern(FAILING)
    assert (seven.n, seven.n_eff) == (7 * one.n, one.n_eff)
    assert isclose(seven.evidence, one.evidence)


def test_what_comes_later_changes_nothing(vote):
    votes = [vote(week, week % 4 == 0, days=7, subject=week) for week in range(40)]
    votes += [vote(week + 0.5, week % 3 == 0, subject=100 + week) for week in range(40)]
    votes.sort(key=lambda one: (one.entry_at, one.subject))
    moment = votes[60].exit_at

    def known(is_other: bool) -> FamilyRecord:
        record = FamilyRecord()
        for one in votes:
            if one.entry_at <= moment:
                # A decision that still waits holds its stretch open; its move is not read.
                waits = one.exit_at > moment and is_other
                record.add(one._replace(move=9.0, band=0.0) if waits else one)
        record.close(moment)
        return record

    assert known(False).patterns() == known(True).patterns()


def test_overlapping_decisions_of_one_asset_are_one_vote_that_of_the_first(family, vote):
    # Monday's decision opens the stretch, Tuesday's and Sunday's enter before its exit.
    week = [vote(0, False), vote(1 / 7, True, subject=1), vote(6 / 7, True, subject=2)]

    found = family([*week, vote(1, True, subject=3)]).pattern(FAILING)

    assert (found.n, found.n_eff, found.hits) == (4, 2, 1)


def test_votes_of_one_asset_and_setup_never_overlap(family, vote):
    """The long opened a stretch that ends after a week, the first short one of its own."""
    short = Setup("short", "up")
    days = [(0, LONG_UP), (5, short), (8, short)]
    votes = [vote(day / 7, False, setup=setup, subject=day) for day, setup in days]

    found = family(votes).pattern(Hypothesis(short, "failing"))

    assert (found.n, found.n_eff, found.hits) == (2, 1, 0)


def test_of_two_windows_with_one_entry_the_longer_ends_the_stretch(family, vote):
    votes = [vote(0, False, days=2), vote(0, False, days=7, subject=1), vote(3 / 7, True)]

    for ordered in (votes, [votes[1], votes[0], votes[2]]):
        found = family(ordered).pattern(FAILING)
        assert (found.n, found.n_eff, found.hits) == (3, 1, 0)


def test_decisions_of_one_bar_are_averaged(family, vote):
    bar = [vote(0, True)._replace(subject=n, move=move) for n, move in enumerate((0.09, -0.03))]

    assert family(bar).pattern(FAILING).hits == 1  # on average 3 % up


def test_a_stretch_counts_when_its_last_outcome_is_known(vote):
    record = FamilyRecord()
    record.add(vote(0, False))
    record.add(vote(6 / 7, False))
    record.close(7 * DAY)
    assert record.pattern(FAILING).n_eff == 0
    record.close(13 * DAY)
    assert record.pattern(FAILING).n_eff == 1


def test_assets_of_one_week_are_one_vote_of_the_class(family, vote):
    week = [vote(0, True, "BTC"), vote(0, False, "ETH"), vote(0, False, "SOL"), vote(0, None, "X")]

    found = family(week).pattern(FAILING)

    assert (found.n, found.n_eff, found.spent) == (4, 1, 0)
    assert isclose(found.hits, 1 / 3)
    assert found.asset_evidence["X"][:4] == (1.0, 0, 0, 0)


def test_an_asset_that_joins_a_stretch_of_the_class_votes_for_itself_alone(family, vote):
    """Whether it has this setup depends on what the first one did meanwhile."""
    votes = [vote(0, False, "BTC"), vote(3 / 7, True, "ETH"), vote(1, False, "BTC")]

    found = family(votes).pattern(FAILING)

    assert (found.n, found.n_eff, found.hits) == (3, 2, 0)
    own = {asset: (one.n_eff, one.hits) for asset, one in found.asset_evidence.items()}
    assert own == {"BTC": (2, 0), "ETH": (1, 1)}


def test_an_asset_without_votes_counts_with_an_evidence_of_one(family, vote):
    misses = [vote(week, False) for week in range(8)]
    others = [vote(0, True, asset, Setup("short", "flat")) for asset in ("ETH", "SOL")]

    alone = family(misses).pattern(FAILING).evidence
    beside = family(misses + others).pattern(FAILING).evidence

    assert isclose(beside, alone / 2 + (alone + 1 + 1) / 3 / 2)


def test_an_asset_that_joins_later_counts_at_once(family, vote):
    misses = [vote(week, False) for week in range(8)]
    late = vote(8, True, "ETH", Setup("short", "flat"))

    before = family(misses).pattern(FAILING).evidence
    after = family([*misses, late]).pattern(FAILING).evidence

    assert isclose(after, before / 2 + (before + 1) / 2 / 2)


def test_a_class_is_meant_only_if_its_other_assets_show_the_effect_too(family, vote):
    """Five misses in a row have an e-value of 7.3, six one of 11.6."""

    def with_others(misses: int) -> bool:
        votes = [vote(week, False, "BTC") for week in range(30)]
        votes += [vote(30 + week, False, "ETH") for week in range(misses)]
        return family(votes).pattern(FAILING).scope.is_class

    assert [with_others(misses) for misses in (1, 5, 6)] == [False, False, True]


def test_an_asset_is_named_from_an_e_value_of_twenty(family, vote):
    """Seven misses in a row have an e-value of 19, eight one of 31."""

    def named(misses: int) -> tuple[str, ...]:
        votes = [vote(week, False, "BTC") for week in range(30)]
        votes += [vote(30 + week, False, "ETH") for week in range(misses)]
        return family(votes).pattern(FAILING).scope.assets

    assert named(7) == ("BTC",)
    assert named(8) == ("BTC", "ETH")


def test_a_setup_that_fails_in_every_asset_is_told_of_the_class(family, vote):
    votes = [vote(week, False, asset) for week in range(20) for asset in ("BTC", "ETH")]

    found = family(votes).pattern(FAILING)

    assert found.scope.is_class
    assert found.is_in_scope("a coin that is new")


def test_a_flaw_of_one_asset_is_not_told_of_another(family, vote):
    votes = [vote(week, False, "BTC") for week in range(40)]
    votes += [vote(week, week % 2 == 0, asset) for week in range(40) for asset in ("ETH", "SOL")]

    found = family(votes).pattern(FAILING)

    assert found.state == "confirmed"
    assert (found.scope.assets, found.scope.is_class) == (("BTC",), False)
    assert not found.is_in_scope("ETH")


def test_a_pattern_of_one_asset_is_never_told_of_its_class(family, vote):
    found = family(vote(week, False) for week in range(60)).pattern(FAILING)
    assert (found.scope.assets, found.scope.is_class) == (("BTC",), False)


def test_a_lost_effect_is_retired_and_its_evidence_begins_again(family, vote):
    failed = [vote(week, False) for week in range(40)]
    recovered = [vote(40 + week, week % 4 != 0) for week in range(30)]

    found = family(failed + recovered).pattern(FAILING)

    assert found.state == "retired"
    assert found.retired_at is not None
    assert found.evidence < 240
    assert (found.n_eff, found.since, found.confirmed_at) == (70, None, None)


def test_a_retired_pattern_can_be_confirmed_by_new_evidence(family, vote):
    failed = [vote(week, False) for week in range(40)]
    recovered = [vote(40 + week, True) for week in range(30)]
    again = [vote(70 + week, False) for week in range(60)]

    found = family(failed + recovered + again).pattern(FAILING)

    assert found.state == "confirmed"
    assert found.retired_at is not None
    assert found.confirmed_at is not None
    assert found.confirmed_at > found.retired_at


def test_the_assets_outside_its_scope_do_not_retire_a_pattern(family, vote):
    votes = [vote(week, False, "BTC") for week in range(120)]
    votes += [vote(week, week % 2 == 0, asset) for week in range(120) for asset in "EFGH"]

    found = family(votes).pattern(FAILING)

    assert found.state == "confirmed"
    assert found.since is not None
    assert found.since.hits == 0


def test_the_record_since_confirmation_counts_what_came_later(family, vote):
    votes = [vote(week, False) for week in range(20)]
    votes += [vote(20 + week, week == 0) for week in range(5)]

    found = family(votes).pattern(FAILING)

    assert found.since == (5, 1.0, 2.5)
    assert found.confirmed_at == votes[19].exit_at


def test_votes_out_of_order_are_refused(vote):
    record = FamilyRecord()
    record.add(vote(3))
    with pytest.raises(ValueError, match="by entry"):
        record.add(vote(2))
    with pytest.raises(ValueError, match="exit"):
        record.add(vote(4, days=0))
    with pytest.raises(ValueError, match="level"):
        FamilyRecord(level=1)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("ABC"), st.integers(0, 5)), max_size=40))
def test_a_move_of_the_price_means_the_same_for_both_sides(rows):
    """The evidence for failing longs is that for working ones of the mirrored price."""
    plain, mirrored = FamilyRecord(), FamilyRecord()
    for number, (is_up, asset, setup) in enumerate(rows):
        move = 0.05 if is_up else -0.05
        one = Vote(number, asset, SETUPS[setup], number * DAY, (number + 3) * DAY, move, 0.01, 0.5)
        plain.add(one)
        mirrored.add(one._replace(move=-move))
    for record in (plain, mirrored):
        record.close(100 * DAY)
    for one in plain.patterns():
        if one.hypothesis.side == "failing":
            twin = mirrored.pattern(Hypothesis(one.hypothesis.setup, "works"))
            assert isclose(one.evidence, twin.evidence, rel_tol=1e-9)


def random_votes(vote, chance, weeks):
    """Return votes of three assets and all setups by entry; longs after a rise mostly fail."""
    found = []
    for day in range(7 * weeks):
        for asset in chance.sample(("BTC", "ETH", "SOL"), chance.randint(0, 3)):
            setup = chance.choice(SETUPS)
            rate = 0.1 if setup == LONG_UP else 0.5
            hit = None if chance.random() < 0.1 else chance.random() < rate
            base, days = chance.uniform(0.3, 0.7), chance.choice((1, 3, 7))
            found.append(vote(day / 7, hit, asset, setup, base, days, subject=len(found)))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_goes_on_by_itself(vote, seed):
    chance = Random(seed)
    votes, kept, states = random_votes(vote, chance, 80), FamilyRecord(), set()
    for place, one in enumerate(votes):
        kept.add(one)
        if chance.random() < 0.1:
            anew = FamilyRecord()
            for before in votes[: place + 1]:
                anew.add(before)
            copied, closed = kept.copy(), kept.closed()
            assert copied.patterns() == anew.patterns()
            anew.close(1 << 62)
            assert closed.patterns() == anew.patterns()
            found = [one.evidence * (1 - 1e-9) for one in closed.patterns()]
            assert all(map(le, found, kept.most_evidence()))
            assert kept.may_show_patterns() or set(closed.states()) == {"single"}
            states |= set(closed.states())
            if chance.random() < 0.5:
                kept = copied  # it must be as good as the first one
    assert "confirmed" in states
