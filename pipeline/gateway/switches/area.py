"""Declares the switches; each task that has one is declared by its own area."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaRoute,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
)

AREA: Final = Area(
    name="switches",
    tables=(AreaTable("switch_changes", quiet="task mode"),),
    # The mode that a change set stays.
    places=(
        ForgetPlace(
            "switch_changes", order=200, words=("note",), blank="note = ''", file="instance"
        ),
    ),
    checks=(
        DoctorCheck(
            "instance", "afterword.pipeline.operations.doctor.governance:check_switches", order=20
        ),
    ),
    commands=(
        AreaCommand(
            "switch",
            "afterword.pipeline.doors.commands.switches:app",
            "Turn model tasks on or off, or run them in shadow mode.",
            order=170,
        ),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/switches",
            "afterword.pipeline.doors.http.routes.operator:list_switches",
            "owner observer",
        ),
        AreaRoute(
            "PUT",
            "/v1/switches/{task}",
            "afterword.pipeline.doors.http.routes.operator:set_switch",
            "owner",
        ),
    ),
    pages=(
        AreaPage(
            "/switches",
            "afterword.pipeline.doors.web.operator.switches:switches",
            "Switches",
            "operator",
            order=240,
            needs_group=False,
        ),
        AreaPage(
            "/switches/{task}",
            "afterword.pipeline.doors.web.operator.switches:switch",
            "Switch",
            "",
            order=241,
            shows="switch",
            needs_group=False,
        ),
    ),
    actions=(
        AreaAction("/switches/{task}", "afterword.pipeline.doors.web.operator.switches:set_switch"),
    ),
)
