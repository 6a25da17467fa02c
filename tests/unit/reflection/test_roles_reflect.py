"""Each decision is judged once, by what was known when it was made; only errors leave a lesson."""

import threading
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.measure import PARKED_RETRY_AFTER
from afterword.pipeline.domain.reflection.reflect import reflect_role, run_pass
from afterword.pipeline.domain.reflection.steps import MAX_JUDGED
from afterword.pipeline.domain.skills import Custom, RoleRegistry
from afterword.pipeline.errors import (
    BudgetExceededError,
    UnavailableError,
)
from afterword.pipeline.gateway.llm import DeclinedError, UnusableAnswerError
from afterword.pipeline.recall.lessons.fragment import recent_lessons
from afterword.pipeline.rules.market.outcome import unknown
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    role_of,
    saying,
    skill_of,
)
from tests.unit.reflection.passes import (
    REGISTRY,
    ROLE,
    SAID,
    Whales,
    found,
    jobs,
    lines,
    shape,
)


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
    (lesson,) = recent_lessons(store, REGISTRY, ROLE, choice="all")
    assert lesson.text == decision.lesson


@pytest.mark.parametrize("word", ["exogenous", "variance"])
def test_news_and_luck_leave_their_story_and_no_lesson(store, record, reflector, word):
    one = record()
    judge = saying(word)
    reflect_role(reflector(judge), ROLE)

    decision = found(store, one)
    assert shape(decision) == ("reflected", ("wrong", word), None)
    assert decision.verdict.narrative == f"because of {word}"
    assert judge.drafted == []
    assert recent_lessons(store, REGISTRY, ROLE, choice="all") == []


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
    one = record(decided_at=clock() - timedelta(hours=24) + timedelta(seconds=1))
    judge = saying("logic_error")

    assert reflect_role(reflector(judge), ROLE).settled == 0
    clock.advance(seconds=1)
    assert reflect_role(reflector(judge), ROLE) == Tally()
    decision = found(store, one)  # its window ends a day after its entry, the next close
    assert (decision.state, decision.tries) == ("pending", 0)
    assert decision.retry_at == decision.decided_at + timedelta(hours=25) - timedelta(seconds=1)


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
    clock.advance(hours=PARKED_RETRY_AFTER / HOUR)
    assert reflect_role(reflector(judge, market(hours=0)), ROLE).parked == {"no price": 1}
    assert found(store, one).state_at == since
    assert lines(store, "role.park") == [one]  # the same again is no news
    clock.advance(hours=PARKED_RETRY_AFTER / HOUR)

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

    assert sum(reflect_role(reflector(judge), ROLE).skipped.values()) == 1
    decision = found(store, one)
    assert shape(decision) == ("skipped", None, None)
    assert decision.reason == ("too old, no price" if parks else "too old")
    assert reflect_role(reflector(judge), ROLE).skipped == {}


def test_what_a_person_marked_is_never_too_old(store, clock, record, reflector):
    one = record()
    clock.advance(hours=720, seconds=1)
    mark_decision(store, REGISTRY, one, "right", "It was hedged.", clock)

    assert reflect_role(reflector(saying("logic_error")), ROLE).skipped == {}
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
    clock.advance(hours=PARKED_RETRY_AFTER / HOUR)
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
    late, early = record(), record(decided_at=decided_at - timedelta(minutes=1))
    for _ in range(MAX_JUDGED):
        record()
    judge = saying("exogenous", at_once=1)
    done = run_pass(reflector(judge), role_of())

    assert (done.is_full, len(judge.classified)) == (True, MAX_JUDGED)
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

    old = record(decided_at=decided_at - timedelta(minutes=1))
    reflect_role(reflector(ScriptedDecisionJudge(away)), ROLE)
    young = record()
    clock.advance(minutes=1)
    judge = saying("exogenous", at_once=1)
    reflect_role(reflector(judge), ROLE)

    assert [case.decision.id for case in judge.classified] == [old, young]
