"""Marks and probes decide, and a judge sees what was known at the time and nothing later."""

import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role, run_pass
from afterword.pipeline.domain.reflection.steps import MAX_JUDGED
from afterword.pipeline.domain.skills import Custom, Manual, RefetchSource, RoleRegistry
from afterword.pipeline.errors import (
    UnavailableError,
)
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
from tests.unit.reflection.passes import (
    QUIET,
    REGISTRY,
    ROLE,
    Whales,
    found,
    jobs,
    leased,
    shape,
)


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
    assert found(store, one).reason == "no answer"
    why = r"its probe failed \(ZeroDivisionError: division by zero at passes\.py:\d+\)"
    assert re.fullmatch(why, found(store, one).why)
    for why in ("outcome: is 'maybe'", "its answer: is of type NoneType", "quiet"):
        reflect_role(of, ROLE, parked=True)
        assert why in found(store, one).why
    reflect_role(of, ROLE, parked=True)
    assert shape(found(store, one)) == ("reflected", ("right", None), None)
    assert found(store, one).verdict.narrative == "its probe says right"


def test_a_registered_probe_is_asked_about_some_decisions_a_pass(store, clock, record, reflector):
    asked = []
    whales = Whales(lambda: asked.append(1) or marked("right", "they held"))
    registry = RoleRegistry(
        [skill_of(role_of(probe=Custom("whales", 24)))], Probes({"whales": whales})
    )
    for _ in range(MAX_JUDGED + 5):
        record(registry=registry)
    leases = leased(store, clock)
    reflect_entries(reflector(saying("exogenous"), registry=registry, leases=leases), leases)

    assert len(asked) == MAX_JUDGED
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
