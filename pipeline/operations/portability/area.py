"""Declares export and import: the numbers of the exports."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable

AREA: Final = Area(
    name="portability",
    tables=(AreaTable("group_exports", quiet="group_name"),),
)
