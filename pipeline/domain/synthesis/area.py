"""Declares the synthesis: the table of its passes."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable

AREA: Final = Area(
    name="synthesis",
    tables=(AreaTable("methodology_cron_runs", quiet="trigger judge numbers"),),
)
