"""Declares the command that serves the agent's tools to a client with a model."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="mcp",
    commands=(
        AreaCommand(
            "mcp",
            "afterword.pipeline.doors.commands.mcp:mcp",
            "Serve the memory to Claude, Cursor and other MCP clients.",
            order=115,
        ),
    ),
    settings=("mcp_tools",),
)
