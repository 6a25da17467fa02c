"""An agent whose turns are worked through: the same door, jobs and worker as in use."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import Leases, lease
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.learnings.area import REVIEW_TURN
from afterword.pipeline.domain.learnings.model import LearningRules
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.testing.clock import ManualClock
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context, Work

OPEN_LONG = ("get_balance", "get_price", "place_order", "set_tp_sl")
ASKS = "Open a long on hyperliquid for SOL with 500 usd, and set take profit and stop loss"
ASKS_AGAIN = "Please open a long on hyperliquid for ETH, 900 usd, and set take profit and stop loss"


def calls(*names: str, failed: Sequence[str] = ()) -> list[ToolCall]:
    """Return calls of tools in order, each with an argument."""
    return [ToolCall(name, {"coin": "SOL"}, name not in failed) for name in names]


class LearningDesk:
    """One group with an agent, and a worker that is run by hand."""

    def __init__(self, context: Context, clock: ManualClock) -> None:
        self.context, self.clock = context, clock
        self.store: Store = context.stores.group("main", create=True)
        self.writer = Writer(self.store, clock, context.runtime.ids)
        self.owner = replace(self.writer, actor="owner")
        self.agent = self.begin()

    def begin(self, **rules: Any) -> Agent:
        """Begin a session of an agent."""
        handle = begin_session(self.writer).handle
        return Agent(Door(self.writer, handle, learning_rules=LearningRules(**rules)))

    def turn(
        self,
        message: str = ASKS,
        used: Sequence[ToolCall] | None = None,
        outcome: Any = "succeeded",
        agent: Agent | None = None,
    ) -> tuple[str, str]:
        """Go through one turn; return its id and the block it was shown."""
        agent = agent or self.agent
        self.clock.advance(minutes=5)
        turn = agent.begin_turn(message)
        block = agent.turn_learnings(turn)
        self.clock.advance(minutes=1)
        done = calls(*OPEN_LONG) if used is None else used
        agent.finish_turn(turn, outcome, reply="Done.", tool_calls=done)
        return turn, block

    def taken(self) -> Leases:
        """Take the oldest review that is due, as a worker does."""
        with writing(self.store) as conn:
            promote(conn, self.clock())
            ids = [row.id for row in claim(conn, REVIEW_TURN.name, 1, self.clock())]
            return lease(conn, ids, "worker", self.clock, REVIEW_TURN)

    def waiting(self) -> int:
        """Return how many reviews are waiting."""
        return self.count("jobs", "kind = 'review_turn'")

    def review(self, leases: Leases | None = None) -> None:
        """Run a review that is due, or the given one."""
        work = Work(self.context, "main", self.store, leases or self.taken())
        ROUTES[REVIEW_TURN.name].run(work)

    def review_all(self) -> None:
        """Run all reviews that are due."""
        while self.waiting():
            self.review()

    def learn(self, message: str = ASKS, again: str = ASKS_AGAIN) -> str:
        """Have two turns teach one learning by rule; return its id."""
        self.turn(message)
        self.turn(again)
        self.review_all()
        return str(self.facts("SELECT uid FROM learnings ORDER BY id DESC LIMIT 1")[0][0])

    def count(self, table: str, where: str = "1") -> int:
        """Return how many rows of a table fit."""
        (row,) = self.facts(f"SELECT count(*) FROM {table} WHERE {where}")
        return int(row[0])

    def facts(self, sql: str) -> list[tuple[Any, ...]]:
        """Return rows."""
        with reading(self.store) as conn:
            return [tuple(row) for row in conn.exec_driver_sql(sql).all()]
