"""Declares the layouts of exports, and the mappings of columns that were named once."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaTable,
    ForgetPlace,
)

AREA: Final = Area(
    name="exports",
    tables=(AreaTable("export_mappings", quiet="time_unit decimal_mark"),),
    exports=(
        AreaExport(
            "export_mappings", "export_mappings", key="name known_at", order=280, trust="known"
        ),
    ),
    commands=(
        AreaCommand(
            "layout",
            "afterword.pipeline.doors.commands.layout:app",
            "See the layouts of exports, and try one of your own.",
            order=121,
        ),
    ),
    settings=("layout_model",),
    places=(
        ForgetPlace(
            "export_mappings",
            order=135,
            words=("name", "columns", "zone", "time_format", "symbol"),
            json=("header",),
        ),
    ),
)
