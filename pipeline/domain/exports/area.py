"""Declares the mappings of columns that were named once, for the next file with the same header."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="exports",
    tables=(AreaTable("export_mappings", quiet="time_unit decimal_mark"),),
    places=(
        ForgetPlace(
            "export_mappings",
            order=135,
            words=("name", "columns", "zone", "time_format", "symbol"),
            json=("header",),
        ),
    ),
)
