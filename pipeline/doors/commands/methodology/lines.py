"""Methodologies as lines of JSON, read whole before one of them is added."""

import re
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
from afterword.pipeline.errors import InvalidInputError

_KEYS: Final = tuple(
    one.name for one in fields_of(NewMethodology) if one.name not in ("origin", "seeded_from")
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
    checked, problems = read_objects(path, "methodologies", MAX_LISTED_METHODS, _methodology)
    if problems:
        raise ExceptionGroup(f"{path}", problems)
    return checked


def _methodology(named: dict[str, Any], at: str) -> CheckedMethodology:
    """Return the methodology of a line.

    Raises:
        ExceptionGroup: of one InvalidInputError for each wrong field.
    """
    problems = [
        InvalidInputError(f"{at}.{key}", "is an unknown field", ", ".join(_KEYS))
        for key in named
        if key not in _KEYS
    ]
    fields = {key: value for key, value in named.items() if key in _KEYS}
    wrong: set[str] = set()
    while True:
        try:
            checked = _checked(fields, at)
        except InvalidInputError as problem:
            field = re.split(r"[.\[]", problem.field.removeprefix(f"{at}."))[0]
            if field in wrong:
                break  # of the value in its place, not of the line
            problems.append(problem)
            wrong.add(field)
            fields.pop(field, None)
            fields |= {field: _IN_PLACE[field]} if field in _IN_PLACE else {}
        else:
            break
    if problems:
        raise ExceptionGroup(at, problems)
    return checked


def _checked(fields: dict[str, Any], at: str) -> CheckedMethodology:
    given = {"methodology": "", "asset_class": None, "direction": None, "timeframe": None} | fields
    phases = tuple(read_phases(given.pop("phases", []), f"{at}.phases"))
    source = given.pop("source", "import")
    new = NewMethodology(**given, phases=phases, source=source, origin="import")
    return check_methodology(new, "owner", f"{at}.")
