"""Declares the doctor: its command. Its checks and fixes are declared by their own areas."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaPage

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
    pages=(
        AreaPage(
            "/doctor",
            "afterword.pipeline.doors.web.operator.doctor:doctor",
            "Doctor",
            "operator",
            order=280,
            needs_group=False,
        ),
    ),
)
