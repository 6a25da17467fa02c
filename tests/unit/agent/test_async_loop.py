"""No call of an `AsyncAgent` blocks the loop, and one that is cancelled leaves nothing half."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import pytest

from afterword import Agent, AsyncAgent
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, reading, writing
from afterword.pipeline.domain.sessions.read import read_sessions
from afterword.pipeline.ids import random_uid

ROLE: Final = "market.spot.momentum"
CALLS: Final[dict[str, Callable[[AsyncAgent], Awaitable[Any]]]] = {
    "a store": lambda agent: agent.memory_store("fact", "The desk closes at 22:00"),
    "a tool by its name": lambda agent: agent.call(
        "memory_write", {"category": "lesson", "content": "Cut losers"}
    ),
    "a decision": lambda agent: agent.role_record(ROLE, "long BTC", asset="BTC", direction="long"),
    "a turn": lambda agent: agent.begin_turn("Buy BTC?"),
    "a snapshot": lambda agent: agent.snapshot(),
    "a brief": lambda agent: agent.start_brief(),
    "an end": lambda agent: agent.end(),
}


class Held:
    """The store of a group whose only writer is busy until `free` is called."""

    def __init__(self, stores: Stores) -> None:
        self._held = ExitStack()
        self._held.enter_context(writing(stores.group("desk")))

    def free(self) -> None:
        self._held.close()


def counts(stores: Stores) -> dict[str, int]:
    """Return how many rows there are of what one store of a memory writes."""
    with reading(stores.group("desk")) as conn:
        return {
            name: conn.exec_driver_sql(sql).scalar_one()
            for name, sql in {
                "memories": "SELECT count(*) FROM memories",
                "audited": "SELECT count(*) FROM audit_log WHERE tool_call = 'memory.write'",
                "counted": "SELECT coalesce(sum(stores), 0) FROM sessions",
            }.items()
        }


@pytest.fixture
def others(tmp_path: Path):
    """The files of the home, opened by another part of this process."""
    with Agent.open("desk", home=tmp_path, autostart=False):
        pass
    with closing(Stores(tmp_path, StoreOptions(), system_clock, random_uid)) as stores:
        yield stores


@pytest.mark.parametrize("name", CALLS)
def test_the_loop_runs_on_while_a_call_waits_for_the_store(tmp_path: Path, others, name: str):
    """What frees the store runs on the loop: a call that blocked it would wait for itself."""

    async def run() -> None:
        async with await AsyncAgent.open("desk", home=tmp_path, autostart=False) as agent:
            held = Held(others)
            call = asyncio.ensure_future(CALLS[name](agent))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not call.done() or name == "a brief"  # a brief may be read without the writer
            held.free()
            await call

    asyncio.run(run(), debug=True)


def test_opening_and_closing_leave_the_loop_free_too(tmp_path: Path, others):
    async def run() -> None:
        held = Held(others)
        opening = asyncio.ensure_future(AsyncAgent.open("desk", home=tmp_path, autostart=False))
        await asyncio.sleep(0)
        held.free()
        agent = await opening
        held = Held(others)
        ending = asyncio.ensure_future(agent.close())
        await asyncio.sleep(0)
        held.free()
        await ending

    asyncio.run(run())
    assert all(session.ended_at for session in read_sessions(others.group("desk")))


def test_a_cancelled_write_happens_whole_or_not_at_all(tmp_path: Path, others):
    async def run() -> None:
        async with await AsyncAgent.open("desk", home=tmp_path, autostart=False) as agent:
            held = Held(others)
            stores = [
                asyncio.ensure_future(agent.memory_store("fact", f"fact {number}"))
                for number in range(12)  # more than there are threads: some have not begun
            ]
            for _ in range(100):
                await asyncio.sleep(0)
            for store in stores:
                store.cancel()
            ended = await asyncio.gather(*stores, return_exceptions=True)
            assert {type(answer) for answer in ended} == {asyncio.CancelledError}
            held.free()

    asyncio.run(run())

    written = counts(others)
    assert len(set(written.values())) == 1, written
    assert 0 < written["memories"] <= 12
    assert all(session.ended_at for session in read_sessions(others.group("desk")))


def test_an_agent_that_nobody_waits_for_any_longer_is_closed(tmp_path: Path, others):
    async def run() -> None:
        held = Held(others)
        opening = asyncio.ensure_future(AsyncAgent.open("desk", home=tmp_path, autostart=False))
        for _ in range(100):
            await asyncio.sleep(0)
        opening.cancel()
        held.free()
        with pytest.raises(asyncio.CancelledError):
            await opening

    asyncio.run(run())

    sessions = read_sessions(others.group("desk"))
    assert all(session.ended_at for session in sessions)


def test_both_agents_have_the_same_methods():
    def methods(of: type) -> set[str]:
        return {
            name for name in dir(of) if not name.startswith("_") and callable(getattr(of, name))
        }

    assert methods(AsyncAgent) == methods(Agent) | {"call"}
