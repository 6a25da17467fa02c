"""Methodologies as lines of JSON, read whole before one of them is added."""

from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.methodologies.checks import (
    CheckedMethodology,
    check_methodology,
    read_phases,
)
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.methodologies.read import MAX_LISTED_METHODS
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.line_fields import check_fields

_KEYS: Final = tuple(
    field.name for field in fields_of(NewMethodology) if field.name not in ("origin", "seeded_from")
)
_IN_PLACE: Final = {
    "methodology": "Buy momentum.",
    "asset_class": "stock",
    "direction": "bullish",
    "timeframe": "short",
    "primary_signal": "momentum",
}
"""Values in place of wrong ones, so that the other fields are checked too; never added."""


def read_methodologies(path: Path) -> list[CheckedMethodology]:
    """Return the methodologies of a file, each checked and ready to be added.

    Args:
        path: one JSON object a line, with the fields of a methodology; `-` is standard input. A
            line without a `source` is an import.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
        ExceptionGroup: of one InvalidInputError for each distinct mistake.
    """
    return read_objects(path, "methodologies", MAX_LISTED_METHODS, _methodology)


def _methodology(named: dict[str, Any], at: str) -> CheckedMethodology:
    return check_fields(named, at, _KEYS, _IN_PLACE, _checked)


def _checked(fields: dict[str, Any], at: str) -> CheckedMethodology:
    given = {"methodology": "", "asset_class": None, "direction": None, "timeframe": None} | fields
    phases = tuple(read_phases(given.pop("phases", []), f"{at}.phases"))
    source = given.pop("source", "import")
    new = NewMethodology(**given, phases=phases, source=source, origin="import")
    return check_methodology(new, "owner", f"{at}.")
