"""A simulation predicts the budget: the same calls pass, the same cap refuses."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.gateway.budget import Budget, Caps, Purpose, Usage, caps_of
from afterword.pipeline.gateway.budget.admission import fits
from afterword.pipeline.gateway.budget.model import SPENDING_CATEGORIES, Window
from afterword.pipeline.gateway.budget.simulate import (
    AROUND,
    MOST_OUTPUT,
    plan,
    simulate_now,
    tokens,
)
from afterword.pipeline.gateway.budget.simulate_rule import (
    MOST_CALLS,
    SimulatedCalls,
    Simulation,
    simulate,
)
from afterword.pipeline.gateway.budget.windows import category_windows, group_window
from afterword.pipeline.gateway.llm import Form, Question
from afterword.pipeline.gateway.llm.build import build_metered, price_of_model
from afterword.pipeline.gateway.llm.request import LLM_TOKENS_AROUND
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.model_server import ModelServer

TODAY = "2026-01-05"
PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}


class Judged(Form):
    """Say how the decision went."""

    verdict: Literal["right", "wrong"]


QUESTION = Question("classify_entry", "main", "Judge.", "BTC fell", Judged, max_output_tokens=500)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def caps(day: int, month: int, group: int | None = None) -> Caps:
    of_all = dict.fromkeys(SPENDING_CATEGORIES, 0)
    groups = {} if group is None else {"main": group}
    return Caps(of_all | {"learning": day}, of_all | {"learning": month}, groups)


def windows(spent: int = 0, reserved: int = 0, day: str = TODAY) -> list[Window]:
    paying = [*category_windows("learning", day), group_window("main", day)]
    return [Window(*name, spent, reserved, None, None) for name in paying]


def work(calls: int, cost: int, held: int, task: str = "x") -> SimulatedCalls:
    return SimulatedCalls(task, "a-model", calls, cost, 0, cost, held)


@pytest.mark.parametrize(
    ("day_usd", "month_usd", "group_usd", "per_day", "cap"),
    [
        (0.01, 1.0, None, None, "LEARNING_DAILY_CAP_USD"),
        (0.02, 0.03, None, None, "LEARNING_DAILY_CAP_USD"),
        (1.0, 0.02, None, 9, "LEARNING_MONTHLY_CAP_USD"),
        (1.0, 1.0, 0.006, 20, "GROUP_CAPS_USD"),
        (1.0, 1.0, 1.0, 30, None),
    ],
)
def test_the_real_client_makes_and_is_refused_the_calls_that_were_said(
    server: ModelServer,
    instance: Store,
    clock: ManualClock,
    ids: IdSource,
    day_usd: float,
    month_usd: float,
    group_usd: float | None,
    per_day: int | None,
    cap: str | None,
) -> None:
    """One question measures what a call takes; then as many as were simulated are really asked."""
    settings: dict[str, Any] = {
        "llm_provider": "anthropic",
        "llm_base_url": server.origin,
        "learning_daily_cap_usd": day_usd,
        "learning_monthly_cap_usd": month_usd,
        "group_caps_usd": {} if group_usd is None else {"main": group_usd},
    }
    of = Settings(**settings | PRICED)
    llm = build_metered(of, instance, Budget(instance, caps_of(of), clock, ids), clock)
    llm.ask(QUESTION)
    number = 60
    works = plan(instance, {QUESTION.task: number}, of.llm_model, price_of_model(of), tokens(9, 9))

    said = simulate_now(instance, caps_of(of), "learning", "main", works, clock(), per_day)
    came, made, today, this_month, refused = 0, 0, 0, 0, None
    first_day = clock().date()
    while made < number:
        came = min(number, came + (per_day or number))
        try:
            while made < came:
                llm.ask(QUESTION)
                made += 1
        except BudgetExceededError as error:
            refused = refused or (made + 1, clock().date().isoformat(), str(error))
        today = made if clock().date() == first_day else today
        this_month = made if clock().month == first_day.month else this_month
        last_day = clock().date().isoformat()
        clock.advance(days=1)
    llm.close()

    assert works[0].measured == 1
    assert (said.passes_today, said.passes_this_month) == (today, this_month)
    assert said.drained_on == last_day
    assert said.cost_micro_usd == sum(server.tokens) * number // (number + 1)
    if cap is None:
        assert (said.refused, refused) == (None, None)
    else:
        assert said.refused is not None
        assert (said.refused.call, said.refused.day, said.refused.why) == refused
        assert said.refused.setting == f"AFTERWORD_{cap}"


amounts = st.integers(0, 60)


@given(
    works=st.lists(st.tuples(st.integers(0, 12), amounts, amounts), max_size=3),
    day=amounts,
    month=st.integers(0, 200),
    group=st.none() | amounts,
    spent=amounts,
    reserved=amounts,
    per_day=st.none() | st.integers(1, 9),
)
def test_it_counts_as_asking_one_by_one_does(
    works: list[tuple[int, int, int]],
    day: int,
    month: int,
    group: int | None,
    spent: int,
    reserved: int,
    per_day: int | None,
) -> None:
    """The rule counts calls by a division; here each is asked for by itself."""
    of = caps(day, month, group)
    asked = [work(calls, cost, cost + more) for calls, cost, more in works]
    said = simulate(of, windows(spent, reserved), asked, per_day)

    standing, waiting = windows(spent, reserved), [w for w in asked for _ in range(w.calls)]
    total, made_by, at = len(waiting), [], TODAY
    for number in range(40):
        come = total if per_day is None else min(total, per_day * (number + 1))
        while waiting and total - len(waiting) < come:
            if not all(fits(of, one, max(1, waiting[0].held_micro_usd)) for one in standing):
                break
            cost = waiting.pop(0).cost_micro_usd
            standing = [
                replace(one, spent_micro_usd=one.spent_micro_usd + cost) for one in standing
            ]
        made_by.append((at, total - len(waiting)))
        if not waiting:
            break
        at = (date.fromisoformat(at) + timedelta(days=1)).isoformat()
        fresh = windows(day=at)
        standing = [
            old if old.key == new.key else new for old, new in zip(standing, fresh, strict=True)
        ]

    assert said.calls == total
    assert said.passes_today == made_by[0][1]
    assert said.passes_this_month == [made for at, made in made_by if at[:7] == TODAY[:7]][-1]
    if not waiting:
        assert said.drained_on == made_by[-1][0]
    else:
        assert said.drained_on is None or said.drained_on > made_by[-1][0]
    assert (said.refused is None) == (
        said.drained_on is not None and not _waited(made_by, total, per_day)
    )


def _waited(made_by: list[tuple[str, int]], total: int, per_day: int | None) -> bool:
    """Say whether calls that had come were left over on some day."""
    return any(
        made < (total if per_day is None else min(total, per_day * (number + 1)))
        for number, (_, made) in enumerate(made_by)
    )


def test_a_call_that_never_fits_is_never_done() -> None:
    said = simulate(caps(100, 10_000), windows(), [work(3, 1, 101)])

    assert (said.passes_today, said.passes_this_month, said.drained_on) == (0, 0, None)
    assert said.refused is not None
    assert said.refused.call == 1


def test_what_is_on_its_way_counts_today_and_comes_back_tomorrow() -> None:
    said = simulate(caps(100, 10_000), windows(spent=20, reserved=70), [work(4, 10, 10)])

    assert (said.passes_today, said.drained_on) == (1, "2026-01-06")


def test_work_that_is_free_is_refused_by_a_cap_of_nothing_only() -> None:
    assert simulate(caps(1, 1), windows(), [work(MOST_CALLS, 0, 0)]).drained_on == TODAY
    assert simulate(caps(0, 1), windows(), [work(1, 0, 0)]).drained_on is None


def test_no_work_costs_nothing_and_is_done() -> None:
    said = simulate(caps(0, 0), windows(), [])

    assert said == Simulation(TODAY, (), 0, 0, 0, 0, None, TODAY)


def test_a_stop_refuses_all_of_it(instance: Store, clock: ManualClock, ids: IdSource) -> None:
    of = caps_of(Settings())
    Budget(instance, of, clock, ids).stop("runaway agent")

    with pytest.raises(BudgetExceededError, match="runaway agent"):
        simulate_now(instance, of, "learning", "main", [work(1, 1, 1)], clock())


def test_what_was_never_asked_is_assumed_and_what_was_is_measured(
    instance: Store, clock: ManualClock, ids: IdSource
) -> None:
    budget, price = Budget(instance, caps_of(Settings()), clock, ids), price_of_model(Settings())
    for read in (1_000, 2_001):
        purpose = Purpose("learning", "main", "classify_entry", "claude-haiku-5-5")
        held = budget.reserve(purpose, 700, ttl_s=60)
        budget.settle(held.uid, Usage(read, 100, price.cost_micro_usd(read, 100)))
    lost = budget.reserve(purpose, 9_000, ttl_s=60)
    budget.settle_at_reservation(lost.uid, "nobody knows what it took")

    asked = {"classify_entry": 5, "draft_lesson": 2}
    known, new = plan(instance, asked, "claude-haiku-5-5", price, tokens(1_200, 200))
    (other,) = plan(instance, {"classify_entry": 5}, "another", price, tokens(1_200, 200))

    assert (known.measured, known.input_tokens, known.output_tokens) == (2, 1_501, 100)
    assert (known.cost_micro_usd, known.held_micro_usd) == (price.cost_micro_usd(1_501, 100), 700)
    assert (new.measured, new.input_tokens, new.output_tokens) == (0, 1_200, 200)
    assert new.held_micro_usd == price.cost_micro_usd(4 * 1_200 + AROUND, MOST_OUTPUT)
    assert other.measured == 0


def test_a_worst_case_below_what_is_used_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="worst case"):
        work(1, 10, 9)


def test_the_usual_worst_case_is_that_of_our_own_questions() -> None:
    assert AROUND == LLM_TOKENS_AROUND
    assert Question("t", "g", "", "u", Judged).max_output_tokens == MOST_OUTPUT
