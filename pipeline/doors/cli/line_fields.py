"""Check every field of a line of JSON, though a check stops at the first wrong one."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from afterword.pipeline.doors.cli.json_lines import unknown_fields
from afterword.pipeline.errors import InvalidInputError

_Checked = TypeVar("_Checked")


def check_fields(
    named: Mapping[str, Any],
    at: str,
    known: Sequence[str],
    in_place: Mapping[str, Any],
    check: Callable[[dict[str, Any], str], _Checked],
    last: str = "",
) -> _Checked:
    """Return the value of a line.

    Args:
        named: the fields of the line.
        at: its place, such as `decisions[3]`.
        known: the names of all fields.
        in_place: by field, a right value in place of a wrong one, so that the other fields are
            checked too.
        check: returns the value of the fields, or raises an InvalidInputError for a wrong one.
        last: a field that says how the others are checked: no other follows it.

    Raises:
        ExceptionGroup: of one InvalidInputError for each wrong field.
    """
    problems = unknown_fields(named, known, at)
    fields = {field: value for field, value in named.items() if field in known}
    wrong: set[str] = set()
    while True:
        try:
            value = check(fields, at)
        except InvalidInputError as problem:
            field = re.split(r"[.\[]", problem.field.removeprefix(f"{at}."))[0]
            if field in wrong:
                break  # of the value in its place, not of the line
            problems.append(problem)
            if field == last:
                break
            wrong.add(field)
            fields.pop(field, None)
            if field in in_place:
                fields[field] = in_place[field]
        else:
            break
    if problems:
        raise ExceptionGroup(at, problems)
    return value
