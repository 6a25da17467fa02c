"""Declares the command that connects a client."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="connect",
    commands=(
        AreaCommand(
            "connect",
            "afterword.pipeline.doors.commands.connect:connect",
            "Connect Hermes, OpenClaw or another client with one command.",
            order=118,
        ),
    ),
)
