"""Two turns of the demo that teach how a task is done, and the one that is shown it."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.learnings.read import list_learnings
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.learnings.block import steps_words

TURNS: Final = (
    "Weekly risk report of my portfolio, with IBM, please",
    "Can you make the weekly risk report of my portfolio?",
)
"""What the user asks for, in two sessions."""

ASKED_LATER: Final = "A weekly risk report of my portfolio please, now with GOOG"
"""What the user asks for in the third one."""

_CALLS: Final = (
    ToolCall("get_positions", {"account": "demo"}),
    ToolCall("get_prices", {"days": 30}),
    ToolCall("risk_report", {"format": "table"}),
)


@dataclass(frozen=True, slots=True)
class TaughtStory:
    """What turns taught.

    Args:
        trigger: the task in general words.
        steps: the tools that did it.
        reviewed: turns that were reviewed; count.
        block: what the later turn is shown.
    """

    trigger: str
    steps: str
    reviewed: int
    block: str


def go_through_turns(store: Store, clock: Clock, ids: IdSource) -> None:
    """Let an agent do the same task in two sessions; the end of each turn adds its review."""
    for message in TURNS:
        agent = _begin(store, clock, ids)
        turn = agent.begin_turn(message)
        agent.finish_turn(turn, "succeeded", reply="Here it is.", tool_calls=_CALLS)


def later_turn(store: Store, clock: Clock, ids: IdSource) -> TaughtStory:
    """Begin a turn of that kind, and return what it is shown; the reviews have ended."""
    agent = _begin(store, clock, ids)
    block = agent.turn_learnings(agent.begin_turn(ASKED_LATER))
    with reading(store) as conn:
        (learning,) = list_learnings(conn)
        count = "SELECT count(*) FROM learning_reviews"
        reviewed = int(conn.exec_driver_sql(count).scalar_one())
    return TaughtStory(learning.trigger, steps_words(learning.tool_sequence), reviewed, block)


def _begin(store: Store, clock: Clock, ids: IdSource) -> Agent:
    by = Writer(store, clock, ids)
    return Agent(Door(by, begin_session(by).handle))
