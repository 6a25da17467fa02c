"""Decisions as lines of JSON, read whole before one of them is recorded."""

from dataclasses import fields
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
    for field in fields(NewDecision)
    if field.name != "origin"
)


def read_decisions(path: Path, registry: RoleRegistry, role: str = "") -> list[NewDecisionRow]:
    """Return the decisions of a file, each checked and ready to be recorded.

    Args:
        path: one JSON object a line, with the fields of a decision; `-` is standard input.
        role: whose they are, where a line does not say.

    Raises:
        InvalidInputError: the file cannot be read, or is too large.
        ExceptionGroup: of one InvalidInputError for each bad line.
    """

    def decision(named: dict[str, Any], at: str) -> NewDecisionRow:
        for key in named:
            if key not in _KEYS:
                raise InvalidInputError(f"{at}.{key}", "is no field", ", ".join(_KEYS))
        moment = read_moment(named.pop("decided_at", None), f"{at}.decided_at")
        role_id, said = named.pop("role", role), named.pop("decision", "")
        new = NewDecision(role_id, said, **named, decided_at=moment, origin="import")
        return prepare(registry, new, f"{at}.")

    checked, problems = read_objects(path, "decisions", MAX_DECISIONS, decision)
    if problems:
        raise ExceptionGroup(f"{path}", problems)
    return checked
