"""The Model Context Protocol at `/mcp`, beside the routes: the same tools, checks and sessions."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI, Request

from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.http.app import build_app
from afterword.pipeline.doors.http.asgi import AsgiApp, Receive, Scope, Send
from afterword.pipeline.doors.http.body import MAX_BODY_BYTES
from afterword.pipeline.doors.http.caller import ServerParts, caller_in
from afterword.pipeline.doors.http.guard import answer_problem
from afterword.pipeline.doors.http.problems import Problem
from afterword.pipeline.doors.http.tool_calls import ToolCalls, turns_of

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

MCP_PATH: Final = "/mcp"


def with_mcp(parts: ServerParts) -> AsgiApp:
    """Return the routes, and MCP beside them where its package is installed."""
    try:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from afterword.pipeline.doors.mcp.server import build_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        return ToolCalls(parts, build_app(parts))

    def run(context: "ServerRequestContext[Any]", tool: str, arguments: Mapping[str, Any]) -> Any:
        request = context.request
        assert isinstance(request, Request)  # every message came in one
        # A client that repeats a call may number its message anew.
        asked = json.dumps([tool, arguments], sort_keys=True).encode()
        return caller_in(parts, request, asked).call_tool(tool, arguments)

    settings = parts.settings
    server = build_server(
        run,
        limits_of(settings),
        parts.roles,
        settings.mcp_tools,
        settings.home,
        turns_of(parts),
    )
    # The guard has checked Host, Origin and size; each request carries its token, so none needs a
    # session of the protocol: a server that starts again is no loss to a client.
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=MAX_BODY_BYTES
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with manager.run():
            yield

    routes = ToolCalls(parts, build_app(parts, lifespan))
    return _McpBeside(routes, manager.handle_request)


class _McpBeside:
    """Sends the requests of one path to MCP."""

    def __init__(self, routes: AsgiApp, mcp: AsgiApp) -> None:
        self._routes, self._mcp = routes, mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] != MCP_PATH:
            await self._routes(scope, receive, send)
            return
        scope["afterword.route"] = MCP_PATH
        if scope["afterword.token"].role != "agent":
            problem = Problem(403, f"{MCP_PATH} is for: agent")
            await answer_problem(problem, scope["afterword.request"], send)
        else:
            await self._mcp(scope, receive, send)
