"""A token has a session for each UTC day: the one before it ends, and midnight loses nothing."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits, Session
from afterword.pipeline.domain.sessions.read import read_sessions
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.http.agents import Agents
from afterword.pipeline.doors.http.caller import Caller, ServerParts
from afterword.pipeline.doors.http.routes.sessions import (
    FinishedTurnForm,
    NewSessionForm,
    NewTurnForm,
    begin_session,
    begin_turn,
    finish_turn,
)
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock

TOKEN = AccessToken(1, "agent", "main", "desk", datetime(2026, 1, 1, tzinfo=UTC), None)


@pytest.fixture
def caller(store: Store, stores: Stores, clock: ManualClock, ids: IdSource) -> Caller:
    """A request of an agent's token that names no session, half an hour before midnight."""
    clock.advance(hours=23, minutes=30)

    def make(by: Writer, handle: str) -> Door:
        return Door(by, handle, limits=Limits(stores=1_000))

    parts = ServerParts(
        load(home=stores.home),
        *(stores, clock, ids),
        Agents(stores, clock, ids, make, embeds=False),
        RoleRegistry(()),
        lambda _group: SearchOptions(),
        lambda _group: None,
    )
    return Caller(parts, "request", store.name, TOKEN, None, None, "0" * 64)


def write(caller: Caller, content: str) -> None:
    caller.call_tool("memory_store", {"type": "fact", "content": content})


def sessions(store: Store) -> list[Session]:
    """Return all sessions, the oldest first."""
    return read_sessions(store, 100)[::-1]


def test_the_session_of_a_day_ends_when_that_of_the_next_begins(store, clock, caller) -> None:
    write(caller, "of the first day")
    clock.advance(hours=1)
    write(caller, "of the second day")

    first, second = sessions(store)
    assert (first.ended_at, second.ended_at) == (second.started_at, None)


def test_sessions_of_days_that_an_older_release_left_open_end_too(store, clock, caller) -> None:
    for day in range(3):
        write(caller, f"of day {day}")
        clock.advance(days=1)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE sessions SET ended_at = NULL")
    write(caller, "of today")

    assert [session.ended_at is None for session in sessions(store)] == [False] * 3 + [True]


def test_a_turn_over_midnight_is_finished_in_its_session(store, clock, caller) -> None:
    clock.advance(minutes=25)
    turn = begin_turn(caller, NewTurnForm(message="is SOL a long?"))["turn"]
    clock.advance(minutes=9)
    write(caller, "it may be")

    done = finish_turn(caller, turn, FinishedTurnForm(outcome="succeeded", reply="yes"))

    assert done == {"turn": turn, "outcome": "succeeded"}
    assert [session.stores for session in sessions(store)] == [1]
    write(caller, "after the turn")
    assert len(sessions(store)) == 2


def test_a_turn_that_nobody_finishes_holds_the_day_no_longer_than_its_time(
    store, clock, caller
) -> None:
    clock.advance(minutes=25)
    begin_turn(caller, NewTurnForm(message="hello"))
    clock.advance(minutes=11)
    write(caller, "of the second day")

    assert [session.stores for session in sessions(store)] == [0, 1]


def test_a_session_that_the_client_began_itself_does_not_end_with_the_day(
    store, clock, caller
) -> None:
    handle = begin_session(caller, NewSessionForm())["handle"]
    write(caller, "of the first day")
    clock.advance(days=1)
    write(caller, "of the second day")
    write(replace(caller, session=handle), "in its own")

    assert [session.ended_at is None for session in sessions(store)] == [True, False, True]


def test_a_write_that_waits_while_the_day_ends_goes_into_the_next_session(
    store, clock, caller, monkeypatch
) -> None:
    write(caller, "of the first day")

    def midnight_first(*given: Any) -> Any:
        monkeypatch.undo()
        clock.advance(hours=1)
        write(caller, "of another request")
        return kept(*given)

    kept: Callable[..., Any] = Caller.write
    monkeypatch.setattr(Caller, "write", midnight_first)
    write(caller, "of the request that waited")

    assert [session.stores for session in sessions(store)] == [1, 2]


def test_threads_that_write_over_midnight_lose_nothing(store, clock: ManualClock, caller) -> None:
    start, numbers = threading.Barrier(8), count()

    def work(thread: int) -> None:
        start.wait()
        for number in range(10):
            write(caller, f"{thread} {number} {next(numbers)}")
            if thread == 0 and number % 3 == 2:
                clock.advance(days=1)

    for thread in (threads := [threading.Thread(target=work, args=(n,)) for n in range(8)]):
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(session.stores for session in sessions(store)) == 8 * 10
    assert [session.ended_at is None for session in sessions(store)].count(True) == 1
