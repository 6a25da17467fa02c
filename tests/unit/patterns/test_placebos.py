"""Coin flips in place of a role, through the same measurement and rules: what luck is told."""

from random import Random

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.patterns.placebos import placebo_counts
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.testing.roles import HOUR, book, jagged
from tests.unit.patterns.record import REGISTRY, ROLE

DAYS = 120
SKILL = """
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.testing.roles import role_of, skill_of
DESK = skill_of(role_of())
"""


@pytest.fixture
def decided(store, clock, ids):
    """A role with a long and a neutral call of SOL every day, measured on a random walk."""
    chance = Random(1)
    moves = [chance.gauss(0, 0.01) for _ in range(24 * (DAYS + 5))]
    start = clock() - (1_600 + len(moves)) * HOUR
    prices = book("SOLUSDT", start, jagged(1_600, moves))
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, start, clock(), clock()), clock)
    first = clock() - (DAYS + 4) * 24 * HOUR
    new = [
        NewDecision(ROLE.id, "Buy", asset="SOL", direction=side, decided_at=first + n * 24 * HOUR)
        for n in range(DAYS)
        for side in ("long", "neutral")
    ]
    record_decisions(store, REGISTRY, new, clock, ids)
    clock.advance(hours=1)
    reflector = Reflector(store, REGISTRY, HeuristicJudge(), StoredPrices, clock)
    reflect_now(reflector, [ROLE], lambda *_: None)


def counts(store, clock, number=20, group="main", **how):
    with reading(store) as conn:
        prices = StoredPrices(conn)
        how = {"level": 0.05} | how
        return placebo_counts(conn, ROLE, prices, number, group, clock(), **how)


def test_coins_decide_at_the_longs_and_shorts_of_the_role_and_are_measured_anew(
    store, clock, decided
):
    steps = []
    (one,) = counts(store, clock, on_step=lambda done, of: steps.append((done, of)))

    assert (one.asset_class, one.placebos, one.decisions, one.level) == ("crypto", 20, DAYS, 0.05)
    assert steps[-1] == (DAYS * 21, DAYS * 21)


def test_asked_again_the_coins_are_the_same_and_another_group_has_others(store, clock, decided):
    easily = {"number": 200, "level": 0.999}  # some coins find something, and some do not

    def told(group):
        return [one.told for one in counts(store, clock, group=group, **easily)]

    assert told("main") == told("main")
    assert len({tuple(told(group)) for group in "abcd"}) > 1


def test_the_summary_prints_how_many_coins_would_have_been_told_something(
    command, home, store, decided
):
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "desk.py").write_text(SKILL)
    said = " ".join(command("role", "summary", ROLE.id, "--placebos", "20").out.split())

    assert "of 20 coin-flip roles at the same 120 moments told something" in said
    assert "expected at most 1 of 20; 20 cannot tell 5 % from 15 %" in said
    assert "coin-flip" not in command("role", "summary", ROLE.id).out
    assert command("role", "summary", "--placebos", "257").code == 2


def test_a_role_without_decisions_has_no_coins(store, clock):
    assert counts(store, clock) == []
