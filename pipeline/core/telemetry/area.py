"""Declares telemetry: the settings of the log."""

from typing import Final

from afterword.pipeline.core.area import Area

AREA: Final = Area(name="telemetry", settings=("log_format", "log_level"))
