"""Decisions as lines of JSON, read whole before one of them is recorded."""

import re
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import MAX_DECISIONS, prepare
from afterword.pipeline.domain.decisions.rows import NewDecisionRow
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError

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

    def decision(named: dict[str, Any], at: str) -> NewDecisionRow:
        return _decision(registry, {"role": role} | named, at)

    checked, problems = read_objects(path, "decisions", most, decision)
    if problems:
        raise ExceptionGroup(f"{path}", problems)
    return checked


def _decision(registry: RoleRegistry, named: dict[str, Any], at: str) -> NewDecisionRow:
    """Return the decision of a line, ready to be recorded.

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
            row = _prepared(registry, fields, at)
        except InvalidInputError as problem:
            field = re.split(r"[.\[]", problem.field.removeprefix(f"{at}."))[0]
            if field in wrong:
                break  # of the value in its place, not of the line
            problems.append(problem)
            if field == "role":
                break  # it says how the others are checked
            wrong.add(field)
            fields.pop(field, None)
            fields |= {field: _IN_PLACE[field]} if field in _IN_PLACE else {}
        else:
            break
    if problems:
        raise ExceptionGroup(at, problems)
    return row


def _prepared(registry: RoleRegistry, fields: dict[str, Any], at: str) -> NewDecisionRow:
    given = dict(fields)
    moment = read_moment(given.pop("decided_at", None), f"{at}.decided_at")
    role, said = given.pop("role"), given.pop("decision", "")
    new = NewDecision(role, said, **given, decided_at=moment, origin="import")
    return prepare(registry, new, f"{at}.")
