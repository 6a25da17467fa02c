"""What becomes of a decision in a replay is timed by its passes, years before the real present.

How long it waits, when it is looked at again, when each window of the ladder is known, and what its
judge knew. Decision record 0047 has the table, "Whose clock".
"""

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.reflection.case import MAX_LESSONS_SHOWN
from afterword.pipeline.testing.roles import saying
from tests.unit.replay.clock_worlds import (
    BARS_A_DAY,
    column,
    decided,
    found,
    market,
    moment,
    restless,
    told,
)
from tests.unit.replay.worlds import BEGIN, HOUR, plan_of, replayed

DAY = 24 * HOUR


@pytest.fixture
def live_through(stores, tmp_path):
    """Replay recorded decisions over a market; return the file of the replay."""

    def live_through(decisions, prices, judge=None, slice_days=30, **parts):
        plan = plan_of(prices, rules=(), decisions=tuple(decisions), **parts)
        replayed(stores, "past", plan, slice_days, judge)
        return stores.replay("past")

    return live_through


@pytest.mark.parametrize(
    ("until", "state", "since"),
    [
        # Its maximum age, a week, ends on the 17th at 09:00.
        ("2024-01-17 06:30", "parked", "2024-01-11 12:30"),
        ("2024-01-17 12:30", "skipped", "2024-01-17 12:30"),
        ("2024-01-25 00:30", "skipped", "2024-01-17 12:30"),
    ],
)
def test_a_decision_without_prices_is_skipped_at_the_first_pass_after_its_maximum_age(
    stores, tmp_path, live_through, until, state, since
):
    without_prices = decided(stores, "2024-01-10 09:00", asset="DOGE")
    store = live_through([without_prices], market(tmp_path, days=30), until=moment(until))

    assert found(store, "SELECT state, state_at FROM role_memory") == [(state, since)]


@pytest.mark.parametrize(
    ("until", "state", "again"),
    [
        # Due on the 11th at 10:00, but its exit is known only once a later bar has closed. Those
        # of 12:00 and 16:00 are missing: the next one closes at 20:00.
        ("2024-01-11 06:30", "pending", None),
        ("2024-01-11 12:30", "parked", "2024-01-11 18:30"),
        ("2024-01-11 18:30", "parked", "2024-01-12 00:30"),
        ("2024-01-12 00:30", "reflected", None),
    ],
)
def test_a_parked_decision_is_looked_at_again_six_hours_later_until_its_prices_are_there(
    stores, tmp_path, live_through, until, state, again
):
    prices = market(tmp_path, days=20, without=["2024-01-11 12:00", "2024-01-11 16:00"])
    decision = decided(stores, "2024-01-10 10:00")
    store = live_through([decision], prices, until=moment(until))

    assert found(store, "SELECT state, retry_at FROM role_memory") == [(state, again)]
    judged = column(store, "SELECT reflected_at FROM role_memory WHERE state = 'reflected'")
    assert judged == ([until] if state == "reflected" else [])


def test_each_window_of_the_ladder_is_known_at_the_first_pass_after_its_exit(
    stores, tmp_path, live_through
):
    prices = market(tmp_path, days=390, hours=12)
    store = live_through([decided(stores, "2024-01-20 12:00")], prices)

    assert found(
        store, "SELECT window_hours / 24, exit_at, known_at FROM outcomes ORDER BY window_hours"
    ) == [
        (1, "2024-01-21 12:00", "2024-01-21 12:30"),
        (7, "2024-01-27 12:00", "2024-01-27 12:30"),
        (30, "2024-02-19 12:00", "2024-02-19 12:30"),
        (90, "2024-04-19 12:00", "2024-04-19 12:30"),
        (180, "2024-07-18 12:00", "2024-07-18 12:30"),
        (365, "2025-01-19 12:00", "2025-01-19 12:30"),
    ]


@pytest.mark.parametrize("slice_days", [7, 1_000])
def test_a_window_that_ends_in_a_long_pause_of_prices_is_never_measured(
    stores, tmp_path, live_through, slice_days
):
    """The first price after its end is too late to be its exit, and the last before is none."""
    ended = moment("2024-04-19 12:00")
    missing = [f"{ended + number * 12 * HOUR:%Y-%m-%d %H:%M}" for number in range(80)]
    prices = market(tmp_path, days=155, hours=12, without=missing)
    store = live_through([decided(stores, "2024-01-20 12:00")], prices, slice_days=slice_days)

    assert column(store, "SELECT window_hours / 24 FROM outcomes ORDER BY 1") == [1, 7, 30]


@pytest.fixture
def mistaken(stores, tmp_path, live_through):
    """A market that rises each odd day and falls back the day after; each rise is bought twice.

    All of it goes wrong a day later. The second purchase is made before the first one is judged.
    """
    days = 70
    prices = market(
        tmp_path, days, lambda bar: restless(bar) * (1 + 0.06 * (bar // BARS_A_DAY % 2))
    )
    risen = [BEGIN + day * DAY for day in range(13, days - 2, 2)]
    judge = saying("logic_error", at_once=1)  # a model: it is shown the earlier lessons
    made = [decided(stores, at + wait) for at in risen for wait in (12 * HOUR, DAY)]
    return live_through(made, prices, judge), judge.classified


def test_a_judge_sees_the_lessons_that_were_known_when_the_decision_was_made(mistaken):
    store, cases = mistaken
    lessons = found(store, "SELECT id, reflected_at FROM role_memory WHERE lesson IS NOT NULL")

    # The second decision was made on the 15th at 00:00, and judged when the first lesson was known.
    assert lessons[:2] == [(1, "2024-01-15 12:30"), (2, "2024-01-16 00:30")]
    assert cases[1].lessons == ()
    assert len(cases) == len(lessons) > 50
    for case in cases:
        at = told(to_micros(case.decision.decided_at))
        known = [row_id for row_id, reflected_at in lessons if reflected_at <= at]
        assert [one.id for one in case.lessons] == known[::-1][:MAX_LESSONS_SHOWN]


def test_a_judge_is_told_of_a_setup_what_its_pattern_said_when_the_decision_was_made(mistaken):
    store, cases = mistaken
    patterns = found(store, "SELECT known_at, state FROM role_patterns ORDER BY known_at")

    first = {state: known_at for known_at, state in reversed(patterns)}
    assert first == {"emerging": "2024-02-12 12:30", "confirmed": "2024-02-22 12:30"}
    for case in cases:
        at = told(to_micros(case.decision.decided_at))
        known = [state for known_at, state in patterns if known_at <= at]
        assert case.standing.failing == (known[-1] if known else "single")
