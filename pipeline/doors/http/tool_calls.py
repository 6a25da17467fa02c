"""The usual call of a tool, without the framework's way to a route: half of what it costs."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Request

from afterword.pipeline.doors.agent import TOOLS
from afterword.pipeline.doors.http.app import answering
from afterword.pipeline.doors.http.asgi import AsgiApp, Receive, Scope, Send
from afterword.pipeline.doors.http.caller import ServerParts, caller_in
from afterword.pipeline.doors.http.guard import replayed
from afterword.pipeline.doors.http.routes.tools import call_tool

TOOLS_PATH: Final = "/v1/tools/"
"""The path of a tool is this and its name."""

READS_AT_ONCE: Final = 4
"""Tools that read at the same time: they take turns at one processor, and forty threads that do
take half as long again. Where an embedder is asked they wait for it, and are not limited."""

ROUTE: Final = TOOLS_PATH + "{name}"
"""What the document calls the route of tools."""

_answer = answering(call_tool, 200)


def turns_of(parts: ServerParts) -> Callable[[str], CapacityLimiter | None]:
    """Return what limits how many calls of a tool run at once; None for as many as threads."""
    reads = None if parts.embeds else CapacityLimiter(READS_AT_ONCE)
    return lambda tool: None if tool not in TOOLS or TOOLS[tool].effect.writes else reads


class ToolCalls:
    """Answers calls of tools that the route of tools would accept, and sends it everything else.

    The route is still what the document describes, and what says why a request is refused.
    """

    def __init__(self, parts: ServerParts, routes: AsgiApp) -> None:
        self._parts, self._routes = parts, routes
        self._tools = {TOOLS_PATH + name: name for name in TOOLS}
        self._turns = turns_of(parts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, whose body the guard has read."""
        tool = self._tools.get(scope["path"]) if scope["type"] == "http" else None
        if (
            tool is None
            or scope["method"] != "POST"
            or scope["query_string"]
            or scope["afterword.token"].role != "agent"
        ):
            await self._routes(scope, receive, send)
            return
        body = (await receive())["body"]
        arguments = _object_in(body)
        if arguments is None:
            await self._routes(scope, replayed(body, receive), send)
            return
        scope["afterword.route"] = ROUTE
        by = caller_in(self._parts, Request(scope), body)
        call = partial(_answer, by, name=tool, arguments=arguments)
        response = await run_sync(call, limiter=self._turns(tool))
        await response(scope, receive, send)


def _object_in(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object that a body is; None for any other body."""
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
