"""What changes while a pass runs, or ends it early, is judged once and never twice."""

import signal
import sys
import threading

import pytest

from afterword.pipeline.clock import EARLIEST
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role
from afterword.pipeline.domain.reflection.steps import MAX_JUDGED
from afterword.pipeline.domain.skills import Custom, RoleRegistry
from afterword.pipeline.errors import (
    BudgetExceededError,
    ConflictError,
    InvalidInputError,
    UnavailableError,
)
from afterword.pipeline.gateway.llm import DeclinedError, UnusableAnswerError
from afterword.pipeline.rules.market.outcome import marked, unknown
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    book,
    role_of,
    saying,
    skill_of,
)
from afterword.pipeline.testing.wait import wait_until
from tests.unit.reflection.passes import (
    CLOSES,
    REGISTRY,
    ROLE,
    SAID,
    Whales,
    found,
    jobs,
    leased,
    shape,
)


def test_a_decision_that_is_superseded_while_a_judge_thinks_stays_so(
    store, clock, record, reflector
):
    one = record()

    def meanwhile(case):
        record(decision="Sell SOL", direction="short", supersedes=case.decision.uid)
        return JudgeOpinion("logic_error", "late")

    reflect_role(reflector(ScriptedDecisionJudge(meanwhile, at_once=1)), ROLE)

    assert shape(found(store, one)) == ("skipped", None, None)


def test_an_unknown_asset_and_a_market_nobody_has_are_no_price(store, record, reflector):
    one = record(asset="NOWHERE")
    reflect_role(reflector(saying("exogenous"), PriceBook({})), ROLE)
    assert found(store, one).reason == "no price"


def test_a_mark_that_cannot_count_is_refused(store, clock, record, reflector):
    one = record()
    with pytest.raises(InvalidInputError):
        mark_decision(store, REGISTRY, one, "unknown", "who knows", clock)
    with pytest.raises(InvalidInputError, match="note"):
        mark_decision(store, REGISTRY, one, "right", "\u200b", clock)
    reflect_role(reflector(saying("exogenous")), ROLE)
    with pytest.raises(ConflictError, match="is reflected already"):
        mark_decision(store, REGISTRY, one, "right", "no", clock)


def test_a_mark_made_while_a_judge_thinks_stands(store, clock, record, reflector):
    one = record()

    def meanwhile(_):
        mark_decision(store, REGISTRY, one, "right", "It was hedged.", clock)
        return JudgeOpinion("logic_error", "late")

    late = ScriptedDecisionJudge(meanwhile, at_once=1)
    reflect_role(reflector(late), ROLE)
    assert (shape(found(store, one)), late.drafted) == (("pending", None, None), [])

    reflect_role(reflector(saying("exogenous")), ROLE)
    assert shape(found(store, one)) == ("reflected", ("right", None), None)


@pytest.mark.parametrize("then", ["unknown", "declined", "away"])
def test_a_mark_made_while_its_decision_is_put_off_is_not_put_off(
    store, clock, record, reflector, then
):
    def outcome():
        if then != "unknown":
            return marked("wrong", "it fell")
        mark_decision(store, registry, one, "right", "It was hedged.", clock)
        return unknown("no_answer", "too slow")

    def fails(_):
        mark_decision(store, registry, one, "right", "It was hedged.", clock)
        raise DeclinedError("m", "bio") if then == "declined" else UnavailableError("away")

    registry = RoleRegistry(
        [skill_of(role_of(probe=Custom("slow", 24)))], Probes({"slow": Whales(outcome)})
    )
    one = record(registry=registry)
    reflect_role(reflector(ScriptedDecisionJudge(fails), registry=registry), ROLE)

    assert reflect_role(reflector(saying("exogenous"), registry=registry), ROLE).settled == 1
    assert shape(found(store, one)) == ("reflected", ("right", None), None)


@pytest.mark.parametrize("decided_at", [EARLIEST])
def test_a_decision_as_old_as_the_calendar_holds_up_no_other(store, clock, record, reflector):
    old, other = record(), record(decided_at=clock() - 100 * HOUR)
    reflect_role(
        reflector(saying("exogenous"), book("SOLUSDT", clock() - 300 * HOUR, CLOSES)), ROLE
    )

    assert (found(store, old).reason, found(store, other).state) == ("no price", "reflected")


def test_a_clock_that_is_set_back_holds_up_no_other(store, clock, record, reflector, market):
    early = record(decided_at=clock() - 30 * HOUR)
    reflect_role(reflector(saying("exogenous"), market(hours=0)), ROLE)
    other = record()
    clock.advance(hours=-20)
    with writing(store) as conn:
        on_prices(conn, REGISTRY, ["SOL"], clock())
    reflect_role(reflector(saying("exogenous")), ROLE)

    assert (found(store, early).state, found(store, other).state) == ("parked", "reflected")
    clock.advance(hours=20)
    reflect_role(reflector(saying("exogenous")), ROLE)
    assert found(store, early).state == "reflected"


def test_each_of_the_two_questions_has_its_own_tries(store, clock, record, reflector):
    one, answers = record(), iter(["no", "no", "yes"])

    def second_time_lucky(_):
        if next(answers) == "no":
            raise UnusableAnswerError("filled in nothing")
        return SAID

    def nonsense(_):
        raise UnusableAnswerError("filled in nothing")

    judge = ScriptedDecisionJudge(second_time_lucky, nonsense)
    tries = []
    for _ in range(5):
        reflect_role(reflector(judge), ROLE)
        tries.append((found(store, one).state, found(store, one).tries))
        clock.advance(hours=1)

    assert tries == [("pending", 1), ("pending", 2), ("pending", 1), ("pending", 2), ("parked", 2)]


def test_a_slow_judge_is_asked_no_more_when_the_job_would_pass_its_deadline(
    store, clock, record, reflector
):
    for _ in range(8):
        record()

    def slowly(_):
        clock.advance(minutes=3)
        return JudgeOpinion("exogenous", "at last")

    judge = ScriptedDecisionJudge(slowly, at_once=1)
    leases = leased(store, clock)
    reflect_entries(reflector(judge, leases=leases), leases)

    assert len(judge.classified) == 3
    assert jobs(store) == [(ROLE, "later")]  # it goes on at once
    assert reflect_role(reflector(saying("exogenous")), ROLE).settled == 5


def calls_of(thread):
    """Return the names of the functions that a thread is in."""
    frame = sys._current_frames().get(thread)
    names = []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names


def test_an_interrupt_asks_nothing_more(store, record, reflector):
    for _ in range(8):
        record()
    main = threading.main_thread().ident
    assert main is not None

    def interrupt(*_):
        raise KeyboardInterrupt

    def interrupts(_):
        signal.pthread_kill(main, signal.SIGINT)
        # It heard of it, and stopped the rest, once it only waits for the threads to end.
        wait_until(lambda: "shutdown" in calls_of(main), timeout_s=60)
        return JudgeOpinion("exogenous", "paid for")

    judge = ScriptedDecisionJudge(interrupts, at_once=1)
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            reflect_role(reflector(judge), ROLE)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(judge.classified) == 1
    assert {one.state for one in list_decisions(store, ROLE)} == {"pending", "reflected"}


def test_what_was_settled_is_told_also_where_the_pass_ends_early(store, record, reflector):
    record("short"), record(), record()
    answers = iter([JudgeOpinion("exogenous", "x")])

    def once(_):
        for said in answers:
            return said
        raise BudgetExceededError("learning is spent", None)

    told = []
    stop = listen(lambda action, facts: told.append((action, facts.get("outcome"))))
    with pytest.raises(BudgetExceededError):
        reflect_role(reflector(ScriptedDecisionJudge(once, at_once=1)), ROLE)
    stop()

    assert [outcome for action, outcome in told if action == "role.reflected"] == [
        "right",
        "exogenous",
    ]


def test_what_asks_nobody_does_not_wait_for_the_money_of_what_does(store, clock, record, reflector):
    for _ in range(2 * MAX_JUDGED):
        record(decided_at=clock() - 100 * HOUR)
    right = record("short")

    def spent(_):
        raise BudgetExceededError("learning is spent", None)

    judge = ScriptedDecisionJudge(spent, at_once=1)
    leases = leased(store, clock)
    with pytest.raises(BudgetExceededError):
        reflect_entries(reflector(judge, leases=leases), leases)

    assert len(judge.classified) == 1
    assert shape(found(store, right)) == ("reflected", ("right", None), None)
    assert len(list_decisions(store, ROLE, "pending")) == 2 * MAX_JUDGED
