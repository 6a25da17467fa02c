"""The questions of the demo to its memory, and the brief of the agent's next session."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.search.model import Hit
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search

QUESTIONS: Final = (
    ("How did our GOOG shorts of 2008 end?", 3),
    ("May I short IBM before earnings?", 1),
)
"""Questions, each with the number of memories that are shown."""

ENTRIES: Final = (
    ("preference", "Prefers daily charts and no leverage"),
    ("instruction", "Never short IBM in the week before its earnings"),
    ("fact", "The demo account trades AAPL, GOOG, IBM and MSFT"),
)
"""Memories that a session of the agent stores for later sessions: type and text."""


@dataclass(frozen=True, slots=True)
class DemoHit:
    """A memory that was found.

    Args:
        day: when it happened; None if it has no date.
    """

    category: str
    day: str | None
    text: str


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """A question, and the memories that fit it, best first."""

    question: str
    found: tuple[DemoHit, ...]


def store_entries(store: Store, clock: Clock, ids: IdSource) -> None:
    """Store memories for later sessions, in a session of the agent."""
    agent = _agent(store, clock, ids, "demo, first session")
    for kind, content in ENTRIES:
        agent.memory_store(kind, content)
    agent.end()


def answer_questions(store: Store) -> tuple[DemoAnswer, ...]:
    """Search for every question."""
    return tuple(
        DemoAnswer(
            question, tuple(map(_found, search(store, question, options=SearchOptions(limit))))
        )
        for question, limit in QUESTIONS
    )


def next_prompt(store: Store, clock: Clock, ids: IdSource) -> str:
    """Return the brief that the agent's next session starts with."""
    return _agent(store, clock, ids, "demo, second session").start_brief() or ""


def _agent(store: Store, clock: Clock, ids: IdSource, label: str) -> Agent:
    """Return the agent in a new session."""
    by = Writer(store, clock, ids)
    return Agent(Door(by, begin_session(by, label).handle))


def _found(hit: Hit) -> DemoHit:
    memory = hit.memory
    day = None if memory.occurred_at is None else memory.occurred_at.date().isoformat()
    return DemoHit(memory.category, day, memory.content)
