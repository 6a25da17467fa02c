"""The class `AsyncAgent`: the agent's methods for programs on asyncio, made from `Agent`'s own."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

from afterword.pipeline.doors.agent.agent import Agent
from afterword.pipeline.doors.agent.call import call
from afterword.pipeline.doors.agent.later import LaterMethod


class AsyncAgent:
    """An `Agent` whose methods are awaited; each runs on a thread, since SQLite blocks.

    It has every method of `Agent`, and `call`, which runs what a model asks for::

        from afterword import AsyncAgent
        async with await AsyncAgent.open("main") as agent:
            await agent.memory_store("preference", "Prefers weekly charts")

    Args:
        agent: the agent whose methods run.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    @classmethod
    async def open(cls, group: str | None = None, **options: Any) -> Self:
        """Open an agent's memory; the arguments are those of `Agent.open`.

        Raises:
            InvalidInputError: a setting, the group's name or a skill in the home is wrong.
            NotFoundError: the handle was not issued in this group, or there is no such group.
        """
        return cls(await asyncio.to_thread(Agent.open, group, **options))

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Run one tool by its name; see `afterword.call`.

        Raises:
            PipelineError: the tool refused.
        """
        return await asyncio.to_thread(call, self.agent, tool, arguments)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.to_thread(self.agent.close)

    if TYPE_CHECKING:  # the methods of `Agent`

        def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]: ...


def _awaited(method: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    @wraps(method)
    async def run(agent: AsyncAgent, /, *args: Any, **named: Any) -> Any:
        return await asyncio.to_thread(method, agent.agent, *args, **named)

    return run


def _add(name: str) -> None:
    method = LaterMethod(lambda: _awaited(getattr(Agent, name)))
    method.__set_name__(AsyncAgent, name)
    setattr(AsyncAgent, name, method)


for _name, _method in vars(Agent).items():
    if isinstance(_method, FunctionType | LaterMethod) and not _name.startswith("_"):
        _add(_name)
