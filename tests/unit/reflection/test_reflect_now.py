"""A reflection that a person asks for tells how far it is, and adds up what became of decisions."""

import pytest

from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.operations.loop.progress import LADDER
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    book,
    jagged,
    role_of,
    saying,
    skill_of,
)

CALLS, SWIFT = role_of("desk.calls"), role_of("desk.swift")
REGISTRY = RoleRegistry([skill_of(CALLS, SWIFT)])


@pytest.fixture
def record(store, clock, ids):
    """Record decisions about a market that fell by 5 % in the day after them."""
    start, decided_at = clock() - 400 * HOUR, clock() - 200 * HOUR
    prices = book("SOLUSDT", start, jagged(200, [-0.05, *[0.0] * 190]))
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, start, clock(), clock()), clock)

    def some(*directions, role=CALLS):
        for one in directions:
            new = NewDecision(role.id, f"go {one}", {}, "SOL", one, decided_at=decided_at)
            record_decision(store, REGISTRY, new, clock, ids)

    return some


@pytest.fixture
def reflect(store, clock):
    def run(judge, *, parked=False):
        told = []
        reflector = Reflector(store, REGISTRY, judge, StoredPrices, clock)
        done = reflect_now(reflector, [CALLS, SWIFT], lambda *one: told.append(one), parked=parked)
        return done, told

    return run


def test_it_tells_of_every_answer_as_it_comes(record, reflect):
    record("short", "long", "long")
    done, told = reflect(saying("exogenous", at_once=1))

    assert told == [*(("desk.calls", number, 3) for number in range(4)), (LADDER, 3, 3)]
    assert done.tally.reflected == {"exogenous": 2, "right": 1}
    again, told = reflect(saying("exogenous"))
    assert (again.tally, told) == (Tally(), [])


def test_what_a_role_settled_before_nobody_could_be_asked_is_told_and_the_next_goes_on(
    clock, record, reflect
):
    record("short", "long", "long")
    record("short", role=SWIFT)

    def spent(_):
        raise BudgetExceededError("the cap is spent", clock() + HOUR)

    done, told = reflect(ScriptedDecisionJudge(spent, at_once=1))

    assert done.tally.reflected == {"right": 2}
    assert list(done.postponed) == ["desk.calls"]
    assert told[0] == ("desk.calls", 0, 3)
    assert set(told[1:-3]) == {("desk.calls", 1, 3)}
    assert told[-3:] == [("desk.swift", 0, 1), ("desk.swift", 1, 1), (LADDER, 4, 4)]
