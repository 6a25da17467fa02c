"""Declares the commands that belong to no other room."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="commands",
    commands=(
        AreaCommand(
            "config",
            "afterword.pipeline.doors.commands.config:app",
            "Show every setting and where it comes from.",
            order=190,
        ),
    ),
)
