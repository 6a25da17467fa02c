"""Declares the doctor: its command. Its checks and fixes are declared by their own areas."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaAction, AreaCommand, AreaPage

_REPAIRS: Final = "afterword.pipeline.doors.web.operator.repairs"

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
        AreaPage(
            "/doctor/repairs",
            f"{_REPAIRS}:repairs",
            "Repairs",
            "",
            order=281,
            shows="repairs",
        ),
        AreaPage(
            "/doctor/repairs/{repair}",
            f"{_REPAIRS}:repair",
            "Repair",
            "",
            order=282,
            shows="repair",
        ),
    ),
    actions=(AreaAction("/doctor/repairs/{repair}", f"{_REPAIRS}:apply"),),
)
