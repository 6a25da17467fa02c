"""The class by rule: an error only where the record says so, luck where nothing else is known."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.rule_class import class_by_rule
from tests.unit.reflection.passes import (
    REGISTRY,
    ROLE,
    beyond_the_market,
    measured_outcome,
    standing,
)

FAILING = standing(failing="confirmed", is_told=True)
BEFORE = datetime(2025, 12, 31, tzinfo=UTC)
NEWS = Evidence("news", BEFORE, "SOL: the bridge was hacked")
PRICE = Evidence("get_price", BEFORE, "SOLUSDT 100 at 2025-12-31T00:00:00Z")


@pytest.fixture
def case(store, clock, ids):
    """Return the case of a wrong long about SOL, made on an RSI."""
    new = NewDecision(ROLE, "Buy SOL", {"rsi": 71}, asset="SOL", direction="long")
    uid = record_decision(store, REGISTRY, new, clock, ids).uid
    decision = show_decision(store, uid).decision
    return Case(decision, REGISTRY.role(ROLE), {"why": "it fell"}, measured_outcome())


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, "variance"),
        ({"standing": FAILING}, "logic_error"),
        ({"standing": standing(failing="emerging", is_told=True)}, "variance"),
        ({"standing": standing(failing="confirmed", is_told=False)}, "variance"),
        ({"standing": standing(failing="retired", is_told=True)}, "variance"),
        ({"standing": standing(works="confirmed", is_told=True)}, "variance"),
        ({"known": (NEWS,)}, "missing_data"),
        ({"later": (NEWS,)}, "variance"),
        ({"known": (PRICE,)}, "variance"),
        ({"known": (PRICE, NEWS)}, "missing_data"),
        ({"outcome": beyond_the_market(-14_400_000)}, "exogenous"),
        ({"outcome": beyond_the_market(14_400_000)}, "exogenous"),
        ({"outcome": beyond_the_market(-14_400_001)}, "variance"),
        ({"outcome": None}, "variance"),
        ({"standing": FAILING, "known": (NEWS,), "outcome": beyond_the_market(0)}, "logic_error"),
        ({"known": (NEWS,), "outcome": beyond_the_market(0)}, "missing_data"),
    ],
)
def test_the_first_rule_that_applies_gives_the_class(case, changes, word):
    assert class_by_rule(replace(case, **changes)) == word


@pytest.mark.parametrize(
    ("inputs", "context", "word"),
    [
        ({"news": ["nothing much"]}, "", "variance"),
        ({"read": "SOL: The bridge was hacked!"}, "", "variance"),
        ({}, '{"tools": {"News": {"items": 3}}}', "variance"),
        ({}, '{"prompt": "It says: SOL: the bridge was hacked, and more"}', "variance"),
        ({"rsi": "news"}, "", "missing_data"),
        ({"newsletter": 1}, '{"prompt": "SOL: the bridge"}', "missing_data"),
    ],
)
def test_nothing_is_missing_that_a_decision_names_or_quotes(case, inputs, context, word):
    decision = replace(case.decision, inputs=inputs)
    had = replace(case, decision=decision, context=context, known=(NEWS,))

    assert class_by_rule(had) == word
