"""Whether reading a lesson helps: a draw can tell, and without one nothing can."""

import pytest

from afterword.pipeline.rules.evidence.holdout import MILLION, is_left_out
from afterword.pipeline.rules.evidence.lesson_effect import LessonTrial, lesson_effect

SHARE = 0.5


def trial(day, arm, is_hit, *, base=0.5, days=1, share=0.0, is_played=True):
    return LessonTrial(day, day + days, arm, is_hit, base, is_played, share)


def drawn(days, right_if_read, right_else):
    """Return a decision a day, each drawn; the n-th of an arm is right as its list says."""
    trials, hits = [], {"read": right_if_read, "left out": right_else}
    for day in range(days):
        arm = "left out" if is_left_out(MILLION // 2, f"day {day}", "lesson") else "read"
        trials.append(trial(day, arm, hits[arm][day % len(hits[arm])], share=SHARE))
    return trials


def test_a_share_of_prompts_goes_without_a_lesson_whatever_the_lesson_is():
    names = [f"decision {number}" for number in range(2_000)]
    for share, least, most in (
        (0.0, 0, 0),
        (0.1, 160, 240),
        (0.5, 940, 1_060),
        (1.0, 2_000, 2_000),
    ):
        drawn_out = sum(is_left_out(round(share * MILLION), name, "lesson") for name in names)
        assert least <= drawn_out <= most
    both = [{is_left_out(MILLION // 2, name, lesson) for lesson in "ab"} for name in names]
    assert 940 < sum(len(one) == 2 for one in both) < 1_060  # each lesson is drawn by itself


def test_a_draw_says_that_a_lesson_helped_or_did_harm():
    good, bad = [True, True, True, False], [False, False, False, True]
    helped, harmed = lesson_effect(drawn(100, good, bad)), lesson_effect(drawn(100, bad, good))

    assert (helped.verdict, harmed.verdict) == ("helped", "did harm")
    assert helped.needed == 0
    assert helped.interval[0] > 0 > harmed.interval[1]
    assert helped.difference == pytest.approx(-harmed.difference, abs=0.1)


def test_a_lesson_that_changes_nothing_is_not_said_to_help():
    coin = [True, False, False, True, True, False]
    effect = lesson_effect(drawn(100, coin, coin))

    assert effect.verdict == "cannot tell yet"
    assert effect.interval[0] < 0 < effect.interval[1]


def test_without_a_draw_the_greatest_difference_proves_nothing():
    trials = [trial(day, "read", True) for day in range(0, 200, 2)]
    trials += [trial(day, "not read", False) for day in range(1, 200, 2)]
    effect = lesson_effect(trials)

    assert (effect.read.hits, effect.other.hits, effect.difference) == (100, 0, 1.0)
    assert (effect.verdict, effect.needed) == ("cannot tell yet", None)


def test_what_shares_prices_votes_once_and_what_stays_in_the_band_not_at_all():
    trials = [
        *(trial(0, "read", hit, days=3) for hit in (True, False)),
        trial(1, "read", True),
        trial(3, "read", None),
        trial(4, "read", True, is_played=False),
    ]
    read = lesson_effect(trials).read

    assert (read.decisions, read.played, read.stretches, read.hits, read.expected) == (
        *(5, 4),
        *(2, 1.5, 1.0),
    )


def test_the_record_that_selected_a_lesson_is_in_neither_arm():
    before = [trial(day, "before", False) for day in range(40)]
    effect = lesson_effect(before)

    assert (effect.before.stretches, effect.before.hits) == (40, 0)
    assert (effect.read.decisions, effect.other.decisions) == (0, 0)
    assert effect.difference is effect.interval is None


def test_another_share_begins_the_comparison_anew():
    earlier = drawn(50, [True], [False])
    later = [one._replace(entry_at=100, exit_at=101, share=0.2) for one in earlier[:1]]
    effect = lesson_effect([*earlier, *later])

    assert (effect.share, effect.read.decisions + effect.other.decisions) == (0.2, 1)
    assert effect.verdict == "cannot tell yet"
