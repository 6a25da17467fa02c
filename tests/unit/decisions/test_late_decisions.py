"""What an agent records when a part of its outcome is known counts nowhere; an owner's files do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.lateness import LATE_PARTS
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.patterns import rows as pattern_rows
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import Manual, RoleRegistry
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, saying, skill_of

DAY = timedelta(days=1)
WORDS = role_of("desk.words", Manual(), min_age_hours=0)
REGISTRY = RoleRegistry([skill_of(WORDS)])
NEW = NewDecision("desk.words", "Buy SOL", asset="SOL", direction="long")


@pytest.fixture
def recorded(store, clock, ids):
    """Record a decision some time after it was made; return it, and how many votes it casts."""

    def one(waited, actor):
        decided = clock() - waited
        new = replace(NEW, decided_at=decided)
        row_id = record_decision(store, REGISTRY, new, clock, ids, actor=actor).id
        prices = book("SOLUSDT", decided - 200 * HOUR, jagged(200, [-0.05, *[0.0] * 60]))
        clock.advance(days=2)
        measure_due(store, REGISTRY, lambda _: prices, clock, lambda *_: None)
        with reading(store) as conn:
            assert outcome_rows.of_subject(conn, "decision", row_id)  # measured in any case
            votes = pattern_rows.votes(conn, WORDS.id, 24)
            return find_decision(conn, row_id), len(votes)

    return one


LIMIT = DAY / LATE_PARTS


@pytest.mark.parametrize(
    ("waited", "actor", "is_late"),
    [
        (LIMIT, "agent", False),
        (LIMIT + timedelta(microseconds=1), "agent", True),
        (LIMIT + timedelta(microseconds=1), "owner", False),
        (LIMIT + timedelta(microseconds=1), "system", False),
    ],
)
def test_a_late_decision_of_an_agent_casts_no_vote(recorded, waited, actor, is_late):
    decision, votes = recorded(waited, actor)

    assert decision.is_late(24) == is_late
    assert votes == (0 if is_late else 1)


@pytest.mark.parametrize(
    ("actor", "ends", "lesson"),
    [
        ("agent", ("skipped", "recorded late"), None),
        ("owner", ("reflected", None), "learn from 1"),
        ("system", ("reflected", None), "learn from 1"),
    ],
)
def test_a_late_decision_that_went_wrong_ends_at_once_without_a_lesson(
    store, clock, ids, actor, ends, lesson
):
    registry = RoleRegistry([skill_of(role_of())])
    decided = clock() - 30 * HOUR
    new = replace(NEW, role_id="desk.calls", decided_at=decided)
    row_id = record_decision(store, registry, new, clock, ids, actor=actor).id
    prices = book("SOLUSDT", decided - 200 * HOUR, jagged(200, [-0.05, *[0.0] * 29]))
    judge = saying("logic_error")
    reflector = Reflector(store, registry, judge, lambda _: prices, clock)
    reflect_role(reflector, "desk.calls")
    reflect_role(reflector, "desk.calls")

    with reading(store) as conn:
        found = find_decision(conn, row_id)
    assert (found.state, found.reason) == ends
    assert (found.verdict.classification, found.lesson) == ("logic_error", lesson)
    assert len(judge.classified) == 1
    assert len(judge.drafted) == (lesson is not None)


def test_who_recorded_a_decision_never_changes(store, recorded):
    decision, _ = recorded(HOUR, "agent")

    with pytest.raises(Exception, match="who recorded a decision never changes"):
        with writing(store) as conn:
            conn.exec_driver_sql(
                "UPDATE role_memory SET recorded_by = 'owner' WHERE id = ?", (decision.id,)
            )
