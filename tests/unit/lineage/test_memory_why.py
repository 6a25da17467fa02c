"""`memory why` follows anything back to the turns, fills, files and prices that it comes from."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.lineage.trace import (
    MAX_CAUSES,
    MAX_STEPS,
    lineage_readers,
    trace,
)
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from tests.unit.patterns.record import Desk

PAGE = """time,coin,dir,px,sz,ntl,fee,closedPnl
2026-01-02 10:00:00,SOL,Open Long,100,2,200,0.1,-0.1
2026-01-02 12:00:00,SOL,Close Long,110,2,220,0.1,19.9
"""
READERS = lineage_readers(AREAS)
NOW = datetime(2026, 1, 5, tzinfo=UTC)  # of what changes; these things do not


@pytest.fixture
def desk(writer: Writer) -> Agent:
    """An agent with the roles that come with the program."""
    return Agent(Door(writer, begin_session(writer).handle, roles=RoleRegistry(BUILTIN)))


def test_a_memory_of_a_trip_leads_to_the_lines_of_the_file(command: Command, tmp_path: Path):
    page = tmp_path / "trade_history.csv"
    page.write_text(PAGE)
    command("history", "import", str(page), "--account", "main", "--zone", "UTC")

    steps = command("memory", "why", "1", "--json").json

    assert [(step["depth"], step["how"], step["kind"]) for step in steps] == [
        (0, "", "memory"),
        (1, "tells of", "trip"),
        (2, "made of", "fill"),
        (3, "line 2 of", "file"),
        (2, "made of", "fill"),
        (3, "line 3 of", "file"),
    ]
    assert "bought 2 SOL at 100 USDC" in steps[2]["step"]["says"]
    assert steps[3]["step"]["says"].startswith("trade_history.csv, layout ")
    # As text, each step has its place below the one that it led to.
    lines = command("memory", "why", "1").out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["1", "1.1", "1.1.1", "1.2", "1.2.1"]


def test_what_an_agent_wrote_leads_to_the_turn_it_was_written_in(
    writer: Writer, clock: ManualClock
):
    agent = Agent(Door(writer, begin_session(writer, "desk").handle))
    agent.memory_write("observation", "before the turn")
    clock.advance(seconds=1)
    turn = agent.begin_turn("May I sell SOL?")
    note = agent.memory_write("observation", "SOL fell")
    clock.advance(seconds=1)
    agent.finish_turn(turn, "succeeded", reply="Sell half.")

    thing, session, spoken = agent.memory_why(note.id)

    assert (thing.what, thing.says) == ("memory 2", "[observation, from agent] SOL fell")
    assert (session.how, session.says) == ("written in", "of agent, desk")
    assert (spoken.how, spoken.says) == ("in the turn", "May I sell SOL? / Sell half.")


def test_a_decision_leads_to_its_method_its_trade_back_to_it(desk: Agent):
    method = desk.methodology_add("Buy a break of the 20 day high", "layer_1", "bullish", "short")
    decision = desk.role_record("market.spot.momentum", "break", "SOL", "long", methods=[method.id])
    trade = desk.trade_record("hyperliquid", "me", "SOL", "buy", "1", "100", decision=decision.id)

    steps = desk.memory_why(trade.id)

    kinds = [(step.depth, step.how, step.what.split()[0]) for step in steps]
    assert kinds == [
        (0, "", "trade"),
        (1, "carries out", "decision"),
        (2, "applies", "methodology"),
        (3, "written in", "session"),
        (2, "recorded in", "session"),
        (1, "recorded in", "session"),
    ]


def test_derived_and_replaced_memories_are_followed_and_a_circle_ends(system: Writer, store: Store):
    old, other = write_memories(
        system, [NewMemory("lesson", "first"), NewMemory("lesson", "second")]
    )
    new = write_memory(system, NewMemory("lesson", "third", parents=[other.id]))
    last = write_memory(system, NewMemory("lesson", "fourth", parents=[new.id, other.id]))
    with writing(store) as conn:
        supersede(conn, system, old.id, last.id, system.clock())

    steps = trace(store, 4, READERS, NOW)

    assert [(step.depth, step.how, step.step.name) for step in steps] == [
        (0, "", "memory 4"),
        (1, "derived from", "memory 2"),
        (1, "derived from", "memory 3"),
        (2, "derived from", "memory 2"),
        (1, "in place of", "memory 1"),
    ]


def test_many_causes_are_counted_not_listed(system: Writer, store: Store):
    parents = write_memories(system, [NewMemory("lesson", f"n {i}") for i in range(MAX_CAUSES + 5)])
    child = write_memory(
        system, NewMemory("lesson", "all", parents=[parent.id for parent in parents])
    )

    first, *rest = trace(store, child.uid, READERS, NOW)

    assert (first.not_followed, len(rest)) == (5, MAX_CAUSES)


def test_an_answer_has_an_end(system: Writer, store: Store):
    level = [memory.id for memory in write_memories(system, [NewMemory("lesson", "a")] * 15)]
    for _ in range(3):
        news = [NewMemory("lesson", "b", parents=level) for _ in range(15)]
        level = [memory.id for memory in write_memories(system, news)]

    steps = trace(store, level[0], READERS, NOW)

    assert len(steps) == MAX_STEPS
    assert any(step.not_followed for step in steps)


def test_a_name_that_nothing_has_is_refused(store: Store, command: Command):
    with pytest.raises(NotFoundError, match="nothing is named 99"):
        trace(store, 99, READERS, NOW)
    refused = command("memory", "why", "no-such-uid")
    assert (refused.code, refused.out) == (1, "")
    assert "a memory's number, any uid, or a tag such as tag:risk" in refused.err


def test_options_of_a_search_need_the_query(command: Command):
    command("memory", "write", "lesson", "Cut losers")

    refused = command("memory", "why", "1", "--category", "lesson")

    assert refused.code != 0
    assert "query" in refused.err


def test_the_words_of_a_deleted_memory_are_not_told(command: Command):
    command("memory", "write", "personalization", "Cut losers", "--source", "user_manual")
    command("memory", "delete", "1")

    assert "Cut losers" not in command("memory", "why", "1").out


def test_a_repeated_cause_is_followed_once(system: Writer, store: Store):
    root = write_memory(system, NewMemory("lesson", "root"))
    middle = write_memory(system, NewMemory("lesson", "middle", parents=[root.id]))
    left = write_memory(system, NewMemory("lesson", "left", parents=[middle.id]))
    last = write_memory(system, NewMemory("lesson", "last", parents=[middle.id, left.id]))

    steps = trace(store, last.id, READERS, NOW)

    assert [(step.depth, step.step.name, step.is_repeat) for step in steps] == [
        (0, "memory 4", False),
        (1, "memory 2", False),
        (2, "memory 1", False),
        (1, "memory 3", False),
        (2, "memory 2", True),
    ]


def test_a_decision_made_from_a_trip_leads_to_its_fills(command: Command, tmp_path: Path):
    page = tmp_path / "trade_history.csv"
    page.write_text(PAGE)
    command("history", "import", str(page), "--account", "main", "--zone", "UTC")
    command("role", "record", "market.spot.momentum", "--from-trips")
    (decision,) = command("role", "list", "market.spot.momentum", "--json").json

    steps = command("memory", "why", decision["uid"], "--json").json

    ways = [(step["how"], step["kind"]) for step in steps[:4]]
    assert ways == [
        ("", "decision"),
        ("made from", "trip"),
        ("made of", "fill"),
        ("line 2 of", "file"),
    ]


def test_a_pattern_leads_to_its_decisions_and_these_to_the_prices_they_met(
    store: Store, clock: ManualClock, ids: IdSource
):
    desk = Desk(store, clock, ids)
    desk.decide([False] * 60)
    desk.weigh()
    (pattern,) = desk.patterns()
    key = pattern.key

    steps = trace(
        store, f"{key.role_id} {key.asset_class} {key.direction} {key.trend}", READERS, NOW
    )

    first, counted, met = steps[:3]
    assert first.step.says == f"[{pattern.state}] {pattern.text}"
    assert (counted.how, counted.kind) == ("counts", "decision")
    assert (met.how, met.step.name) == ("measured by", "outcome after 24 h")
    assert met.step.says.startswith("wrong: ")
    assert first.not_followed == 60 - MAX_CAUSES


def test_a_method_made_of_decisions_leads_to_them(desk: Agent, system: Writer, store: Store):
    decision = desk.role_record("market.spot.momentum", "break", "SOL", "long")
    made = add_methodology(
        system,
        NewMethodology(
            "Buy a break of the 20 day high",
            "layer_1",
            "bullish",
            "short",
            source="cases",
            origin="system",
            seeded_from=[{"decisions": [decision.id], "said_by": "template"}],
        ),
    )

    steps = trace(store, made.uid, READERS, NOW)

    assert [(step.how, step.kind) for step in steps[:2]] == [
        ("", "method"),
        ("made of", "decision"),
    ]


def test_an_imported_memory_leads_to_its_record(command: Command, tmp_path: Path):
    lines = tmp_path / "memories.jsonl"
    lines.write_text('{"category": "lesson", "content": "Cut losers", "key": "note-7"}\n')
    command("memory", "write", "--file", str(lines))

    steps = command("memory", "why", "1", "--json").json

    assert [(step["how"], step["step"]["says"]) for step in steps[1:]] == [
        ("imported as", "note-7")
    ]


def test_of_a_past_moment_it_says_what_it_needs(command: Command, writer: Writer):
    write_memory(writer, NewMemory("observation", "SOL fell"))

    past = command("memory", "why", "1", "--as-of", "2026-01-01T00:00:00Z")
    narrowed = command("memory", "why", "1", "--tag", "desk")

    assert "as_of: is given without a query" in past.err
    assert "query: is missing" in narrowed.err and "narrow a search" in narrowed.err
