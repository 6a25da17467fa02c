"""Declares forgetting: the erasures that are not proved yet."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, DoctorCheck

AREA: Final = Area(
    name="forget",
    tables=(AreaTable("erasures", quiet="sealed"),),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.memory:check_erasures", order=90
        ),
    ),
    commands=(
        AreaCommand(
            "forget",
            "afterword.pipeline.doors.commands.forget:forget",
            "Erase a memory or a subject for good.",
            order=60,
        ),
    ),
)
