"""Without a model a reflection states what was measured, and advises nothing."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.case import Case, FailedSource
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import MAX_LESSON
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import PeerRelative, RefetchSource, RoleRegistry
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, skill_of
from tests.unit.reflection.passes import beyond_the_market, measured_outcome, standing

MODES = ("chased a move that was over", "volume did not confirm the move")
ROLE = replace(role_of(), failure_modes=MODES)
RISE, QUIET = ([share] * 24 for share in (0.003, 0.0))
FAILING = standing(failing="confirmed", is_told=True)
NEWS = Evidence("news", datetime(2025, 12, 31, 9, tzinfo=UTC), "SOL was hacked")


@pytest.fixture
def reflected(store, clock, ids):
    """Return a decision about SOL once it is judged, by the moves of the day before and the next.

    Args:
        standing: the record of its setup when it was made.
        news: what a source of news had by then.
    """

    def of(before, after, role=ROLE, mark=None, standing=None, news=(), **changes):
        post_hoc = PostHoc({"news": lambda *_: news})
        if news:
            policy = replace(role.reflection_policy, post_hoc_probes=(RefetchSource("news"),))
            role = replace(role, reflection_policy=policy)
        registry = RoleRegistry([skill_of(role)], post_hoc=post_hoc)
        decided_at = clock() - 30 * HOUR
        moves = [*before, after, *[0.0] * 29]
        for market, closes in {"SOLUSDT": jagged(176, moves), "ETHUSDT": [100.0] * 230}.items():
            prices = book(market, decided_at - 200 * HOUR, closes)
            (series,) = prices.series(market)
            found = prices.bars(series, decided_at - 200 * HOUR, clock(), clock())
            keep_bars(store, series, found, clock)
        new = NewDecision(
            role.id,
            "Buy SOL",
            {"rsi": 71},
            asset="SOL",
            direction="long",
            decided_at=decided_at,
            context={"prompt": "what now"},
        )
        made = record_decision(store, registry, replace(new, **changes), clock, ids)
        if mark:
            mark_decision(store, registry, made.id, "wrong", mark, clock)
        reflector = Reflector(store, registry, HeuristicJudge(), StoredPrices, clock)
        if standing is not None:
            reflector = replace(reflector, standings=lambda *_: {made.id: standing})
        reflect_role(reflector, role.id)
        return show_decision(store, made.id).decision

    return of


@pytest.fixture
def story(reflected):
    """Return the narrative of a case of a wrong long after a rise."""
    decision = reflected(RISE, -0.05)

    def of(**changes):
        case = Case(decision, ROLE, decision.verdict.measured)
        return HeuristicJudge().classify(replace(case, **changes), "main").narrative

    return of


@pytest.mark.parametrize("direction", ["long", "short", "neutral"])
@pytest.mark.parametrize("before", [RISE, QUIET])
def test_a_wrong_decision_alone_teaches_nothing(reflected, direction, before):
    decision = reflected(before, 0.05 if direction == "short" else -0.05, direction=direction)

    assert (decision.verdict.outcome, decision.lesson) == ("wrong", None)
    assert decision.verdict.classification == decision.verdict.rule_class == "variance"


def test_neither_a_missing_reason_nor_a_large_move_is_an_error_by_itself(reflected):
    assert reflected(RISE, -0.05, inputs={}, context={}).lesson is None
    assert reflected(RISE, -0.3).lesson is None


@pytest.mark.parametrize("state", ["single", "emerging", "retired"])
def test_what_the_record_does_not_confirm_teaches_nothing(reflected, state):
    decision = reflected(RISE, -0.05, standing=standing(failing=state, is_told=True))

    assert (decision.verdict.classification, decision.lesson) == ("variance", None)


def test_a_setup_known_to_fail_is_taught_with_its_numbers(reflected):
    decision = reflected(RISE, -0.05, standing=FAILING)

    assert decision.verdict.rule_class == decision.verdict.classification == "logic_error"
    assert decision.lesson == (
        "Before another long after a rise know its record in this role: right 7 of 31, 15.2 without"
        " skill, more often wrong than chance explains. One case: long SOL of 2026-01-03 met a fall"
        " of 5.00 % in 24 h, noise band 1.27 % (a filled template, no model)."
    )


def test_a_source_that_was_there_is_named_and_not_quoted(reflected):
    decision = reflected(RISE, -0.05, news=(NEWS,))

    assert decision.verdict.rule_class == decision.verdict.classification == "missing_data"
    assert decision.lesson.startswith(
        "Before another long SOL read news, which had something by 2025-12-31 09:00 UTC that this"
    )
    assert "news had 1 item by then that it did not rest on" in decision.verdict.narrative
    assert "hacked" not in decision.lesson + decision.verdict.narrative


def test_a_lesson_is_two_sentences_at_most_and_says_that_it_is_one_case(reflected):
    said = reflected(RISE, -0.05, standing=FAILING).lesson

    assert len(re.findall(r"[.!?](?= |$)", said)) == 2
    assert "One case:" in said
    assert said.endswith("(a filled template, no model).")
    assert len(said) <= MAX_LESSON


def test_no_failure_of_the_role_is_named_that_was_not_measured(reflected):
    for one in (reflected(RISE, -0.05), reflected(RISE, -0.05, standing=FAILING)):
        told = f"{one.verdict.narrative} {one.lesson}"
        assert not any(mode in told for mode in MODES)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "long: -5.00 % in 24 h, band 1.27 %; +7.45 % in the 24 h before"),
        (
            {"outcome": beyond_the_market(-41_000_000)},
            "; -4.10 % without the move of BTCUSDT, beyond the band",
        ),
        (
            {"outcome": beyond_the_market(4_000_000)},
            "; +0.40 % without the move of BTCUSDT, inside the band",
        ),
        (
            {
                "outcome": measured_outcome(
                    volatility="high", plan="stop_first", plan_at=2, plan_ppb=-21_300_000
                )
            },
            "; high volatility for its year; its stop came before its target (-2.13 %)",
        ),
        (
            {"standing": standing()},
            "; long after a rise in this role had been right 7 of 31, 15.2 without skill:"
            " not told apart from luck",
        ),
        ({"standing": standing(failing="emerging")}, ": a hint, no more"),
        ({"standing": standing(works="confirmed")}, ": confirmed as working"),
        ({"standing": standing(failing="confirmed")}, ": confirmed as failing for other assets"),
        ({"standing": FAILING}, ": confirmed as failing"),
        ({"standing": standing(n=0, n_eff=0)}, "; long after a rise in this role had no record"),
        ({"failed": (FailedSource("news", "TimeoutError: away"),)}, "; news could not be asked"),
    ],
)
def test_the_story_states_what_was_measured(story, changes, told):
    assert told in story(**changes)


def test_beside_peers_the_move_is_told_as_one_beside_them(reflected):
    role = replace(role_of(probe=PeerRelative(24, peers=("ETH",))), failure_modes=MODES)

    said = reflected(QUIET, -0.05, role, standing=FAILING).lesson

    assert "met a fall of 5.00 % beside its peers in 24 h" in said


def test_what_a_person_marked_is_told_in_their_words(reflected):
    decision = reflected(RISE, 0.0, mark="The hedge was forgotten", news=(NEWS,))

    assert decision.verdict.narrative.startswith("The hedge was forgotten")
    assert "went wrong (The hedge was forgotten)" in decision.lesson


def test_a_lesson_stays_one_bounded_line_whatever_it_is_filled_with(reflected):
    said = reflected(RISE, 0.0, mark="It fell. " * 50, news=(NEWS,)).lesson

    assert len(said) <= MAX_LESSON
    assert "\n" not in said
    assert said.endswith("… (a filled template, no model).")
