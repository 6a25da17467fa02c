"""Declares the commands for clients with a model, and for hosts of plugins."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="mcp",
    commands=(
        AreaCommand(
            "plugin",
            "afterword.pipeline.doors.commands.plugin:app",
            "Print what a host reads of the memory as its plugin.",
            order=114,
        ),
        AreaCommand(
            "mcp",
            "afterword.pipeline.doors.commands.mcp:mcp",
            "Serve the memory to Claude, Cursor and other MCP clients.",
            order=115,
        ),
    ),
    settings=("mcp_tools",),
)
