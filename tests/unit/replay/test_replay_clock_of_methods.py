"""What becomes of methodologies in a replay is timed by its passes, years before the real present.

The synthesis and its heartbeat, the audit and its lag, the time after a graduation, freezes of a
market under stress. Decision record 0047 has the table, "Whose clock".
"""

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.operations.replay.run import status_of
from tests.unit.replay.clock_worlds import (
    BARS_A_DAY,
    METHOD,
    column,
    decided,
    found,
    market,
    moment,
    restless,
)
from tests.unit.replay.worlds import BEGIN, HOUR, plan_of, replayed

DAY = 24 * HOUR


@pytest.fixture
def live_through(stores):
    """Replay a market with one methodology; return the file of the replay."""

    def live_through(prices, decisions=(), **parts):
        made = tuple(decisions) or (decided(stores, "2024-01-10 09:00"),)
        plan = plan_of(prices, rules=(), decisions=made, methods=(METHOD,), **parts)
        replayed(stores, "past", plan)
        return stores.replay("past")

    return live_through


def daily(first, last):
    """Return the passes at 00:30 from one day to another one, both among them."""
    at, found = moment(first), []
    while at <= moment(last):
        found.append(f"{at:%Y-%m-%d} 00:30")
        at += DAY
    return found


def finding(store, dimension):
    """Return what audits found in a dimension: text, with the first and the last audit."""
    return found(
        store,
        "SELECT one.value ->> 'text', min(known_at) AS first_at, max(known_at) AS last_at"
        " FROM methodology_audit_reports, json_each(findings) AS one"
        f" WHERE one.value ->> 'dimension' = '{dimension}' GROUP BY 1 ORDER BY 2",
    )


def test_the_synthesis_leaves_one_heartbeat_at_each_pass(tmp_path, live_through):
    store = live_through(market(tmp_path, days=20))
    beats = found(store, "SELECT started_at, finished_at FROM methodology_cron_runs ORDER BY id")

    first, last = moment("2024-01-01 06:30"), moment("2024-01-21 00:30")
    assert from_micros(status_of(store).cursor) == last
    passes = [first + number * 6 * HOUR for number in range((last - first) // (6 * HOUR) + 1)]
    assert beats == [2 * (f"{at:%Y-%m-%d %H:%M}",) for at in passes]


def test_the_audit_is_once_a_day_and_finds_no_lag_in_a_replay_of_years_ago(tmp_path, live_through):
    store = live_through(market(tmp_path, days=20))
    audits = found(
        store,
        "SELECT known_at, dimension_scores ->> 'cron_health' FROM methodology_audit_reports"
        " ORDER BY id",
    )

    assert audits == [(at, 100.0) for at in daily("2024-01-02", "2024-01-21")]


def test_an_audit_tells_of_a_case_that_waits_once_it_was_due_for_two_weeks(
    stores, tmp_path, live_through
):
    """It waits from the 15th at 08:00 for an outcome, and 30 days later for none any more."""
    without_prices = decided(stores, "2024-01-14 08:00", asset="ETH", methods=["rising"])
    store = live_through(market(tmp_path, days=55), [without_prices])
    late = "SELECT known_at FROM methodology_audit_reports WHERE dimension_scores ->> 'cron_health'"

    assert finding(store, "attribution_integrity") == [
        (
            "1 cases wait for an outcome that was due more than 14 days ago",
            *("2024-01-30 00:30", "2024-02-14 00:30"),
        ),
        ("1 of 1 closed cases never got an outcome", "2024-02-15 00:30", "2024-02-25 00:30"),
    ]
    assert column(store, f"{late} < 100") == daily("2024-01-30", "2024-02-14")
    assert column(store, "SELECT closed_at FROM methodology_cases") == ["2024-02-14 12:30"]


@pytest.mark.parametrize(
    ("falls_after", "taken_back", "text", "first_audit"),
    [
        (24, "2024-02-04 12:30", "1 of 1 graduations were taken back", "2024-02-05 00:30"),
        (60, "2024-03-16 12:30", "0 of 1 graduations were taken back", "2024-02-22 00:30"),
    ],
)
def test_a_graduation_is_observed_for_thirty_days(
    stores, tmp_path, live_through, falls_after, taken_back, text, first_audit
):
    """Taken back earlier it counts at once; else the first audit after these days counts it.

    Audits look back for 30 days, and 30 more for graduations: the last one is on 22 March.
    """
    turns = falls_after * BARS_A_DAY

    def close_of(bar):
        return restless(bar) * 1.004 ** (bar if bar < turns else 2 * turns - bar)

    bought = [BEGIN + day * DAY + 8 * HOUR for day in range(12, 85)]
    decisions = [decided(stores, at, methods=["rising"]) for at in bought]
    store = live_through(market(tmp_path, 90, close_of), decisions, gate="literal")
    events = "SELECT min(known_at) AS at FROM methodology_lifecycle_events WHERE kind"

    assert column(store, f"{events} = 'graduated'") == ["2024-01-22 12:30"]
    assert column(store, f"{events} IN ('demoted', 'synthesis_auto_demote')") == [taken_back]
    ((told, *audits),) = finding(store, "graduation_fp_rate")
    assert told.startswith(text)
    assert audits == [first_audit, "2024-03-22 00:30"]


def test_a_crash_freezes_its_market_from_the_pass_after_it_for_a_week(tmp_path, live_through):
    """BTC closes 30 % lower on the 20th at 12:00. The last close before is that of the 19th; it is
    among those of eight days until the bar of 27th 00:00 to 04:00 has closed."""
    crashed = 19 * BARS_A_DAY + 2
    prices = market(tmp_path, 45, lambda bar: restless(bar) * (1 if bar < crashed else 0.7))
    store = live_through(prices)

    passes = [moment("2024-01-20 12:30") + number * 6 * HOUR for number in range(27)]
    frozen = [f"{at:%Y-%m-%d %H:%M}" for at in passes]
    assert frozen[-1] == "2024-01-27 00:30"
    assert column(store, "SELECT finished_at FROM methodology_cron_runs WHERE is_frozen") == frozen
    assert frozen == column(
        store,
        "SELECT known_at FROM methodology_lifecycle_events WHERE kind = 'market_stress_freeze'",
    )
