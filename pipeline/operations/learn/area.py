"""Declares the commands that show what trades teach."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="learn",
    settings=("timezone",),
    commands=(
        AreaCommand(
            "learn",
            "afterword.pipeline.doors.commands.learn:learn",
            "Show what the trades of an export teach, in one page.",
            order=5,
        ),
        AreaCommand(
            "trades",
            "afterword.pipeline.doors.commands.trades:app",
            "List, show, tag and sum up trades.",
            order=125,
        ),
    ),
)
