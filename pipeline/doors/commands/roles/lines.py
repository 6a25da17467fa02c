"""Decisions as lines of JSON, read whole before one of them is recorded."""

from dataclasses import fields as fields_of
from functools import partial
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.decisions.model import NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import MAX_DECISIONS, prepare
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.line_fields import check_fields
from afterword.pipeline.doors.cli.moments import read_moment

_KEYS: Final = tuple(
    "role" if field.name == "role_id" else field.name
    for field in fields_of(NewDecision)
    if field.name != "origin"
)

_IN_PLACE: Final = {"decision": "-", "asset": "BTC", "direction": "neutral"}
"""Values in place of wrong ones, so that the other fields are checked too; never recorded."""


def read_decisions(
    path: Path, registry: RoleRegistry, role: str = "", most: int = MAX_DECISIONS
) -> list[NewDecisionRow]:
    """Return the decisions of a file, each checked and ready to be recorded.

    Args:
        path: one JSON object a line, with the fields of a decision; `-` is standard input.
        role: whose they are, where a line does not say.
        most: lines of the file; count.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
        ExceptionGroup: of one InvalidInputError for each distinct mistake.
    """

    check = partial(_prepared, registry)

    def read(named: dict[str, Any], at: str) -> NewDecisionRow:
        return check_fields({"role": role} | named, at, _KEYS, _IN_PLACE, check, last="role")

    return read_objects(path, "decisions", most, read)


def _prepared(registry: RoleRegistry, fields: dict[str, Any], at: str) -> NewDecisionRow:
    given = dict(fields)
    moment = read_moment(given.pop("decided_at", None), f"{at}.decided_at")
    role, decision = given.pop("role"), given.pop("decision", "")
    new = NewDecision(role, decision, **given, decided_at=moment, origin="import")
    return prepare(registry, new, f"{at}.")
