"""Each decision is judged once, by what was known when it was made; only errors leave a lesson."""

import signal
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import EARLIEST
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.triggers import begin, on_prices
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.measure import RETRY_AFTER
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role, run_pass
from afterword.pipeline.domain.reflection.steps import MAX_ASKED
from afterword.pipeline.domain.skills import Custom, Manual, RefetchSource, RoleRegistry
from afterword.pipeline.errors import (
    BudgetExceededError,
    ConflictError,
    InvalidInputError,
    UnavailableError,
)
from afterword.pipeline.gateway.llm import DeclinedError, UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.recall.lessons.fragment import recent_lessons
from afterword.pipeline.rules.market.outcome import Outcome, marked, unknown
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    book,
    jagged,
    role_of,
    saying,
    skill_of,
)

QUIET = 200
"""Hours of prices before the decision: its market moves by some 5 % a day, the band is 1.4 %."""

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of())])


@pytest.fixture
def decided_at(clock):
    return clock() - 100 * HOUR


@pytest.fixture
def market(decided_at):
    """Return prices that move by so much in the hour after the decision, then rest."""

    def prices(move=-0.05, hours=99):
        closes = jagged(QUIET, [move, *[0.0] * (hours - 1)] if hours else [])
        return book("SOLUSDT", decided_at - QUIET * HOUR, closes)

    return prices


@pytest.fixture
def record(store, clock, ids, decided_at):
    def one(direction="long", registry=REGISTRY, role_id=ROLE, **changes):
        new = NewDecision(
            role_id,
            "Buy SOL on strength",
            {"rsi": 71},
            asset="SOL",
            direction=direction,
            decided_at=decided_at,
            context={"prompt": "what now"},
        )
        return record_decision(store, registry, replace(new, **changes), clock, ids).id

    return one


@pytest.fixture
def reflector(store, clock, market):
    def of(judge, prices=None, registry=REGISTRY, **changes):
        known = market() if prices is None else prices
        made = Reflector(store, registry, judge, lambda _: known, clock)
        return replace(made, **changes)

    return of


def found(store, decision_id):
    return show_decision(store, decision_id).decision


def shape(decision):
    verdict = decision.verdict
    word = None if verdict is None else (verdict.outcome, verdict.classification)
    return decision.state, word, decision.lesson


def lines(store, action):
    with reading(store) as conn:
        query = "SELECT object_id FROM audit_log WHERE tool_call = ? ORDER BY id"
        return list(conn.exec_driver_sql(query, (action,)).scalars())


def jobs(store):
    with reading(store) as conn:
        query = "SELECT key, state FROM jobs WHERE kind = 'reflect_entries' ORDER BY id"
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def leased(store, clock, role_id=ROLE):
    with writing(store) as conn:
        begin(conn, role_of(role_id), clock())
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, REFLECT_ENTRIES.name, 9, clock())]
        return lease(conn, ids, "worker", clock, REFLECT_ENTRIES)


def test_an_error_is_classified_and_leaves_a_lesson(store, clock, record, reflector):
    one = record()
    judge = saying("logic_error")
    tally = reflect_role(reflector(judge), ROLE)

    decision = found(store, one)
    assert shape(decision) == ("reflected", ("wrong", "logic_error"), f"learn from {one}")
    assert (decision.classified_at, decision.reflected_at) == (clock(), clock())
    assert (decision.verdict.by, decision.lesson_by) == ("scripted", "scripted")
    assert decision.verdict.measured["change"] == "-0.05"
    assert tally.reflected == {"logic_error": 1}
    assert lines(store, "role.classify") == lines(store, "role.reflect") == [one]
    assert [lesson.text for lesson in recent_lessons(store, REGISTRY, ROLE)] == [decision.lesson]


@pytest.mark.parametrize("word", ["exogenous", "variance"])
def test_news_and_luck_leave_their_story_and_no_lesson(store, record, reflector, word):
    one = record()
    judge = saying(word)
    reflect_role(reflector(judge), ROLE)

    decision = found(store, one)
    assert shape(decision) == ("reflected", ("wrong", word), None)
    assert decision.verdict.narrative == f"because of {word}"
    assert judge.drafted == []
    assert recent_lessons(store, REGISTRY, ROLE) == []


@pytest.mark.parametrize(
    ("move", "direction", "outcome", "word"),
    [
        (0.05, "long", "right", None),
        (-0.05, "short", "right", None),
        (0.005, "long", "noise", "variance"),
        (0.005, "neutral", "right", None),
    ],
)
def test_what_was_right_or_too_small_is_never_asked_about(
    store, record, reflector, market, move, direction, outcome, word
):
    one = record(direction)
    judge = saying("logic_error")
    reflect_role(reflector(judge, market(move)), ROLE)

    decision = found(store, one)
    assert shape(decision) == ("reflected", (outcome, word), None)
    assert decision.verdict.by == "probe"
    assert judge.classified == judge.drafted == []


def test_nothing_is_judged_before_its_time(store, clock, record, reflector):
    record(decided_at=clock() - timedelta(hours=24) + timedelta(seconds=1))
    judge = saying("logic_error")

    assert reflect_role(reflector(judge), ROLE).settled == 0
    clock.advance(seconds=1)
    assert reflect_role(reflector(judge), ROLE).parked == {"no price": 1}


def test_without_a_price_it_is_parked_and_picked_up_when_one_comes(
    store, clock, record, reflector, market
):
    one = record()
    judge = saying("logic_error")
    reflect_role(reflector(judge, market(hours=0)), ROLE)
    decision = found(store, one)
    assert (decision.state, decision.reason) == ("parked", "no price")
    assert "no price of SOLUSDT" in decision.why

    clock.advance(minutes=1)
    assert reflect_role(reflector(judge), ROLE).settled == 0  # nobody said that one came
    with writing(store) as conn:
        assert on_prices(conn, REGISTRY, ["SOL-USD", "BTC"], clock()) == []
    assert reflect_role(reflector(judge), ROLE).reflected == {"logic_error": 1}
    assert lines(store, "role.park") == [one]


def test_what_is_parked_is_looked_at_again_by_itself(store, clock, record, reflector, market):
    one = record()
    judge = saying("logic_error")
    reflect_role(reflector(judge, market(hours=0)), ROLE)
    since = found(store, one).state_at
    clock.advance(hours=RETRY_AFTER / HOUR)
    assert reflect_role(reflector(judge, market(hours=0)), ROLE).parked == {"no price": 1}
    assert found(store, one).state_at == since
    assert lines(store, "role.park") == [one]  # the same again is no news
    clock.advance(hours=RETRY_AFTER / HOUR)

    assert reflect_role(reflector(judge), ROLE).reflected == {"logic_error": 1}


def test_prices_begin_the_roles_that_want_it_and_wait_for_them(store, clock, record):
    swift = role_of("desk.swift", triggers=("on_price_fetch",))
    registry = RoleRegistry([skill_of(role_of(), swift)])
    record(registry=registry)
    record(registry=registry, role_id="desk.swift")
    with writing(store) as conn:
        assert on_prices(conn, registry, ["ETHUSDT"], clock()) == []
        assert on_prices(conn, registry, ["SOLUSDT"], clock()) == ["desk.swift"]

    assert jobs(store) == [("desk.swift", "ready")]


@pytest.mark.parametrize("parks", [True, False])
def test_what_waited_too_long_is_skipped_for_good(store, clock, record, reflector, market, parks):
    one = record()
    judge = saying("logic_error")
    if parks:
        reflect_role(reflector(judge, market(hours=0)), ROLE)
    clock.advance(hours=720, seconds=1)

    assert reflect_role(reflector(judge), ROLE).skipped == 1
    decision = found(store, one)
    assert shape(decision) == ("skipped", None, None)
    assert decision.reason == ("too old, no price" if parks else "too old")
    assert reflect_role(reflector(judge), ROLE).skipped == 0


def test_what_a_person_marked_is_never_too_old(store, clock, record, reflector):
    one = record()
    clock.advance(hours=720, seconds=1)
    mark_decision(store, REGISTRY, one, "right", "It was hedged.", clock)

    assert reflect_role(reflector(saying("logic_error")), ROLE).skipped == 0
    assert shape(found(store, one)) == ("reflected", ("right", None), None)


def test_an_old_decision_recorded_now_has_not_waited_long(store, record, reflector, clock, market):
    record(decided_at=clock() - timedelta(days=2_000))
    assert reflect_role(reflector(saying("exogenous")), ROLE).parked == {"no price": 1}


def test_a_crash_between_the_two_questions_pays_for_the_first_only_once(store, record, reflector):
    one = record()
    dying = ScriptedDecisionJudge(
        lambda _: JudgeOpinion("logic_error", "first"),
        draft=lambda _: exec("raise KeyboardInterrupt"),
    )
    with pytest.raises(KeyboardInterrupt):
        reflect_role(reflector(dying), ROLE)
    assert shape(found(store, one)) == ("pending", ("wrong", "logic_error"), None)

    judge = saying("missing_data")
    reflect_role(reflector(judge), ROLE)

    assert judge.classified == []
    assert shape(found(store, one)) == (
        "reflected",
        ("wrong", "logic_error"),
        f"learn from {one}",
    )
    assert judge.drafted[0].decision.verdict.narrative == "first"


@pytest.mark.parametrize("stage", ["classify", "draft"])
def test_a_judge_that_does_not_answer_is_asked_again_later_and_the_others_go_on(
    store, clock, record, reflector, stage
):
    bad, good = record(), record()
    is_away = True

    def answer(case, said):
        if is_away and case.decision.id == bad:
            raise UnavailableError("away")
        return said

    judge = ScriptedDecisionJudge(
        lambda case: (
            answer(case, JudgeOpinion("logic_error", "x")) if stage == "classify" else SAID
        ),
        lambda case: answer(case, "lesson") if stage == "draft" else "lesson",
    )
    tally = reflect_role(reflector(judge), ROLE)

    assert (tally.failed, tally.again_at) == (1, clock() + timedelta(minutes=1))
    decision = found(store, bad)
    assert (decision.state, decision.tries, decision.lesson) == ("pending", 1, None)
    assert found(store, good).state == "reflected"
    assert reflect_role(reflector(judge), ROLE).failed == 0
    clock.advance(minutes=1)
    is_away = False
    reflect_role(reflector(judge), ROLE)
    assert found(store, bad).lesson == "lesson"


SAID = JudgeOpinion("logic_error", "x")


def test_answers_that_cannot_be_used_park_the_decision_after_some_tries(
    store, clock, record, reflector
):
    one = record()

    def nonsense(_):
        raise UnusableAnswerError("filled in nothing")

    judge = ScriptedDecisionJudge(nonsense)
    for _ in range(3):
        reflect_role(reflector(judge), ROLE)
        clock.advance(hours=1)

    decision = found(store, one)
    assert (decision.state, decision.reason) == ("parked", "unusable answers")
    assert len(judge.classified) == 3
    clock.advance(hours=RETRY_AFTER / HOUR)
    reflect_role(reflector(saying("exogenous")), ROLE)
    assert found(store, one).state == "reflected"


def test_a_refusal_parks_until_a_person_asks_again(store, clock, record, reflector):
    one = record()

    def declines(_):
        raise DeclinedError("model", "bio")

    reflect_role(reflector(ScriptedDecisionJudge(declines)), ROLE)
    clock.advance(hours=24)
    judge = saying("exogenous")
    assert reflect_role(reflector(judge), ROLE).settled == 0
    assert (found(store, one).reason, found(store, one).retry_at) == ("not answered", None)

    reflect_role(reflector(judge), ROLE, parked=True)
    assert found(store, one).state == "reflected"


def test_a_spent_budget_stops_the_pass_and_costs_nobody_a_try(store, record, reflector):
    ids = [record() for _ in range(8)]

    def spent(_):
        raise BudgetExceededError("learning is spent", None)

    judge = ScriptedDecisionJudge(spent)
    with pytest.raises(BudgetExceededError):
        reflect_role(reflector(judge), ROLE)

    assert {(one.state, one.tries) for one in list_decisions(store, ROLE)} == {("pending", 0)}
    assert len(judge.classified) < len(ids)


def test_a_judge_that_asks_takes_some_a_pass_the_oldest_first(
    store, clock, record, reflector, decided_at
):
    late, early = record(decided_at=decided_at + timedelta(minutes=1)), record()
    for _ in range(MAX_ASKED):
        record(decided_at=decided_at + timedelta(minutes=2))
    judge = saying("exogenous", at_once=1)
    done = run_pass(reflector(judge), role_of())

    assert (done.is_full, len(judge.classified)) == (True, MAX_ASKED)
    assert [case.decision.id for case in judge.classified][:2] == [early, late]
    assert reflect_role(reflector(judge), ROLE).settled == 2


def test_questions_are_asked_side_by_side(record, reflector):
    for _ in range(4):
        record()
    meeting = threading.Barrier(4, timeout=10)

    def meets(_):
        meeting.wait()
        return JudgeOpinion("exogenous", "together")

    assert reflect_role(reflector(ScriptedDecisionJudge(meets, at_once=4)), ROLE).settled == 4


def test_of_two_passes_at_once_one_decides(store, record, reflector):
    one = record()
    inner = saying("exogenous")

    def meanwhile(_):
        reflect_role(reflector(inner), ROLE)
        return JudgeOpinion("logic_error", "late")

    late = ScriptedDecisionJudge(meanwhile)
    reflect_role(reflector(late), ROLE)

    assert shape(found(store, one)) == ("reflected", ("wrong", "exogenous"), None)
    assert late.drafted == []
    assert lines(store, "role.reflect") == [one]


def test_a_verdict_that_is_kept_meanwhile_stands(store, record, reflector):
    one = record()

    def away(_):
        raise UnavailableError("away")

    def meanwhile(_):
        first = ScriptedDecisionJudge(lambda _: JudgeOpinion("missing_data", "first"), draft=away)
        reflect_role(reflector(first), ROLE)
        return JudgeOpinion("exogenous", "late")

    reflect_role(reflector(ScriptedDecisionJudge(meanwhile)), ROLE)

    assert shape(found(store, one)) == ("pending", ("wrong", "missing_data"), None)
    assert lines(store, "role.classify") == [one]


def test_what_ends_while_its_outcome_is_sought_is_not_parked(store, clock, record, reflector):
    registry = RoleRegistry(
        [skill_of(role_of(probe=Custom("slow", 24)))], Probes({"slow": Whales(lambda: end())})
    )
    one = record(registry=registry)

    def end():
        uid = found(store, one).uid
        record(registry=registry, decision="Sell SOL", supersedes=uid, decided_at=clock())
        return unknown("no_answer", "too slow")

    reflect_role(reflector(saying("exogenous"), registry=registry), ROLE)

    assert (found(store, one).state, found(store, one).reason) == ("skipped", "superseded")


def test_what_is_tried_again_takes_its_place_by_age(store, clock, record, reflector, decided_at):
    def away(_):
        raise UnavailableError("away")

    old = record()
    reflect_role(reflector(ScriptedDecisionJudge(away)), ROLE)
    young = record(decided_at=decided_at + timedelta(minutes=1))
    clock.advance(minutes=1)
    judge = saying("exogenous", at_once=1)
    reflect_role(reflector(judge), ROLE)

    assert [case.decision.id for case in judge.classified] == [old, young]


def test_a_pass_whose_job_runs_elsewhere_writes_nothing(store, clock, record, reflector):
    one = record()
    leases = leased(store, clock)

    def meanwhile(_):
        with writing(store) as conn:  # it hung too long, and was given to another
            conn.exec_driver_sql("UPDATE jobs SET epoch = epoch + 1")
        return JudgeOpinion("logic_error", "late")

    judge = ScriptedDecisionJudge(meanwhile)
    with pytest.raises(LeaseLostError):
        reflect_entries(reflector(judge, leases=leases), leases)

    assert shape(found(store, one)) == ("pending", None, None)


def test_the_job_ends_with_a_pass_and_goes_on_where_it_was_full(store, clock, record, reflector):
    for _ in range(MAX_ASKED + 1):
        record()
    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), leases=leases), leases)
    assert jobs(store) == [(ROLE, "later")]

    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), leases=leases), leases)
    assert jobs(store) == []
    assert {one.state for one in list_decisions(store, ROLE)} == {"reflected"}


def test_after_a_failed_question_the_job_comes_back_by_itself(store, clock, record, reflector):
    record()

    def away(_):
        raise UnavailableError("away")

    leases = leased(store, clock)
    reflect_entries(reflector(ScriptedDecisionJudge(away), leases=leases), leases)

    assert jobs(store) == [(ROLE, "later")]


def test_what_waits_while_its_task_is_off_is_looked_at_again_without_anybody(
    store, clock, record, reflector
):
    one, off = record(), effects_of(classify=Mode.OFF)
    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), leases=leases, effects=off), leases)
    assert jobs(store) == [(ROLE, "later")]

    clock.advance(hours=6)
    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), leases=leases), leases)
    assert shape(found(store, one)) == ("reflected", ("wrong", "exogenous"), None)
    assert jobs(store) == []


def test_a_role_that_is_declared_no_more_is_left_alone(store, clock, record, reflector):
    one = record()
    leases = leased(store, clock)
    without = RoleRegistry([skill_of(role_of("desk.others"))])
    reflect_entries(reflector(saying("exogenous"), registry=without, leases=leases), leases)

    assert jobs(store) == []
    assert shape(found(store, one)) == ("pending", None, None)


EFFECTS = {
    "off": effects_of(classify=Mode.OFF),
    "shadow": effects_of(classify=Mode.SHADOW),
    "no lessons": effects_of(draft=Mode.OFF),
    "lessons in the shadow": effects_of(draft=Mode.SHADOW),
}


@pytest.mark.parametrize("at_once", [0, 2])
@pytest.mark.parametrize(
    ("modes", "state", "asked", "drafted", "shadows"),
    [
        ("off", "pending", 0, 0, 0),
        ("shadow", "pending", 1, 1, 2),
        ("no lessons", "parked", 1, 0, 0),
        ("lessons in the shadow", "parked", 1, 1, 1),
    ],
)
def test_a_switch_stops_a_task_or_lets_it_only_write_down_what_it_would_say(
    store, clock, record, reflector, at_once, modes, state, asked, drafted, shadows
):
    one = record()
    judge = saying("logic_error", at_once)
    for _ in range(2):
        reflect_role(reflector(judge, effects=EFFECTS[modes]), ROLE, parked=True)

    shown = show_decision(store, one)
    assert (shown.decision.state, len(shown.shadows)) == (state, shadows)
    assert (len(judge.classified), len(judge.drafted)) == (asked, drafted)
    assert shown.decision.lesson is None
    reflect_role(reflector(judge), ROLE, parked=True)
    assert found(store, one).lesson == f"learn from {one}"
    assert len(judge.classified) == (asked + 1 if state == "pending" else 1)


def test_in_the_shadow_nothing_is_ended_parked_or_skipped(store, clock, record, reflector, market):
    right, lost = record("short"), record(asset="NOWHERE")
    clock.advance(days=365)
    shadowed = reflect_role(reflector(saying("exogenous"), effects=EFFECTS["shadow"]), ROLE)

    assert shadowed.shadowed == 2
    assert {found(store, one).state for one in (right, lost)} == {"pending"}
    assert show_decision(store, right).shadows[0].said.startswith("right: ")
    assert show_decision(store, lost).shadows[0].said.startswith("unknown: ")


@pytest.mark.parametrize("error", [UnusableAnswerError("nonsense"), DeclinedError("m", None)])
def test_an_answer_that_is_none_is_written_down_in_the_shadow(store, record, reflector, error):
    one = record()

    def fails(_):
        raise error

    judge = ScriptedDecisionJudge(fails)
    for _ in range(2):
        reflect_role(reflector(judge, effects=EFFECTS["shadow"]), ROLE)

    shown = show_decision(store, one)
    assert (shown.decision.state, shown.decision.tries) == ("pending", 0)
    assert shown.shadows[0].said.startswith("no answer: ")
    assert len(judge.classified) == 1


def test_where_nobody_answers_in_the_shadow_the_pass_ends(store, record, reflector):
    one = record()

    def away(_):
        raise UnavailableError("away")

    with pytest.raises(UnavailableError):
        reflect_role(reflector(ScriptedDecisionJudge(away), effects=EFFECTS["shadow"]), ROLE)
    assert (found(store, one).tries, show_decision(store, one).shadows) == (0, ())


def test_a_manual_role_waits_for_a_mark(store, clock, ids, reflector):
    registry = RoleRegistry([skill_of(role_of(probe=Manual(), min_age_hours=0))])
    one = record_decision(store, registry, NewDecision(ROLE, "Wait and see"), clock, ids).id
    judge = saying("missing_data")
    of = reflector(judge, registry=registry)
    reflect_role(of, ROLE)
    assert (found(store, one).state, found(store, one).reason) == ("parked", "no mark")
    clock.advance(days=2)
    assert reflect_role(of, ROLE).settled == 0

    mark_decision(store, registry, one, "wrong", "It was the wrong week.", clock)
    assert jobs(store) == [(ROLE, "ready")]
    reflect_role(of, ROLE)
    decision = found(store, one)
    assert shape(decision) == ("reflected", ("wrong", "missing_data"), f"learn from {one}")
    assert decision.verdict.measured["why"] == "It was the wrong week."


@pytest.mark.parametrize("mark", ["right", "noise"])
def test_a_mark_is_stronger_than_the_price(store, clock, record, reflector, mark):
    one = record()
    mark_decision(store, REGISTRY, one, mark, "It was hedged.", clock)
    judge = saying("logic_error")
    reflect_role(reflector(judge), ROLE)

    assert found(store, one).verdict.outcome == mark
    assert found(store, one).verdict.by == "mark"
    assert judge.classified == []


class Whales:
    def __init__(self, answer):
        self.answer = answer

    def outcome(self, *_asked):
        return self.answer()


def test_a_registered_probe_decides_and_one_that_fails_parks(store, clock, record, reflector):
    answers = [
        lambda: 1 / 0,
        lambda: Outcome("maybe", "who knows"),
        lambda: None,
        lambda: unknown("no_idea", "quiet\0"),
        lambda: marked("right", "\u200b"),
    ]
    whales = Whales(lambda: answers.pop(0)())
    role = role_of(probe=Custom("whales", 24))
    registry = RoleRegistry([skill_of(role)], Probes({"whales": whales}))
    one = record(registry=registry)
    of = reflector(saying("exogenous"), registry=registry)
    reflect_role(of, ROLE)
    assert (found(store, one).reason, found(store, one).why) == (
        "no answer",
        "its probe failed (ZeroDivisionError)",
    )
    for why in ("(InvalidInputError)", "(AttributeError)", "quiet"):
        reflect_role(of, ROLE, parked=True)
        assert found(store, one).why.endswith(why)
    reflect_role(of, ROLE, parked=True)
    assert shape(found(store, one)) == ("reflected", ("right", None), None)
    assert found(store, one).verdict.narrative == "its probe says right"


def test_a_registered_probe_is_asked_about_some_decisions_a_pass(store, clock, record, reflector):
    asked = []
    whales = Whales(lambda: asked.append(1) or marked("right", "they held"))
    registry = RoleRegistry(
        [skill_of(role_of(probe=Custom("whales", 24)))], Probes({"whales": whales})
    )
    for _ in range(MAX_ASKED + 5):
        record(registry=registry)
    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), registry=registry, leases=leases), leases)

    assert len(asked) == MAX_ASKED
    assert jobs(store) == [(ROLE, "later")]


def test_a_failed_question_puts_nothing_off_that_was_ended_meanwhile(
    store, clock, record, reflector
):
    one = record()

    def late(_):
        mark_decision(store, REGISTRY, one, "right", "It was hedged.", clock)
        raise UnavailableError("away")

    first = run_pass(reflector(ScriptedDecisionJudge(late, at_once=1)), REGISTRY.role(ROLE))

    assert (first.tally.failed, first.tally.again_at) == (0, None)


def test_what_was_known_stands_apart_from_what_came_later(store, clock, record, reflector):
    def news(params, _prices, known_by):
        items = [(clock() - 101 * HOUR, "calm"), (clock() - 90 * HOUR, "hacked")]
        return [
            Evidence("news", at, f"{params['symbol']} {word}")
            for at, word in items
            if at <= known_by
        ]

    role = role_of()
    policy = replace(role.reflection_policy, post_hoc_probes=(RefetchSource("news"),))
    registry = RoleRegistry(
        [skill_of(replace(role, reflection_policy=policy))], post_hoc=PostHoc({"news": news})
    )
    record(registry=registry)
    judge = saying("exogenous")
    reflect_role(reflector(judge, registry=registry), ROLE)

    (case,) = judge.classified
    assert [one.text for one in case.known] == ["SOL calm"]
    assert [one.text for one in case.later] == ["SOL hacked"]


def test_a_source_that_tells_the_future_is_not_believed(store, clock, record, reflector):
    def prophet(_params, _prices, known_by):
        return [Evidence("prophet", known_by + HOUR, "I knew it")]

    role = role_of()
    policy = replace(role.reflection_policy, post_hoc_probes=(RefetchSource("prophet"),))
    registry = RoleRegistry(
        [skill_of(replace(role, reflection_policy=policy))], post_hoc=PostHoc({"prophet": prophet})
    )
    one = record(registry=registry)
    judge = saying("exogenous")
    reflect_role(reflector(judge, registry=registry), ROLE)

    assert judge.classified == []
    assert (found(store, one).state, found(store, one).tries) == ("pending", 1)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None
)
@given(later=st.lists(st.floats(-0.2, 0.2), max_size=60), hours=st.integers(-20, 20))
def test_no_later_row_changes_what_a_judge_sees_beside_the_outcome(
    store, clock, ids, decided_at, market, later, hours
):
    """Truncation: whatever is learned or traded after the decision was due reads the same."""
    closes = jagged(QUIET, [-0.05, *[0.0] * 23])
    start = decided_at - QUIET * HOUR
    seen = []
    for more in ([], later):
        with writing(store) as conn:
            conn.exec_driver_sql("DELETE FROM role_memory")
        planted = NewDecision(
            ROLE,
            "Planted",
            asset="SOL",
            direction="long",
            decided_at=decided_at + hours * HOUR,
            context={"planted": "later"},
        )
        new = replace(planted, decision="Buy SOL", decided_at=decided_at, context={"a": 1})
        one = record_decision(store, REGISTRY, new, clock, ids).id
        if more:
            record_decision(store, REGISTRY, planted, clock, ids)
        prices = book("SOLUSDT", start, [*closes, *(closes[-1] * (1 + move) for move in more)])
        judge = saying("logic_error", at_once=1)
        made = Reflector(store, REGISTRY, judge, lambda _, prices=prices: prices, clock)
        reflect_role(made, ROLE)
        (case,) = (case for case in judge.classified if case.decision.id == one)
        seen.append((case.measured, case.context, case.lessons, case.known, case.later))

    assert seen[0] == seen[1]


def test_only_lessons_learned_before_the_decision_are_shown_with_it(
    store, clock, record, reflector, decided_at, market
):
    old = record(decided_at=decided_at)
    reflect_role(reflector(saying("logic_error")), ROLE)  # learned now, after every decision
    second = record()
    judge = saying("logic_error", at_once=1)
    reflect_role(reflector(judge), ROLE)
    assert [case.lessons for case in judge.classified] == [()]

    clock.advance(hours=100)
    third = record(decided_at=clock() - 30 * HOUR)
    prices = book("SOLUSDT", clock() - 230 * HOUR, jagged(200, [-0.05, *[0.0] * 29]))
    reflect_role(reflector(judge, prices), ROLE)
    case = judge.classified[-1]
    assert (case.decision.id, {lesson.id for lesson in case.lessons}) == (third, {old, second})


def test_the_free_judge_says_what_the_numbers_say(store, record, reflector, market):
    judge = HeuristicJudge()
    wrong, blind = record(), record(inputs={}, context={})
    reflect_role(reflector(judge), ROLE)
    decision = found(store, wrong)
    assert decision.verdict.classification == "logic_error"
    assert "a filled template, no model" in decision.lesson
    assert "stood against the trend" in decision.lesson or "chased" in decision.lesson
    assert found(store, blind).verdict.classification == "missing_data"

    shock = record()
    reflect_role(reflector(judge, market(-0.3)), ROLE)
    assert shape(found(store, shock)) == ("reflected", ("wrong", "exogenous"), None)


def test_a_lesson_names_the_failure_that_fits_the_move_before(store, record, reflector, decided_at):
    climb = [*jagged(QUIET - 24, []), *jagged(0, [])]
    closes = jagged(QUIET - 24, [0.003] * 24 + [-0.05] + [0.0] * 30)
    assert len(climb) + 24 == QUIET
    prices = book("SOLUSDT", decided_at - QUIET * HOUR, closes)
    followed = record()
    reflect_role(reflector(HeuristicJudge(), prices), ROLE)
    assert "“chased”" in found(store, followed).lesson
    assert "it followed a move of +" in found(store, followed).lesson

    falls = jagged(QUIET - 24, [-0.003] * 24 + [-0.05] + [0.0] * 30)
    against = record()
    prices = book("SOLUSDT", decided_at - QUIET * HOUR, falls)
    reflect_role(reflector(HeuristicJudge(), prices), ROLE)
    assert "“stood against the trend”" in found(store, against).lesson


def test_where_no_failure_of_the_role_fits_all_are_named(store, record, reflector):
    one = record()
    reflect_role(reflector(HeuristicJudge()), ROLE)

    assert "check for “stood against the trend” or “chased”" in found(store, one).lesson


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


CLOSES = jagged(QUIET, [-0.05, *[0.0] * 98])


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


def test_an_interrupt_asks_nothing_more(store, record, reflector):
    for _ in range(8):
        record()
    main, heard = threading.main_thread().ident, threading.Event()
    assert main is not None

    def interrupt(*_):
        heard.set()
        raise KeyboardInterrupt

    def interrupts(_):
        signal.pthread_kill(main, signal.SIGINT)
        heard.wait(20)
        threading.Event().wait(0.5)  # what hears of it stops the rest meanwhile
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
    for _ in range(2 * MAX_ASKED):
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
    assert len(list_decisions(store, ROLE, "pending")) == 2 * MAX_ASKED
