"""Declares the command that tries out the file of a skill."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="skills",
    commands=(
        AreaCommand(
            "skill",
            "afterword.pipeline.doors.commands.skills:app",
            "Try out the file of a skill.",
            order=55,
        ),
    ),
)
