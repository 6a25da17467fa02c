"""The class `AsyncAgent`: the agent's methods for programs on asyncio, made from `Agent`'s own."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from threading import Condition, Lock
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

from afterword.pipeline.doors.agent.agent import Agent
from afterword.pipeline.doors.agent.call import call
from afterword.pipeline.doors.agent.later import LaterMethod


class AsyncAgent:
    """An `Agent` whose methods are awaited; each runs on a thread, since SQLite blocks.

    A call that is cancelled is not waited for any longer. If its thread has begun, it ends there,
    and a write happens whole; `close` waits for it.

    It has every method of `Agent`, and `call`, which runs what a model asks for::

        from afterword import AsyncAgent
        async with await AsyncAgent.open("main") as agent:
            await agent.memory_store("preference", "Prefers weekly charts")

    Args:
        agent: the agent whose methods run.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._running, self._gate = 0, Condition()

    @classmethod
    async def open(cls, group: str | None = None, **options: Any) -> Self:
        """Open an agent's memory; the arguments are those of `Agent.open`.

        Raises:
            InvalidInputError: a setting, the group's name or a skill in the home is wrong.
            NotFoundError: the handle was not issued in this group, or there is no such group.
        """
        opening = _Opening()
        try:
            return cls(await asyncio.to_thread(opening.run, group, options))
        except asyncio.CancelledError:
            await asyncio.to_thread(opening.abandon)
            raise

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Run one tool by its name; see `afterword.call`.

        Raises:
            PipelineError: the tool refused.
        """
        return await self._on_thread(call, self.agent, tool, arguments)

    async def close(self) -> None:
        """Close what `open` opened, and end a session that it began; a second call does nothing."""
        await asyncio.to_thread(self._close)

    async def _on_thread(self, method: Callable[..., Any], *args: Any, **named: Any) -> Any:
        return await asyncio.to_thread(self._counted, method, *args, **named)

    def _counted(self, method: Callable[..., Any], *args: Any, **named: Any) -> Any:
        with self._gate:
            self._running += 1
        try:
            return method(*args, **named)
        finally:
            with self._gate:
                self._running -= 1
                self._gate.notify_all()

    def _close(self) -> None:
        with self._gate:
            self._gate.wait_for(lambda: not self._running)  # its files are still in use
            self.agent.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    if TYPE_CHECKING:  # the methods of `Agent`

        def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]: ...


class _Opening:
    """An agent that is being opened, and closed again if nobody waits for it any longer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._agent: Agent | None = None
        self._is_abandoned = False

    def run(self, group: str | None, options: dict[str, Any]) -> Agent:
        """Open the agent, on a thread; close it at once if nobody waits for it any longer."""
        agent = Agent.open(group, **options)
        with self._lock:
            self._agent = agent
            if self._is_abandoned:
                agent.close()
        return agent

    def abandon(self) -> None:
        """Close the agent, now or as soon as it is open."""
        with self._lock:
            self._is_abandoned = True
            if self._agent is not None:
                self._agent.close()


def _awaited(method: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    @wraps(method)
    async def run(agent: AsyncAgent, /, *args: Any, **named: Any) -> Any:
        return await agent._on_thread(method, agent.agent, *args, **named)

    return run


def _add(name: str) -> None:
    method = LaterMethod(lambda: _awaited(getattr(Agent, name)))
    method.__set_name__(AsyncAgent, name)
    setattr(AsyncAgent, name, method)


for _name, _method in vars(Agent).items():
    if isinstance(_method, FunctionType | LaterMethod) and not (
        _name.startswith("_") or _name in vars(AsyncAgent)
    ):
        _add(_name)
