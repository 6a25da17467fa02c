"""A pass is a job that can be lost, come back, be switched off or run in the shadow."""

import pytest

from afterword.pipeline.core.jobs.lease import LeaseLostError
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role
from afterword.pipeline.domain.reflection.steps import MAX_JUDGED
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import (
    UnavailableError,
)
from afterword.pipeline.gateway.llm import DeclinedError, UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.testing.roles import (
    ScriptedDecisionJudge,
    role_of,
    saying,
    skill_of,
)
from tests.unit.reflection.passes import (
    EFFECTS,
    ROLE,
    found,
    jobs,
    leased,
    shape,
)


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
    for _ in range(MAX_JUDGED + 1):
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
