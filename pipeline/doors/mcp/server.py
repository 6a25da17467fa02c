"""The server behind one client: what it may ask, and what it is answered."""

import json
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import anyio
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent import Agent, call, instructions
from afterword.pipeline.doors.agent.arguments import masking_refusals
from afterword.pipeline.doors.agent.offered import SERVER_NAME, Choice, offered
from afterword.pipeline.doors.mcp.answer_schema import structured
from afterword.pipeline.doors.mcp.offer import tool
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.rules.masking import trace

BEGIN_WORDS: Final = "Begin with `memory_brief`."
"""First line of the instructions: nobody else puts the brief into the model's prompt."""

UNEXPECTED: Final = "the memory failed unexpectedly; its owner finds the reason in the server's log"


def server_of(agent: Agent, limits: Limits, choice: Choice, home: Path) -> Server[Any]:
    """Return a server for one client, whose tools are those of an agent; see `build_server`."""
    turn = anyio.CapacityLimiter(1)  # tools run in the order they were called
    return build_server(
        lambda _context, tool, arguments: call(agent, tool, arguments),
        limits,
        agent.roles,
        choice,
        home,
        lambda _tool: turn,
    )


RunTool = Callable[[ServerRequestContext[Any], str, Mapping[str, Any]], Any]
"""Runs a tool by its name with named arguments, for the client of a request; the answer is plain
JSON."""


def build_server(
    run: RunTool,
    limits: Limits,
    roles: RoleRegistry,
    choice: Choice,
    home: Path,
    turns: Callable[[str], anyio.CapacityLimiter | None],
) -> Server[Any]:
    """Return a server whose tools are those of an agent.

    Args:
        limits: how much may be written in one session.
        roles: those that the instructions name.
        choice: which tools are offered.
        home: the folder of all files, which no answer names.
        turns: returns what limits how many calls of a tool run at once; None for as many as there
            are threads.
    """
    names = offered(choice)

    @cache  # made when it is first asked for: the answer to `initialize` does not wait for it
    def listed() -> ListToolsResult:
        return ListToolsResult(tools=[tool(name) for name in names])

    async def list_tools(
        _context: ServerRequestContext[Any], _asked: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed()

    async def call_tool(
        context: ServerRequestContext[Any], asked: CallToolRequestParams
    ) -> CallToolResult:
        # SQLite blocks, so tools run on a thread.
        answer = partial(_answer, partial(run, context), names, home, asked)
        return await anyio.to_thread.run_sync(answer, limiter=turns(asked.name))

    return Server(
        SERVER_NAME,
        version=version("afterword"),
        instructions=f"{BEGIN_WORDS}\n\n{instructions(limits, roles, names)}",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _answer(
    run: Callable[[str, Mapping[str, Any]], Any],
    names: tuple[str, ...],
    home: Path,
    asked: CallToolRequestParams,
) -> CallToolResult:
    """Return what a tool answers, or why it refuses; never an exception."""
    try:
        with masking_refusals(asked.name):
            check_word(asked.name, names, "tool")
        answer = run(asked.name, asked.arguments or {})
        return CallToolResult(
            content=[_text(_shown(answer))], structured_content=structured(answer)
        )
    except PipelineError as refusal:
        problem = str(refusal).replace(str(home), "<home>")
    except Exception as error:
        sys.stderr.write(trace(error))
        problem = UNEXPECTED
    return CallToolResult(content=[_text(problem)], is_error=True)


def _shown(answer: Any) -> str:
    """Return an answer as the text that a model reads."""
    if answer is None:
        return "Done."
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
