"""What the doctor declares: its command; what it looks at is declared by each area."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand

AREA: Final = Area(
    name="doctor",
    commands=(
        AreaCommand(
            "doctor",
            "afterword.pipeline.doors.commands.doctor:doctor",
            "Look for what is wrong and say what to do.",
            order=200,
        ),
    ),
)
