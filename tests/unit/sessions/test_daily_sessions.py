"""A process that lives for days gets a new session each day, and loses nothing at midnight."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits, Session
from afterword.pipeline.domain.sessions.read import read_sessions
from afterword.pipeline.domain.sessions.sessions import begin_daily, begin_session
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.testing.clock import ManualClock

ROLE = "market.spot.momentum"


@pytest.fixture
def agent(writer: Writer, clock: ManualClock, home: Path) -> Agent:
    """An agent that was opened at three in the afternoon."""
    clock.advance(hours=15)
    limits, roles = Limits(stores=2), load_roles(home)
    return Agent(Door(*begin_daily(writer, "desk"), limits=limits, roles=roles))


def sessions(store: Store) -> list[Session]:
    """Return all sessions, the oldest first."""
    return read_sessions(store, 100)[::-1]


def test_an_agent_that_runs_for_three_days_loses_no_decision_and_no_memory(store, clock, agent):
    for day in range(3):
        for hour in range(24):
            agent.role_record(ROLE, f"decision {day} {hour}", "SOL", "long")
            clock.advance(hours=1)
        agent.memory_store("context", f"what day {day} showed")

    assert [session.decisions for session in sessions(store)] == [9, 24, 24, 15]
    assert [session.stores for session in sessions(store)] == [0, 1, 1, 1]
    assert [session.label for session in sessions(store)] == ["desk"] * 4
    ended = [session.ended_at for session in sessions(store)]
    assert ended == [*(session.started_at for session in sessions(store)[1:]), None]
    assert agent.session == sessions(store)[-1].uid


def test_decisions_and_trades_are_recorded_when_the_memories_of_the_day_are_written(store, agent):
    for number in range(2):
        agent.memory_store("context", f"note {number}")
    with pytest.raises(BudgetExceededError, match="decisions, trades, methodologies and deletions"):
        agent.memory_store("context", "one more")
    for number in range(30):
        agent.role_record(ROLE, f"decision {number}", "SOL", "long")
    trade = {"venue": "hyperliquid", "account": "hl", "asset": "SOL", "size": "1", "price": "150"}
    opened = agent.trade_record(side="buy", **trade)
    agent.trade_record(side="sell", closes=opened.id, **trade)

    (session,) = sessions(store)
    assert (session.stores, session.decisions, session.trades) == (2, 30, 2)


def test_what_a_session_starts_with_is_frozen_for_the_day(clock, agent):
    agent.memory_store("preference", "Wants weekly charts")
    first = agent.snapshot()
    clock.advance(hours=8)
    agent.memory_store("preference", "Wants daily charts")
    assert agent.snapshot() == first
    clock.advance(hours=2)

    assert "Wants daily charts" not in first
    assert "Wants daily charts" in agent.snapshot()


def test_a_turn_over_midnight_is_finished_in_its_session(store, clock, agent):
    clock.advance(hours=8, minutes=55)
    turn = agent.begin_turn("is SOL a long?")
    clock.advance(minutes=9)
    agent.role_record(ROLE, "yes", "SOL", "long")
    agent.finish_turn(turn, "succeeded", reply="yes")
    assert [session.decisions for session in sessions(store)] == [1]

    agent.memory_read()
    assert len(sessions(store)) == 2


def test_a_turn_that_nobody_finishes_holds_no_session_longer_than_its_time(store, clock, agent):
    clock.advance(hours=8, minutes=55)
    agent.begin_turn("hello", busy_for=timedelta(minutes=6))
    clock.advance(minutes=5)
    agent.memory_read()
    assert len(sessions(store)) == 1
    clock.advance(minutes=1)
    agent.memory_read()

    assert len(sessions(store)) == 2


def test_a_session_that_its_agent_ended_is_followed_by_none(store, clock, agent):
    agent.end()
    clock.advance(days=2)
    with pytest.raises(InvalidInputError, match="session: has ended"):
        agent.memory_store("context", "x")

    assert len(sessions(store)) == 1


def test_a_session_that_was_continued_by_its_handle_stays_the_same(store, clock, writer):
    agent = Agent(Door(writer, begin_session(writer).handle))
    clock.advance(days=2)
    agent.memory_store("context", "x")

    assert [session.stores for session in sessions(store)] == [1]


def test_threads_that_write_over_midnight_lose_nothing(store, clock: ManualClock, writer):
    agent = Agent(Door(*begin_daily(writer), limits=Limits(stores=1_000)))
    start = threading.Barrier(8)

    def work(thread: int) -> None:
        start.wait()
        for number in range(20):
            agent.memory_store("context", f"{thread} {number}")
            if thread == 0 and number % 5 == 4:
                clock.advance(days=1)

    for thread in (threads := [threading.Thread(target=work, args=(n,)) for n in range(8)]):
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(session.stores for session in sessions(store)) == 8 * 20
    assert [session.ended_at is None for session in sessions(store)].count(True) == 1
