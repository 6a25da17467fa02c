"""Every decision about an asset is measured over the windows of the ladder, each of them once."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions import due_rows, measure_outcomes, settle, settle_rows
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.decisions.ladder import PATIENCE_US, next_look, windows_of
from afterword.pipeline.domain.decisions.model import DecisionVerdict, NewDecision
from afterword.pipeline.domain.decisions.price_needs import first_price_need, price_needs
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.prices.wanted import Need
from afterword.pipeline.domain.skills import Manual, PeerRelative, PriceDelta, RoleRegistry
from afterword.pipeline.rules.market.windows import HOUR_US
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, skill_of

DAY = timedelta(days=1)
QUIET = 200
ROLE = role_of("desk.calls", PriceDelta(24))
LONG = role_of("desk.weeks", PriceDelta(100), min_age_hours=100)
WORDS = role_of("desk.words", Manual(), min_age_hours=0)
PEERS = role_of("desk.peers", PeerRelative(24, ("ETH",)))
REGISTRY = RoleRegistry([skill_of(ROLE, LONG, WORDS, PEERS)])
NEW = NewDecision("desk.calls", "Buy SOL", asset="SOL", direction="long")
VERDICT = DecisionVerdict("wrong", {"why": "it fell"}, "variance", "It fell.", "heuristic")


@pytest.fixture
def start(clock):
    """When the decisions are made; prices are known from before."""
    return clock()


@pytest.fixture
def record(store, clock, ids, start):
    def one(**changes):
        return record_decision(store, REGISTRY, replace(NEW, **changes), clock, ids).id

    return one


@pytest.fixture
def prices(start):
    """Return prices that fall by 5 % in the first hour, then rest."""

    def over(days, symbol="SOLUSDT"):
        closes = jagged(QUIET, [-0.05, *[0.0] * (24 * days)])
        return book(symbol, start - QUIET * HOUR, closes)

    return over


@pytest.fixture
def measure(store, clock):
    def now(source, own=None, **limits):
        told = [] if own is None else own
        return measure_outcomes.measure_due(
            store,
            REGISTRY,
            lambda _: source,
            clock,
            lambda _conn, role_id, _now: told.append(role_id),
            **limits,
        )

    return now


def outcomes(store, decision_id):
    with reading(store) as conn:
        return outcome_rows.of_subject(conn, "decision", decision_id)


def look(store, decision_id):
    """Return when a decision is measured next (microseconds), and its missing windows."""
    with reading(store) as conn:
        line = "SELECT measure_at, windows_missing FROM role_memory WHERE id = ?"
        return tuple(conn.exec_driver_sql(line, (decision_id,)).one())


def judge(store, clock, decision_id):
    with writing(store) as conn:
        one = find_decision(conn, decision_id)
        settle.keep_verdicts(conn, [(one, VERDICT)], clock())
        settle.end(conn, [settle.EndedDecision(one, VERDICT)], clock())


def test_what_older_rules_measured_is_measured_anew_once(store, clock, record, prices, measure):
    """The older outcome stays; how many verdicts differ is told by the run that measured."""
    one = record(role_id="desk.words")
    clock.advance(days=2)
    source = prices(3)
    measure(source)
    (now,) = outcomes(store, one)
    with writing(store) as conn:  # a store as older rules left it
        conn.exec_driver_sql("DELETE FROM outcomes")
        outcome_rows.insert(
            conn, [now._replace(rule_version=2, verdict="right", window_verdict="right")]
        )
        conn.exec_driver_sql("UPDATE role_memory SET measure_at = ?", (to_micros(clock()),))

    done, again = measure(source), measure(source)
    assert (done.anew, done.changed, again.anew) == (1, 1, 0)
    assert outcomes(store, one) == [now]


def test_each_window_is_measured_when_it_is_over_and_once(store, clock, record, prices, measure):
    one = record(role_id="desk.words")
    decided = to_micros(clock())
    source = prices(40)
    seen = []
    for _ in range(40):
        clock.advance(days=1)
        measure(source)
        seen.append([found.window_hours for found in outcomes(store, one)])

    assert seen[0] == [24]
    assert seen[5] == [24]
    assert seen[6] == [24, 168]
    assert seen[-1] == [24, 168, 720]
    assert look(store, one) == (decided + 2_160 * HOUR_US, 0)
    first, *_ = outcomes(store, one)
    assert (first.verdict, first.known_at) == ("wrong", decided + 24 * HOUR_US)


def test_nothing_is_read_or_written_before_the_first_window_is_over(
    store, clock, record, prices, measure
):
    one = record()
    clock.advance(hours=23)
    assert measure(prices(40)).looked == 0
    assert outcomes(store, one) == []


def test_the_plan_of_a_decision_is_measured_with_it(store, clock, record, prices, measure):
    one = record(role_id="desk.words", direction="long", inputs={"stop": 99, "target": "130"})
    clock.advance(days=1)
    measure(prices(2))

    (found,) = outcomes(store, one)
    assert found.plan == "stop_first"


def test_the_own_window_is_left_to_the_reflection_while_a_decision_waits(
    store, clock, record, prices, measure
):
    waits, judged = record(), record()
    clock.advance(days=8)
    judge(store, clock, judged)
    told = []
    measure(prices(9), told)

    assert [one.window_hours for one in outcomes(store, waits)] == [168]
    assert [one.window_hours for one in outcomes(store, judged)] == [24, 168]
    assert told == ["desk.calls"]
    assert look(store, waits) == (to_micros(clock() + 22 * DAY), 0)

    judge(store, clock, waits)
    measure(prices(9))
    assert [one.window_hours for one in outcomes(store, waits)] == [24, 168]


def test_a_decision_that_was_skipped_is_measured_over_its_own_window_all_the_same(
    store, clock, record, prices, measure
):
    one = record()
    clock.advance(days=2)
    measure(prices(3))
    assert outcomes(store, one) == []

    with writing(store) as conn:
        settle.skip(conn, [one], "too old", clock())
    measure(prices(3))
    assert [found.window_hours for found in outcomes(store, one)] == [24]


def test_a_window_of_a_role_that_is_not_on_the_ladder_has_a_row_of_its_own(
    store, clock, record, prices, measure
):
    one = record(role_id="desk.weeks")
    clock.advance(days=8)
    judge(store, clock, one)
    measure(prices(9))

    assert [found.window_hours for found in outcomes(store, one)] == [24, 100, 168]
    assert windows_of(LONG) == (24, 100, *LADDER_HOURS[1:])
    assert windows_of(ROLE) == windows_of(WORDS) == windows_of(None) == LADDER_HOURS


def test_a_decision_about_no_asset_and_one_of_a_forgotten_role_are_no_obstacle(
    store, clock, record, prices, measure
):
    none = record(role_id="desk.words", asset=None, direction=None)
    gone = record(role_id="desk.words")
    with writing(store) as conn:
        conn.exec_driver_sql("DROP TRIGGER role_memory_decision_bu")
        conn.exec_driver_sql("UPDATE role_memory SET role_id = 'no.more' WHERE id = ?", (gone,))
    clock.advance(days=1)
    assert measure(prices(2)).looked == 1
    assert look(store, none) == (None, 0)
    assert len(outcomes(store, gone)) == 1


def test_without_prices_a_window_is_tried_again_for_a_month_then_only_new_prices_help(
    store, clock, record, prices, measure
):
    one = record(role_id="desk.words")
    decided = to_micros(clock())
    clock.advance(days=1)
    measure(prices(0, "ETHUSDT"))
    assert look(store, one) == (to_micros(clock() + 6 * HOUR), 1)

    clock.advance(days=365)
    measure(prices(0, "ETHUSDT"))
    assert look(store, one) == (to_micros(clock() + 6 * HOUR), 6)
    clock.advance(days=31)
    measure(prices(0, "ETHUSDT"))
    assert look(store, one) == (None, 6)

    with writing(store) as conn:
        on_prices(conn, REGISTRY, ["ETHUSDT"], clock())
    assert look(store, one) == (None, 6)
    with writing(store) as conn:
        on_prices(conn, REGISTRY, ["SOL-USD"], clock())
    assert look(store, one) == (to_micros(clock()), 6)
    measure(prices(40))
    assert [found.window_hours for found in outcomes(store, one)] == [24, 168, 720]
    assert look(store, one) == (None, 3)
    assert next_look(decided, LADDER_HOURS, {24, 168, 720}, to_micros(clock())) == (None, 3)


def test_prices_of_windows_that_passed_are_fetched_while_they_are_tried_again(
    store, clock, record, prices, measure, start
):
    def wanted():
        with reading(store) as conn:
            since = first_price_need(conn, REGISTRY, clock(), HOUR)
            return since, price_needs(conn, REGISTRY, clock(), HOUR)

    record(role_id="desk.words")
    clock.advance(days=8)
    assert wanted() == (None, [])
    measure(prices(0, "ETHUSDT"))
    assert wanted() == (start + DAY, [Need("SOL", start, clock(), DAY)])

    clock.advance(hours=6)
    measure(prices(9))
    assert wanted() == (None, [])


def test_new_prices_of_a_peer_make_the_windows_due_that_are_compared_with_it(
    store, clock, record, prices, measure
):
    one = record(role_id="desk.peers")
    clock.advance(days=8)
    measure(prices(9))
    due_before = look(store, one)
    assert due_before == (to_micros(clock() + 6 * HOUR), 1)

    with writing(store) as conn:
        on_prices(conn, REGISTRY, ["ETHUSDT"], clock())
    assert look(store, one) == (to_micros(clock()), 1)


@pytest.mark.parametrize("peers", [None, [], [7], ["SOL"], ["ETH"] * 21])
def test_a_decision_without_peers_is_not_measured_once_its_role_compares(
    store, clock, ids, prices, peers
):
    alone = RoleRegistry([skill_of(role_of("desk.peers", PriceDelta(24)))])
    beside = role_of("desk.peers", PeerRelative(24, peers_field="peers"))
    new = replace(NEW, role_id="desk.peers", inputs={"peers": peers})
    one = record_decision(store, alone, new, clock, ids).id
    clock.advance(days=8)
    registry, source = RoleRegistry([skill_of(beside)]), prices(9)
    measure_outcomes.measure_due(store, registry, lambda _: source, clock, lambda *_: None)

    assert outcomes(store, one) == []
    assert look(store, one) == (to_micros(clock() + 6 * HOUR), 1)


def test_prices_that_come_while_it_is_measured_make_it_due_again(
    store, clock, record, prices, measure
):
    one = record(role_id="desk.words")
    clock.advance(days=1)
    with reading(store) as conn:
        (read,) = due_rows.due(conn, to_micros(clock()), 1)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE role_memory SET measure_at = 5, windows_missing = 1")
        found = next_look(read.decided_at, LADDER_HOURS, (), to_micros(clock()))
        settle_rows.plan_next(conn, [(read, found)])
    assert look(store, one) == (5, 1)


def test_a_decision_that_was_forgotten_meanwhile_gets_no_outcome(store, clock, record, prices):
    one, other = record(role_id="desk.words"), record(role_id="desk.words")
    clock.advance(days=1)
    source = prices(2)

    def forgotten(_conn):
        with writing(store) as conn:
            conn.exec_driver_sql("DELETE FROM role_memory WHERE id = ?", (one,))
        return source

    measure_outcomes.measure_due(store, REGISTRY, forgotten, clock, lambda *_: None)
    assert (outcomes(store, one), len(outcomes(store, other))) == ([], 1)


def test_many_decisions_are_measured_in_batches_and_a_limit_leaves_the_rest(
    store, clock, record, prices, measure, monkeypatch
):
    monkeypatch.setattr(measure_outcomes, "MEASURE_BATCH", 2)
    ids = [record(role_id="desk.words") for _ in range(5)]
    clock.advance(days=1)
    source = prices(2)

    assert measure(source, limit=3).outcomes == {24: 3}
    assert [len(outcomes(store, one)) for one in ids] == [1, 1, 1, 0, 0]
    assert measure(source).outcomes == {24: 2}
    assert measure(source).looked == 0


def test_an_outcome_and_the_next_look_are_kept_together_or_not_at_all(
    store, clock, record, prices, measure
):
    one = record()
    clock.advance(days=1)
    judge(store, clock, one)
    before = look(store, one)

    def dies(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_outcomes.measure_due(store, REGISTRY, lambda _: prices(2), clock, dies)
    assert (outcomes(store, one), look(store, one)) == ([], before)

    measure(prices(2))
    assert [found.window_hours for found in outcomes(store, one)] == [24]


def leased(store, clock):
    with writing(store) as conn:
        add(conn, MEASURE_OUTCOMES, {}, clock(), key="outcomes.measure")
        promote(conn, clock())
        ids = [row.id for row in claim(conn, MEASURE_OUTCOMES.name, 1, clock())]
        return lease(conn, ids, "worker", clock, MEASURE_OUTCOMES)


def jobs(store):
    with reading(store) as conn:
        return conn.exec_driver_sql("SELECT kind, state, key FROM jobs").all()


def test_the_job_ends_with_its_last_write_and_goes_on_if_more_is_due(store, clock, record, prices):
    for _ in range(2):
        record(role_id="desk.words")
    clock.advance(days=1)
    source = prices(2)
    for left in ([("measure_outcomes", "ready", "more")], []):
        with writing(store) as conn:
            conn.exec_driver_sql("DELETE FROM jobs")
        measure_outcomes.measure_outcomes(
            store, leased(store, clock), REGISTRY, lambda _: source, clock, lambda *_: None, limit=1
        )
        assert jobs(store) == left


def test_a_job_that_lost_its_lease_measures_nothing(store, clock, record, prices):
    one = record(role_id="desk.words")
    clock.advance(days=1)
    held = leased(store, clock)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET epoch = epoch + 1")
    with pytest.raises(LeaseLostError):
        measure_outcomes.measure_outcomes(
            store, held, REGISTRY, lambda _: prices(2), clock, lambda *_: None
        )
    assert outcomes(store, one) == []


def test_patience_is_counted_for_each_window(start):
    decided = to_micros(start)
    late = decided + 168 * HOUR_US + PATIENCE_US
    assert next_look(decided, (24, 168), {24}, late - 1) == (late - 1 + 6 * HOUR_US, 1)
    assert next_look(decided, (24, 168), {24}, late) == (None, 1)
    assert next_look(decided, (24, 168, 2_160), {24}, late) == (decided + 2_160 * HOUR_US, 1)
    assert Decimal(PATIENCE_US) / HOUR_US == 720
