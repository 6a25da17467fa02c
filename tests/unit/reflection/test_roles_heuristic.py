"""Lessons without a model: each names a condition, what to do then, and the numbers it rests on."""

import re
from dataclasses import replace

import pytest

from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import MAX_LESSON
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import PeerRelative, Role, RoleRegistry
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, skill_of

ROLE = replace(
    role_of(),
    failure_modes=(
        "chased a move that was over",
        "volume did not confirm the move",
        "traded against the longer trend",
    ),
)
RISE, FALL, QUIET = ([share] * 24 for share in (0.003, -0.003, 0.0))


@pytest.fixture
def lesson(store, clock, ids):
    """Return the lesson of a decision about SOL, by the moves of the day before and the next."""

    def of(before, after, role: Role = ROLE, mark=None, **changes) -> str:
        registry = RoleRegistry([skill_of(role)])
        decided_at = clock() - 30 * HOUR
        moves = [*before, after, *[0.0] * 29]
        for market, closes in {
            "SOLUSDT": jagged(176, moves),
            "ETHUSDT": [100.0] * 230,
        }.items():
            prices = book(market, decided_at - 200 * HOUR, closes)
            (series,) = prices.series(market)
            keep_bars(
                store, series, prices.bars(series, decided_at - 200 * HOUR, clock(), clock()), clock
            )
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
        reflect_role(Reflector(store, registry, HeuristicJudge(), StoredPrices, clock), role.id)
        return str(show_decision(store, made.id).decision.lesson)

    return of


@pytest.mark.parametrize(
    ("direction", "before", "after", "asks"),
    [
        (
            "long",
            RISE,
            -0.05,
            "long SOL after a rise: check for “chased a move that was over”, and wait unless",
        ),
        (
            "short",
            RISE,
            0.05,
            "short SOL against a rise: check for “traded against the longer trend”, and wait for a",
        ),
        (
            "long",
            QUIET,
            -0.05,
            "long SOL without a move before it: check for “volume did not confirm the move”, and",
        ),
        ("neutral", FALL, -0.05, "neutral SOL after a fall: wait until that move has ended."),
        (
            "neutral",
            QUIET,
            0.05,
            "neutral SOL in a quiet market: find out what is due in the next 24 h, for a quiet",
        ),
    ],
)
def test_a_lesson_asks_what_fits_the_move_that_was_known(lesson, direction, before, after, asks):
    said = lesson(before, after, direction=direction)

    assert said.startswith(f"Before another {asks}")
    way = "rise" if after > 0 else "fall"
    assert f"This one, of 2026-01-03, met a {way} of 5.00 % in 24 h, beyond its noise band" in said


def test_a_lesson_is_two_sentences_at_most_and_says_that_it_is_a_template(lesson):
    said = lesson(RISE, -0.05)

    assert len(re.findall(r"[.!?](?= |$)", said)) == 2
    assert said.endswith("(a filled template, no model).")
    assert len(said) <= MAX_LESSON


def test_a_decision_on_nothing_is_told_what_to_look_up(lesson):
    said = lesson(RISE, -0.05, inputs={}, context={})

    assert said.startswith("Before another long SOL: look up its last 24 h, and record them with")
    assert "rested on nothing that was recorded and met a fall" in said
    assert "it followed a move of +7" in said  # which was there to be seen


def test_no_failure_is_named_that_cannot_have_been(lesson):
    modes = ("stood against the trend", "the stop was too far away", "nobody asked for funding")
    role = replace(ROLE, failure_modes=modes)

    said = lesson(RISE, -0.05, role)

    assert "“the stop was too far away” or “nobody asked for funding”" in said
    assert "stood against the trend" not in said


def test_beside_peers_the_move_is_told_as_one_beside_them(lesson):
    probe = PeerRelative(24, peers=("ETH",))

    said = lesson(QUIET, -0.05, replace(role_of(probe=probe), failure_modes=ROLE.failure_modes))

    assert "met a fall of 5.00 % beside its peers in 24 h" in said


def test_what_a_person_marked_is_told_in_their_words(lesson):
    said = lesson(RISE, 0.0, mark="The hedge was forgotten")

    assert "went wrong (The hedge was forgotten)" in said
    assert "no move before it is known" in said


def test_a_lesson_stays_one_bounded_line_whatever_it_is_filled_with(lesson):
    modes = tuple(f"{'very ' * 60}late entry number {number}" for number in range(5))

    said = lesson(RISE, -0.05, replace(ROLE, failure_modes=modes))

    assert len(said) <= MAX_LESSON
    assert "\n" not in said
    assert said.endswith("… (a filled template, no model).")
