"""Read a run from the JSON in which callers give it; each error names the field that is wrong."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.domain.institution.model import NewInstitutionRun, NewRoleOutput
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError

RUN_FIELDS: Final = ("run", "asset", "outputs", "decided_at", "decision", "retrospect", "meta")
"""The fields of a run; the first three are needed."""

OUTPUT_FIELDS: Final = ("role", "form", "output", "reply", "model")
"""The fields of an output; it has the first two, and one of the next two."""


def read_run(
    given: Mapping[str, Any], decided_at: datetime | None = None, at: str = ""
) -> NewInstitutionRun:
    """Return a run; its values are checked by `check_run`.

    Args:
        given: a JSON object with some of `RUN_FIELDS`.
        decided_at: its moment, where the caller has read it.
        at: its place in a list, such as `runs[3].`; prefix of field names.

    Raises:
        InvalidInputError: it has an unknown field, or lacks one.
    """
    _check_fields(given, RUN_FIELDS, RUN_FIELDS[:3], at)
    outputs, meta = given["outputs"], given.get("meta")
    if not isinstance(outputs, Sequence) or isinstance(outputs, str | bytes):
        problem = f"{short_repr(outputs)} is not a list"
        raise InvalidInputError(f"{at}outputs", problem, "a list of objects, one for each output")
    if meta is not None and not isinstance(meta, Mapping):
        problem = f"{short_repr(meta)} is not an object"
        raise InvalidInputError(f"{at}meta", problem, "a JSON object")
    return NewInstitutionRun(
        uid=given["run"],
        asset=given["asset"],
        outputs=tuple(_output(one, f"{at}outputs[{place}].") for place, one in enumerate(outputs)),
        decided_at=decided_at,
        decision=given.get("decision"),
        retrospect=given.get("retrospect"),
        meta=meta,
    )


def _output(given: object, at: str) -> NewRoleOutput:
    if not isinstance(given, Mapping):
        accepted = f"an object with {', '.join(OUTPUT_FIELDS)}"
        raise InvalidInputError(at[:-1], f"{short_repr(given)} is not an object", accepted)
    _check_fields(given, OUTPUT_FIELDS, OUTPUT_FIELDS[:2], at)
    return NewRoleOutput(**given)


def _check_fields(
    given: Mapping[str, Any], known: Sequence[str], needed: Sequence[str], at: str
) -> None:
    for name in given:
        if name not in known:
            field = f"{at}{name}" if isinstance(name, str) and name.isidentifier() else at[:-1]
            raise InvalidInputError(field or "run", "is an unknown field", ", ".join(known))
    for name in needed:
        if name not in given:
            raise InvalidInputError(
                f"{at}{name}", "is missing", f"an object with {', '.join(known)}"
            )
