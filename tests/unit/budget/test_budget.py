"""Spent plus reserved money never exceeds a cap, and each cost stays in its window."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core import telemetry
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError
from afterword.pipeline.gateway.budget import Budget, Caps, Purpose, Reservation, Usage
from afterword.pipeline.gateway.budget.overview import Line, ModelUse
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps

DOLLAR = 1_000_000
DIME = DOLLAR // 10
PURPOSE = Purpose("learning", "main", "embed_memories", "text-embedding-3-small")
AGENT = replace(PURPOSE, category="agent")
ROOMY = 100 * DOLLAR

Events = list[tuple[str, dict[str, Any]]]


class Ledger:
    """A budget with its clock and its file, so that a test can change the caps or the time."""

    def __init__(self, store: Store, clock: ManualClock, ids: IdSource) -> None:
        self.store, self.clock, self.ids = store, clock, ids

    def with_caps(
        self, daily: int = DOLLAR, monthly: int = ROOMY, groups: dict[str, int] | None = None
    ) -> Budget:
        return self.of(level_caps(daily, monthly, groups))

    def of(self, caps: Caps) -> Budget:
        return Budget(self.store, caps, self.clock, self.ids)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with reading(self.store) as conn:
            return [tuple(row) for row in conn.execute(text(sql))]


@pytest.fixture
def ledger(instance: Store, clock: ManualClock, ids: IdSource) -> Ledger:
    return Ledger(instance, clock, ids)


@pytest.fixture
def events() -> Iterator[Events]:
    told: Events = []
    stop = telemetry.listen(lambda action, facts: told.append((action, facts)))
    yield told
    stop()


def named(events: Events, action: str) -> list[dict[str, Any]]:
    return [facts for name, facts in events if name == action]


def line(budget: Budget, scope: str = "category_day", name: str = "learning") -> Line:
    seen = budget.overview()
    return next(x for x in (*seen.categories, *seen.groups) if (x.scope, x.name) == (scope, name))


def spend(budget: Budget, amount: int = DIME, purpose: Purpose = PURPOSE) -> Reservation:
    held = budget.reserve(purpose, amount, ttl_s=60)
    assert budget.settle(held.uid, Usage(10, 0, amount))
    return held


def spend_all(budget: Budget, purpose: Purpose = PURPOSE) -> int:
    """Spend dimes until none is admitted, and return how many were."""
    for admitted in range(1_000):
        try:
            spend(budget, DIME, purpose)
        except BudgetExceededError:
            return admitted
    raise AssertionError("nothing ever refused a dime")


# --- reserve, settle, release -------------------------------------------------------------------


def test_a_reservation_holds_its_worst_case_until_the_real_cost_is_known(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, 9 * DIME, ttl_s=60)
    assert (line(budget).spent_micro_usd, line(budget).reserved_micro_usd) == (0, 9 * DIME)
    with pytest.raises(BudgetExceededError):
        budget.reserve(PURPOSE, 2 * DIME, ttl_s=60)

    budget.settle(held.uid, Usage(100, 20, 3))

    assert (line(budget).spent_micro_usd, line(budget).reserved_micro_usd) == (3, 0)
    assert ledger.ask("SELECT * FROM llm_usage") == [
        (
            *(1, "learning", "main", "embed_memories", "text-embedding-3-small", 100, 20, 3),
            *("2026-01-05", 1767571200000000, held.uid, "measured", None),
        )
    ]


def test_exactly_the_cap_can_be_spent_and_not_a_micro_dollar_more(ledger: Ledger) -> None:
    budget = ledger.with_caps()

    assert spend_all(budget) == 10
    assert line(budget).spent_micro_usd == DOLLAR
    for one_more in (0, 1, DIME):
        with pytest.raises(BudgetExceededError):
            budget.reserve(PURPOSE, one_more, ttl_s=60)


def test_what_never_left_the_machine_is_given_back(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DOLLAR, ttl_s=60)

    assert [budget.release(held.uid), budget.release(held.uid)] == [True, False]
    assert line(budget).left_micro_usd == DOLLAR


def test_an_unknown_cost_is_charged_at_the_reservation(ledger: Ledger, events: Events) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, 7 * DIME, ttl_s=60)

    budget.settle_at_reservation(held.uid, "TimeoutError")

    assert ledger.ask("SELECT cost_micro_usd, basis, note FROM llm_usage") == [
        (7 * DIME, "reserved", "TimeoutError")
    ]
    assert named(events, "budget.unmeasured")[0]["why"] == "TimeoutError"


def test_settling_again_changes_nothing(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = spend(budget, DIME)

    assert budget.settle(held.uid, Usage(1, 1, 9 * DIME)) is False
    assert budget.settle_at_reservation(held.uid, "late") is False
    assert budget.release(held.uid) is False
    assert line(budget).spent_micro_usd == DIME
    budget.check_counted()


def test_what_was_released_is_not_settled(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)
    budget.release(held.uid)

    assert budget.settle(held.uid, Usage(1, 1, 1)) is False
    assert line(budget).spent_micro_usd == 0


def test_an_unknown_reservation_is_not_found(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    with pytest.raises(NotFoundError):
        budget.settle("nobody", Usage(1, 1, 1))
    with pytest.raises(NotFoundError):
        budget.release("nobody")


@pytest.mark.parametrize("estimate", [-1, 1.5, 10**13])
def test_an_estimate_is_a_count_of_micro_dollars(ledger: Ledger, estimate: Any) -> None:
    with pytest.raises(InvalidInputError, match="estimate_micro_usd"):
        ledger.with_caps().reserve(PURPOSE, estimate, ttl_s=60)


@pytest.mark.parametrize("ttl_s", [0, -1, float("nan"), float("inf")])
def test_a_reservation_must_end(ledger: Ledger, ttl_s: float) -> None:
    with pytest.raises(InvalidInputError, match="ttl_s"):
        ledger.with_caps().reserve(PURPOSE, 1, ttl_s=ttl_s)


def test_budgets_survive_a_restart(stores: Stores, clock: ManualClock) -> None:
    caps = level_caps(DOLLAR, ROOMY)
    spend_all(Budget(stores.instance, caps, clock, random_uid))
    stores.close()

    again = Stores(stores.home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
    with pytest.raises(BudgetExceededError):
        Budget(again.instance, caps, clock, random_uid).check("learning", "main")
    again.close()


# --- every cap holds alone ----------------------------------------------------------------------


def test_each_category_has_its_own_caps(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    assert spend_all(budget) == 10

    budget.check("agent", "main")
    assert spend_all(budget, AGENT) == 10


def test_the_month_holds_when_the_days_would_not(ledger: Ledger) -> None:
    budget = ledger.with_caps(daily=DOLLAR, monthly=25 * DIME)
    assert spend_all(budget) == 10
    ledger.clock.advance(days=1)
    assert spend_all(budget) == 10
    ledger.clock.advance(days=1)
    assert spend_all(budget) == 5

    with pytest.raises(BudgetExceededError, match="LEARNING_MONTHLY_CAP_USD") as refused:
        budget.check("learning", "main")
    assert refused.value.reopens_at == datetime(2026, 2, 1, tzinfo=UTC)


def test_a_groups_cap_holds_over_all_categories(ledger: Ledger) -> None:
    budget = ledger.with_caps(groups={"main": 12 * DIME})
    assert spend_all(budget) == 10
    assert spend_all(budget, AGENT) == 2

    with pytest.raises(BudgetExceededError, match="GROUP_CAPS_USD"):
        budget.check("workflow", "main")
    budget.check("workflow", "other")


def test_a_cap_of_zero_admits_nothing_not_even_a_free_call(ledger: Ledger) -> None:
    budget = ledger.with_caps(daily=0)
    with pytest.raises(BudgetExceededError):
        budget.check("learning", "main")
    with pytest.raises(BudgetExceededError):
        budget.reserve(PURPOSE, 0, ttl_s=60)


def test_a_cap_lowered_below_what_is_spent_refuses_and_a_raised_one_admits(ledger: Ledger) -> None:
    spend_all(ledger.with_caps())

    lowered = ledger.with_caps(daily=5 * DIME)
    with pytest.raises(BudgetExceededError):
        lowered.check("learning", "main")
    assert line(lowered).left_micro_usd == 0
    assert spend_all(ledger.with_caps(daily=12 * DIME)) == 2


# --- when to ask again --------------------------------------------------------------------------


def test_a_spent_day_reopens_at_the_next_utc_midnight(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    ledger.clock.set(datetime(2026, 1, 5, 23, 59, 59, 999_999, tzinfo=UTC))
    spend_all(budget)

    with pytest.raises(BudgetExceededError, match="budget:learning until 2026-01-06T00:00Z") as no:
        budget.check("learning", "main")
    assert no.value.reopens_at == datetime(2026, 1, 6, tzinfo=UTC)

    ledger.clock.set(datetime(2026, 1, 6, tzinfo=UTC))
    budget.check("learning", "main")


def test_of_two_spent_windows_the_later_one_says_when_to_ask_again(ledger: Ledger) -> None:
    budget = ledger.with_caps(daily=DOLLAR, monthly=DOLLAR)
    spend_all(budget)

    with pytest.raises(BudgetExceededError) as refused:
        budget.check("learning", "main")
    assert refused.value.reopens_at == datetime(2026, 2, 1, tzinfo=UTC)


def test_a_budget_that_is_only_reserved_reopens_when_a_reservation_ends(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    budget.reserve(PURPOSE, 4 * DIME, ttl_s=300)
    first = budget.reserve(PURPOSE, 6 * DIME, ttl_s=90)

    with pytest.raises(BudgetExceededError) as refused:
        budget.check("learning", "main")
    assert refused.value.reopens_at == first.expires_at

    # Nobody settled it: now it is spent, and only midnight helps.
    ledger.clock.set(first.expires_at)
    with pytest.raises(BudgetExceededError) as refused:
        budget.reserve(PURPOSE, 7 * DIME, ttl_s=60)
    assert refused.value.reopens_at == datetime(2026, 1, 6, tzinfo=UTC)


# --- processes that never come back -------------------------------------------------------------


def test_a_crashed_reservation_counts_as_spent_before_any_sweeper_has_run(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    budget.reserve(PURPOSE, DOLLAR, ttl_s=60)
    ledger.clock.advance(seconds=60)

    assert (line(budget).spent_micro_usd, line(budget).reserved_micro_usd) == (DOLLAR, 0)
    with pytest.raises(BudgetExceededError):
        budget.reserve(PURPOSE, 1, ttl_s=60)


def test_expiry_books_a_crashed_reservation_once(ledger: Ledger, events: Events) -> None:
    budget = ledger.with_caps()
    budget.reserve(PURPOSE, DIME, ttl_s=60)
    assert budget.expire() == 0
    ledger.clock.advance(seconds=60)

    assert [budget.expire(), budget.expire()] == [1, 0]
    assert ledger.ask("SELECT cost_micro_usd, basis FROM llm_usage") == [(DIME, "expired")]
    assert named(events, "budget.expired") == [{"level": "WARNING", "reservations": 1}]
    budget.check_counted()


def test_the_next_reservation_expires_old_ones_on_its_way(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    budget.reserve(PURPOSE, DIME, ttl_s=60)
    ledger.clock.advance(seconds=60)

    budget.reserve(PURPOSE, DIME, ttl_s=60)

    assert ledger.ask("SELECT state FROM budget_reservations ORDER BY expires_at") == [
        ("expired",),
        ("open",),
    ]


@pytest.mark.parametrize(("cost", "added"), [(DIME // 2, 0), (DIME, 0), (3 * DIME, 2 * DIME)])
def test_a_reply_after_expiry_adds_its_tokens_and_only_the_excess(
    ledger: Ledger, cost: int, added: int
) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)
    ledger.clock.advance(seconds=61)
    budget.expire()

    late = Usage(7, 0, cost)
    assert [budget.settle(held.uid, late), budget.settle(held.uid, late)] == [True, False]
    assert line(budget).spent_micro_usd == DIME + added
    assert budget.overview().models[0].input_tokens == 7


def test_what_expired_is_not_given_back(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)
    ledger.clock.advance(seconds=61)
    budget.expire()

    assert budget.release(held.uid) is False
    assert line(budget).spent_micro_usd == DIME


# --- the calendar -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reserved_at", "settled_at"),
    [
        (datetime(2026, 1, 5, 23, 59, 59, tzinfo=UTC), datetime(2026, 1, 6, 0, 0, 1, tzinfo=UTC)),
        (datetime(2026, 1, 31, 23, 59, tzinfo=UTC), datetime(2026, 2, 1, 0, 1, tzinfo=UTC)),
        (datetime(2028, 2, 29, 23, 59, tzinfo=UTC), datetime(2028, 3, 1, 0, 1, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), datetime(2027, 1, 1, 0, 1, tzinfo=UTC)),
    ],
)
def test_settling_after_midnight_stays_in_the_window_that_reserved(
    ledger: Ledger, reserved_at: datetime, settled_at: datetime
) -> None:
    budget = ledger.with_caps()
    ledger.clock.set(reserved_at)
    held = budget.reserve(PURPOSE, DOLLAR, ttl_s=3600)
    ledger.clock.set(settled_at)
    fresh = spend(budget, 2 * DIME)

    budget.settle(held.uid, Usage(1, 1, 5 * DIME))

    day, month = f"{reserved_at:%Y-%m-%d}", f"{reserved_at:%Y-%m}"
    spent = dict[str, int](
        ledger.ask("SELECT window_key, spent_micro_usd FROM budget_windows WHERE name = 'learning'")
    )
    assert (spent[day], spent[fresh.day_key]) == (5 * DIME, 2 * DIME)
    same_month = month == fresh.day_key[:7]
    assert spent[month] == (7 * DIME if same_month else 5 * DIME)


def test_a_leap_day_is_a_day_of_its_own(ledger: Ledger) -> None:
    budget = ledger.with_caps(monthly=25 * DIME)
    ledger.clock.set(datetime(2028, 2, 28, 12, tzinfo=UTC))
    assert spend_all(budget) == 10
    ledger.clock.set(datetime(2028, 2, 29, 12, tzinfo=UTC))
    assert spend_all(budget) == 10
    ledger.clock.set(datetime(2028, 3, 1, tzinfo=UTC))
    assert spend_all(budget) == 10  # a new month as well


@pytest.mark.parametrize("back", [{"hours": -24}, {"days": -5}, {"days": -400}, {"minutes": -1}])
def test_a_clock_set_back_never_reopens_a_spent_budget(
    ledger: Ledger, back: dict[str, float]
) -> None:
    budget = ledger.with_caps()
    spend_all(budget)

    ledger.clock.advance(**back)

    with pytest.raises(BudgetExceededError) as refused:
        budget.check("learning", "main")
    assert refused.value.reopens_at == datetime(2026, 1, 6, tzinfo=UTC)
    assert spend_all(budget, AGENT) == 10  # what is left may be spent, once
    assert budget.overview().day == "2026-01-05"


def test_a_clock_set_back_finds_what_is_only_reserved_too(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    budget.reserve(PURPOSE, DOLLAR, ttl_s=60)

    ledger.clock.advance(days=-1)

    with pytest.raises(BudgetExceededError, match="for 2026-01-05"):
        budget.check("learning", "main")


def test_a_clock_that_jumped_ahead_and_back_keeps_spending_the_newest_day(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    spend(budget, 4 * DIME)
    ledger.clock.advance(days=1)
    spend(budget, 9 * DIME)
    ledger.clock.advance(days=-1)

    # The first day has 6 dimes left, and they stay there.
    assert spend_all(budget) == 1


# --- warnings and alarms ------------------------------------------------------------------------


def test_each_window_is_warned_about_once_by_whoever_crosses_first(
    stores: Stores, clock: ManualClock, events: Events
) -> None:
    caps = level_caps(DOLLAR, 10 * DOLLAR)
    other = Stores(stores.home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
    budgets = [Budget(s.instance, caps, clock, random_uid) for s in (stores, other)]

    for turn in range(7):
        spend(budgets[turn % 2])
    assert named(events, "budget.soft") == []
    for turn in range(3):
        spend(budgets[turn % 2])

    assert named(events, "budget.soft") == [
        {
            "level": "WARNING",
            "scope": "category_day",
            "name": "learning",
            "window": "2026-01-05",
            "used_micro_usd": 7 * DIME,
        }
    ]
    clock.advance(days=1)
    spend(budgets[1], 8 * DIME)
    assert [told["window"] for told in named(events, "budget.soft")] == ["2026-01-05", "2026-01-06"]
    other.close()


def test_a_refused_call_warns_nobody(ledger: Ledger, events: Events) -> None:
    with pytest.raises(BudgetExceededError):
        ledger.with_caps().reserve(PURPOSE, 11 * DIME, ttl_s=60)
    assert named(events, "budget.soft") == []


def test_a_call_dearer_than_its_reservation_is_booked_in_full_and_stops_all_spending(
    ledger: Ledger, events: Events
) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)

    budget.settle(held.uid, Usage(10, 10, 2 * DIME))

    assert line(budget).spent_micro_usd == 2 * DIME
    assert len(named(events, "budget.overrun")) == 1
    for blocked in ("learning", "agent"):
        with pytest.raises(BudgetExceededError, match="afterword budget resume") as refused:
            budget.check(blocked, "main")
        assert refused.value.reopens_at is None
    budget.resume()
    budget.check("learning", "main")


def test_an_overrun_beyond_the_cap_keeps_the_window_closed_after_resuming(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)
    budget.settle(held.uid, Usage(10, 10, 3 * DOLLAR))
    budget.resume()

    with pytest.raises(BudgetExceededError):
        budget.reserve(PURPOSE, 1, ttl_s=60)
    assert line(budget).spent_micro_usd == 3 * DOLLAR
    assert line(budget).left_micro_usd == 0


def test_stop_holds_every_process_until_resumed(
    stores: Stores, clock: ManualClock, ledger: Ledger
) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(PURPOSE, DIME, ttl_s=60)
    other_stores = Stores(stores.home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
    other = Budget(other_stores.instance, level_caps(DOLLAR, ROOMY), clock, random_uid)

    assert [other.stop("a bill looked odd"), other.stop("again")] == [True, False]

    with pytest.raises(BudgetExceededError, match="a bill looked odd"):
        budget.check("learning", "main")
    with pytest.raises(BudgetExceededError):
        budget.reserve(PURPOSE, 1, ttl_s=60)
    assert budget.settle(held.uid, Usage(1, 1, 1))  # what is under way is still booked
    stopped = budget.overview().stopped
    assert stopped is not None and stopped.note == "a bill looked odd"
    assert [budget.resume(), budget.resume()] == [True, False]
    other.check("learning", "main")
    other_stores.close()


# --- money spent elsewhere ----------------------------------------------------------------------


def test_spend_from_outside_is_booked_even_beyond_the_cap(ledger: Ledger, events: Events) -> None:
    budget = ledger.with_caps()

    budget.enter_outside(AGENT, Usage(5_000, 900, 3 * DOLLAR))

    assert ledger.ask("SELECT basis, cost_micro_usd, reservation_uid FROM llm_usage") == [
        ("outside", 3 * DOLLAR, None)
    ]
    assert [told["name"] for told in named(events, "budget.soft")] == ["agent"]
    with pytest.raises(BudgetExceededError):
        budget.check("agent", "main")
    budget.check("learning", "main")


def test_an_outside_reservation_is_settled_by_its_uid_and_its_guess_stops_nothing(
    ledger: Ledger, events: Events
) -> None:
    budget = ledger.with_caps()
    held = budget.reserve(AGENT, DIME, ttl_s=3600, outside=True)
    assert line(budget, name="agent").reserved_micro_usd == DIME

    budget.settle(held.uid, Usage(1, 1, 2 * DIME))

    assert ledger.ask("SELECT basis, cost_micro_usd FROM llm_usage") == [("outside", 2 * DIME)]
    assert len(named(events, "budget.overrun")) == 1
    budget.check("agent", "main")


# --- what an operator sees ----------------------------------------------------------------------


def test_the_overview_shows_every_cap_and_what_is_left_of_it(ledger: Ledger) -> None:
    budget = ledger.with_caps(monthly=2 * DOLLAR, groups={"main": 9 * DIME, "other": DOLLAR})
    spend(budget, 5 * DIME)
    spend(budget, DIME, replace(AGENT, group="third"))
    budget.reserve(PURPOSE, 4 * DIME, ttl_s=60)

    seen = budget.overview()

    assert seen.day == "2026-01-05" and seen.stopped is None
    assert len(seen.categories) == 8
    assert line(budget) == Line(
        *("category_day", "learning", "2026-01-05", DOLLAR, 5 * DIME, 4 * DIME, DIME),
        state="soft",
        reopens_at=None,
    )
    assert line(budget, "category_month").left_micro_usd == 11 * DIME
    assert [
        (x.name, x.cap_micro_usd, x.left_micro_usd, x.state, x.reopens_at) for x in seen.groups
    ] == [
        ("main", 9 * DIME, 0, "spent", from_micros(1767571260000000)),
        ("other", DOLLAR, DOLLAR, "open", None),
        ("third", None, None, "open", None),
    ]
    assert seen.models == (
        ModelUse("agent", "text-embedding-3-small", 1, 10, 0, DIME),
        ModelUse("learning", "text-embedding-3-small", 1, 10, 0, 5 * DIME),
    )


def test_spend_can_be_asked_of_the_table_itself(ledger: Ledger) -> None:
    budget = ledger.with_caps()
    spend(budget)
    spend(budget, 2 * DIME, AGENT)

    assert ledger.ask(
        "SELECT category, sum(cost_micro_usd) FROM llm_usage WHERE date = '2026-01-05' GROUP BY 1"
    ) == [("agent", 2 * DIME), ("learning", DIME)]


# --- all of it together -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_no_order_of_events_passes_a_cap_or_loses_a_cost(ledger: Ledger, seed: int) -> None:
    chance = Random(seed)
    budget = ledger.with_caps(daily=DOLLAR, monthly=3 * DOLLAR, groups={"main": 15 * DIME})
    held: list[Reservation] = []
    billed = 0
    for _ in range(250):
        event = chance.choice(("reserve", "reserve", "settle", "cut", "release", "crash", "time"))
        one = held.pop(chance.randrange(len(held))) if held and event != "reserve" else None
        if event == "reserve":
            purpose = replace(PURPOSE, category=chance.choice(("learning", "agent")))
            try:
                held.append(budget.reserve(purpose, chance.randint(0, 2 * DIME), ttl_s=60))
            except BudgetExceededError:
                ledger.clock.advance(minutes=chance.randint(0, 90))
        elif event == "time":
            ledger.clock.advance(seconds=chance.choice((1, 30, 61, -45, -7200)))
        if one is not None and event != "release":
            billed += (cost := chance.randint(0, one.estimate_micro_usd))
            if event == "settle":
                budget.settle(one.uid, Usage(1, 0, cost))
            elif event == "cut":
                budget.settle_at_reservation(one.uid, "cut")
        elif one is not None:
            budget.release(one.uid)
        seen = budget.overview()
        for at in (*seen.categories, *seen.groups):
            assert at.cap_micro_usd is not None
            assert at.spent_micro_usd + at.reserved_micro_usd <= at.cap_micro_usd
    ledger.clock.advance(hours=3)
    budget.expire()
    booked = ledger.ask("SELECT sum(cost_micro_usd) FROM llm_usage")[0][0]
    assert booked >= billed
    budget.check_counted()


def test_the_reason_of_a_stop_keeps_no_secret(ledger: Ledger) -> None:
    budget = ledger.with_caps()

    budget.stop("leaked: password: hunter2secret")

    stopped = budget.overview().stopped
    assert stopped is not None
    assert stopped.note == "leaked: password: [masked:password]"
