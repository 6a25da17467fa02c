"""Serve one client until it leaves or the process is told to end: one process is one session."""

import asyncio
import signal
import sys
from functools import partial
from typing import Final

import anyio

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.mcp.server import server_of
from afterword.pipeline.doors.mcp.wire import StandardStreams, messages
from afterword.pipeline.settings import Settings

_ENDING_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def serve(settings: Settings) -> None:
    """Begin a session, serve the client of this process, and end the session.

    Raises:
        InvalidInputError: a setting, the group's name or a skill in the home is wrong.
        UnavailableError: the files cannot be opened.
    """
    asyncio.run(_serve(settings, StandardStreams()))


async def _serve(settings: Settings, streams: StandardStreams) -> None:
    log_events(sys.stderr, settings.log_format, "WARNING", system_clock)
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as whole:
        for ending in _ENDING_SIGNALS:
            loop.add_signal_handler(ending, whole.cancel)
        begin = partial(Agent.open, settings.group, label="mcp", home=settings.home)
        agent = await anyio.to_thread.run_sync(begin)
        try:
            server = server_of(agent, limits_of(settings), settings.mcp_tools, settings.home)
            async with messages(streams) as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            agent.close()
