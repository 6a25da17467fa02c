"""A replay records decisions of many moments in one write, each as of its own."""

from dataclasses import replace
from datetime import timedelta

import pytest

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.model import DecisionVerdict, NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import prepare, record_prepared
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.roles import role_of, skill_of

HOUR = timedelta(hours=1)
REGISTRY = RoleRegistry([skill_of(role_of())])
NEW = NewDecision("desk.calls", "Buy SOL", asset="SOL", direction="long", context={"rsi": 71})
VERDICT = DecisionVerdict("wrong", {"why": "it fell"}, "variance", "It fell.", "heuristic")


@pytest.fixture
def record(store, clock, ids):
    """Record decisions that were known at moments; each has a uid of the caller."""

    def these(*moments, **changes):
        row = prepare(REGISTRY, replace(NEW, **changes))
        rows = [
            replace(row, known_at=to_micros(at), uid=f"own-{place}")
            for place, at in enumerate(moments)
        ]
        return [one.id for one in record_prepared(store, REGISTRY, rows, clock, ids)]

    return these


@pytest.fixture
def moments(clock):
    return clock() - 3 * HOUR, clock() - 2 * HOUR


def audited(store, tool_call):
    with reading(store) as conn:
        line = "SELECT object_id, at FROM audit_log WHERE tool_call = ? ORDER BY id"
        found = conn.exec_driver_sql(line, (tool_call,))
        return [(row_id, from_micros(at)) for row_id, at in found]


def test_each_decision_of_one_write_is_known_at_its_own_moment(store, record, moments):
    ids = record(*moments)

    found = [show_decision(store, one).decision for one in ids]
    assert [one.uid for one in found] == ["own-0", "own-1"]
    assert [(one.known_at, one.decided_at, one.state_at) for one in found] == [
        (at, at, at) for at in moments
    ]
    assert audited(store, "role.record") == list(zip(ids, moments, strict=True))
    assert [one.id for one in list_decisions(store, as_of=moments[0])] == ids[:1]
    with reading(store) as conn:
        known = conn.exec_driver_sql("SELECT known_at FROM decision_contexts").scalars().all()
    assert known == [to_micros(moments[0])]


@pytest.mark.parametrize(
    ("known", "decided", "field"), [(-2, -1, "decided_at"), (1, -1, "known_at")]
)
def test_a_decision_is_never_of_the_future_of_its_own_moment(clock, record, known, decided, field):
    with pytest.raises(InvalidInputError) as refused:
        record(clock() + known * HOUR, decided_at=clock() + decided * HOUR)
    assert refused.value.field == field


def test_a_decision_is_superseded_when_its_successor_was_known(store, clock, ids, record, moments):
    (old,) = record(moments[0])
    row = prepare(REGISTRY, replace(NEW, supersedes="own-0"))
    successor = replace(row, known_at=to_micros(moments[1]))
    record_prepared(store, REGISTRY, [successor], clock, ids)

    one = show_decision(store, old).decision
    assert (one.superseded_at, one.state_at, one.reason) == (moments[1], moments[1], "superseded")
    assert audited(store, "role.supersede") == [(old, moments[1])]
