"""The same agent for asyncio, and what `help` shows of both."""

import asyncio
import pydoc
from inspect import iscoroutinefunction, signature
from pathlib import Path
from typing import get_type_hints

import pytest

from afterword import Agent, AsyncAgent, InvalidInputError
from afterword.pipeline.doors.agent import TOOLS


def test_every_method_of_an_agent_can_be_awaited_and_calls_run_at_once(home: Path):
    async def talk() -> list[str]:
        async with await AsyncAgent.open("desk", home=home) as agent:
            stored = agent.memory_store("preference", "Wants weekly charts")
            written = agent.call("memory_write", {"category": "lesson", "content": "Cut losers"})
            await asyncio.gather(stored, written)
            with pytest.raises(InvalidInputError, match="type: 'wish' is unknown"):
                await agent.call("memory_store", {"type": "wish", "content": "x"})
            return [memory.content for memory in await agent.memory_search(limit=5)]

    assert set(asyncio.run(talk())) == {"Wants weekly charts", "Cut losers"}
    with Agent.open("desk", home=home) as later:
        assert len(later.memory_read()) == 2
    for name in (*TOOLS, "snapshot", "start_brief", "begin_turn", "finish_turn", "end", "close"):
        assert iscoroutinefunction(getattr(AsyncAgent, name))
        assert signature(getattr(AsyncAgent, name)) == signature(getattr(Agent, name))


def test_help_shows_plain_types():
    text = pydoc.plain(pydoc.render_doc(Agent))

    assert "memory_store(self, type: str, content: str, tags: collections.abc.Sequence[str]" in text
    assert not any(word in text for word in ("Annotated", " object at 0x", "door:  "))
    for name in TOOLS:
        assert f" {name}(self" in text
        hints = get_type_hints(getattr(Agent, name), include_extras=True)
        assert set(hints) - {"return"} == set(signature(getattr(Agent, name)).parameters) - {"self"}
