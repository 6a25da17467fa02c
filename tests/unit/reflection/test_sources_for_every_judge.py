"""Post-hoc sources are asked with every judge; one that fails or is slow stops no other case."""

from dataclasses import replace

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.judge_evidence import read_evidence
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.reflect import MAX_PROBED, reflect_role, run_pass
from afterword.pipeline.domain.reflection.steps import LONGEST_PROBING
from afterword.pipeline.domain.skills import RefetchSource, RoleRegistry
from afterword.pipeline.testing.roles import HOUR, role_of, saying, skill_of
from tests.unit.reflection.passes import ROLE, found


def asking(**tools):
    """Return a registry whose role asks these tools again."""
    role = role_of()
    probes = tuple(RefetchSource(name) for name in tools)
    policy = replace(role.reflection_policy, post_hoc_probes=probes)
    skill = skill_of(replace(role, reflection_policy=policy))
    return RoleRegistry([skill], post_hoc=PostHoc(tools))


def seen(store, decision_id):
    with reading(store) as conn:
        return read_evidence(conn, found(store, decision_id))


def news(params, _prices, known_by):
    return [Evidence("news", known_by, f"{params['symbol']} was hacked")]


def away(*_asked):
    raise TimeoutError("news.example did not answer with key sk-ant-api03-" + "a1B2" * 20)


def prophet(_params, _prices, known_by):
    return [Evidence("prophet", known_by + HOUR, "I knew it")]


def test_the_free_judge_asks_them_too(store, record, reflector):
    registry = asking(news=news)
    one = record(registry=registry)
    reflect_role(reflector(HeuristicJudge(), registry=registry), ROLE)

    assert found(store, one).verdict.rule_class == "missing_data"
    assert [item["text"] for item in seen(store, one)["known"]] == ["SOL was hacked"]


@pytest.mark.parametrize(
    ("source", "problem"),
    [(away, "TimeoutError: news.example did not answer with key [masked:"), (prophet, "LookAhead")],
)
def test_a_source_that_fails_is_kept_as_failed_and_the_case_is_judged(
    store, record, reflector, source, problem
):
    registry = asking(broken=source, news=news)
    one = record(registry=registry)
    tally = reflect_role(reflector(HeuristicJudge(), registry=registry), ROLE)

    assert tally.reflected == {"missing_data": 1}
    (failed,) = seen(store, one)["failed"]
    assert failed["source"] == "broken"
    assert problem in failed["problem"]
    assert [item["source"] for item in seen(store, one)["known"]] == ["news"]


def test_a_source_that_fails_for_one_case_leaves_the_others_theirs(store, record, reflector):
    asked = []

    def choosy(params, prices, known_by):
        asked.append(1)
        return away() if len(asked) == 1 else news(params, prices, known_by)

    registry = asking(news=choosy)
    bad, good = record(registry=registry), record(registry=registry)
    reflect_role(reflector(HeuristicJudge(), registry=registry), ROLE)

    assert [found(store, one).verdict.rule_class for one in (bad, good)] == [
        "variance",
        "missing_data",
    ]


def test_a_model_is_not_paid_for_a_case_without_its_evidence(store, record, reflector):
    registry = asking(broken=away)
    one = record(registry=registry)
    judge = saying("exogenous")
    tally = reflect_role(reflector(judge, registry=registry), ROLE)

    assert judge.classified == []
    assert (tally.failed, found(store, one).verdict) == (1, None)


def test_slow_sources_leave_cases_to_another_pass(store, clock, record, reflector):
    asked = []

    def slow(*_asked):
        asked.append(1)
        clock.advance(seconds=LONGEST_PROBING.total_seconds())
        return ()

    registry = asking(slow=slow)
    ids = [record(registry=registry) for _ in range(3)]
    of = reflector(HeuristicJudge(), registry=registry)
    first = run_pass(of, registry.role(ROLE))

    assert (first.is_full, first.tally.settled, len(asked)) == (True, 1, 2)
    assert found(store, ids[0]).verdict is not None
    assert reflect_role(of, ROLE).reflected == {"variance": 2}


def test_one_pass_asks_about_a_limited_number_of_decisions(store, record, reflector):
    asked = []
    registry = asking(news=lambda *_: asked.append(1) or ())
    for _ in range(MAX_PROBED + 1):
        record(registry=registry)
    of = reflector(HeuristicJudge(), registry=registry)
    first = run_pass(of, registry.role(ROLE))

    assert (first.is_full, len(asked)) == (True, 2 * MAX_PROBED)
    assert reflect_role(of, ROLE).reflected == {"variance": 1}
