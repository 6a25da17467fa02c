"""What tests of a reflection pass use: a role, its decisions, and how they are read back."""

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.testing.roles import (
    jagged,
    role_of,
    skill_of,
)

QUIET = 200
"""Hours of prices before the decision: its market moves by some 5 % a day, the band is 1.4 %."""

ROLE = "desk.calls"

REGISTRY = RoleRegistry([skill_of(role_of())])


def found(store, decision_id):
    return show_decision(store, decision_id).decision


def shape(decision):
    verdict = decision.verdict
    word = None if verdict is None else (verdict.outcome, verdict.classification)
    return decision.state, word, decision.lesson


def lines(store, action):
    with reading(store) as conn:
        query = "SELECT object_id FROM audit_log WHERE tool_call = ? ORDER BY id"
        return list(conn.exec_driver_sql(query, (action,)).scalars())


def jobs(store):
    with reading(store) as conn:
        query = "SELECT key, state FROM jobs WHERE kind = 'reflect_entries' ORDER BY id"
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def leased(store, clock, role_id=ROLE):
    with writing(store) as conn:
        begin(conn, role_of(role_id), clock())
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, REFLECT_ENTRIES.name, 9, clock())]
        return lease(conn, ids, "worker", clock, REFLECT_ENTRIES)


SAID = JudgeOpinion("logic_error", "x")


EFFECTS = {
    "off": effects_of(classify=Mode.OFF),
    "shadow": effects_of(classify=Mode.SHADOW),
    "no lessons": effects_of(draft=Mode.OFF),
    "lessons in the shadow": effects_of(draft=Mode.SHADOW),
}


class Whales:
    def __init__(self, answer):
        self.answer = answer

    def outcome(self, *_asked):
        return self.answer()


CLOSES = jagged(QUIET, [-0.05, *[0.0] * 98])
