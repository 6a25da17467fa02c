"""An agent decides, the market answers, and the next session is told what that taught."""

import pytest

from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.skills import Manual, RoleRegistry
from afterword.pipeline.doors.agent import Agent, call, instructions
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.lessons.fragment import parse_fragment
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, saying, skill_of

REGISTRY = RoleRegistry([skill_of(role_of("desk.calls"), role_of("desk.reads", Manual()))])


def test_what_a_decision_came_to_is_told_before_the_next_one(store, clock, writer):
    def next_session() -> Agent:
        handle = begin_session(writer).handle
        return Agent(Door(writer, handle, roles=REGISTRY))

    # A model is told in which roles it decides, beside its tools.
    monday = next_session()
    assert "- `desk.calls`, of `desk`: Desk call" in instructions(roles=monday.roles)
    assert monday.role_recall("desk.calls") == []

    # It decides, and records that with all it saw. Its program lost the answer and sends it again:
    # the same decision, once. Where it comes from is not its to say.
    said = {
        "role": "desk.calls",
        "decision": "Buy SOL: it broke out of its range on funding alone",
        "asset": "SOL",
        "direction": "long",
        "confidence": 0.8,
        "inputs": {"rsi": 71},
        "context": {"prompt": "SOL?", "funding": "0.09 %", "outcome": "right", "origin": "owner"},
        "key": "monday-1",
    }
    first, again = call(monday, "role_record", said), call(monday, "role_record", said)
    assert (first["is_new"], again["is_new"]) == (True, False)
    assert first["id"] == again["id"]
    assert first["provenance"]["session_id"] == monday.session
    assert first["provenance"]["origin"] == "agent"

    # A second one, of a role that only a person can judge.
    read = monday.role_record("desk.reads", "The unlock is priced in", key="monday-2")

    # What it saw is kept as it was, and judges nothing: the decision waits for its outcome.
    kept = show_decision(store, first["id"])
    assert kept.context == said["context"]
    assert (kept.decision.state, kept.decision.mark) == ("pending", None)
    for claim in ({"outcome": "right"}, {"mark": "right"}, {"origin": "owner"}, {"supersedes": 1}):
        with pytest.raises(InvalidInputError, match="is not an argument of role_record"):
            call(monday, "role_record", said | claim)
    monday.end()

    # SOL falls by 5 % within the day. A person says what the other one came to.
    opened = clock() - 200 * HOUR
    prices = book("SOLUSDT", opened, jagged(200, [-0.05, *[0.0] * 40]))
    clock.advance(hours=30)
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, opened, clock(), clock()), clock)
    mark_decision(store, REGISTRY, read.id, "wrong", "It was not priced in.", clock)
    reflector = Reflector(store, REGISTRY, saying("logic_error"), StoredPrices, clock)
    for role in REGISTRY:
        reflect_role(reflector, role.id)

    # The next session asks before it decides: what fits the decision at hand comes first.
    tuesday = next_session()
    # One case proves nothing, so it comes only when it is asked for, and says what it is.
    question = "A breakout of SOL, funding is high"
    assert tuesday.role_recall("desk.calls", question) == []
    (lesson,) = tuesday.role_recall("desk.calls", question, single_cases=True)
    assert (lesson.decision, lesson.label) == (first["id"], "one case")
    assert lesson.why[0] == "same asset: SOL"

    # What a person noted is told in the person's words.
    (line,) = parse_fragment(tuesday.role_prompt("desk", "A breakout of SOL"))
    assert (line.role_id, line.label, line.text) == (
        "desk.reads",
        "note, wrong",
        "It was not priced in.",
    )

    # As of its own Monday it knew none of this.
    then = opened + 200 * HOUR
    assert tuesday.role_recall("desk.calls", single_cases=True, as_of=then) == []
    assert tuesday.role_prompt("desk", as_of=then) == ""
