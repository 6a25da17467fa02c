"""Fixtures of the room: prices around a decision, its record, and a reflector."""

from dataclasses import replace

import pytest

from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.testing.roles import (
    HOUR,
    book,
    jagged,
)
from tests.unit.reflection.passes import QUIET, REGISTRY, ROLE


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
