"""What the owner may do to a methodology: delete it, and clear what the injection scan found."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies import lifecycle_rows, rows
from afterword.pipeline.domain.methodologies.lifecycle_rows import NewLifecycleEvent
from afterword.pipeline.domain.methodologies.model import LifecycleKind, Methodology
from afterword.pipeline.domain.methodologies.read import find_methodology
from afterword.pipeline.errors import ConflictError, InvalidInputError


def delete_methodology(by: Writer, name: str | int) -> Methodology:
    """Delete a methodology, softly: no prompt shows it, and its record keeps counting.

    The number of methodologies ever tried is part of every verdict, so deleting failures helps no
    other one.

    Raises:
        NotFoundError: there is none.
        ConflictError: it is deleted already, or goes on in another one.
        InvalidInputError: the writer is not the owner.
    """
    _require_owner(by)
    with writing(by.store) as conn:
        now, method = by.clock(), find_methodology(conn, name)
        if not rows.delete(conn, method.id, to_micros(now)):
            where = "is deleted already"
            if method.merged_into is not None:
                where = f"goes on in {method.merged_into}; delete that one"
            raise ConflictError(f"methodology {method.uid} {where}")
        _record(conn, by, now, "deleted", method)
        return find_methodology(conn, method.id)


def clear_injection(by: Writer, name: str | int) -> Methodology:
    """Note that a methodology's text is no injection, so that it may enter prompts once graduated.

    Raises:
        NotFoundError: there is none.
        ConflictError: nothing was found in it, or it was cleared before.
        InvalidInputError: the writer is not the owner.
    """
    _require_owner(by)
    with writing(by.store) as conn:
        now, method = by.clock(), find_methodology(conn, name)
        if not rows.clear(conn, method.id, to_micros(now)):
            problem = "was cleared before" if method.injection else "has nothing to clear"
            raise ConflictError(f"methodology {method.uid} {problem}")
        _record(conn, by, now, "injection_cleared", method)
        return find_methodology(conn, method.id)


def _require_owner(by: Writer) -> None:
    if by.actor != "owner":
        raise InvalidInputError("methodology", f"is not the {by.actor}'s to change", "the owner")


def _record(
    conn: Connection, by: Writer, now: datetime, kind: LifecycleKind, method: Methodology
) -> None:
    """Write the event of a change, and its line of the audit."""
    event = NewLifecycleEvent(method.id, kind, by.actor, numbers={})
    lifecycle_rows.add_events(conn, [event], to_micros(now))
    call = {"deleted": "methodology.delete", "injection_cleared": "methodology.clear"}[kind]
    touched = ChangedRow(method.id, by.session, {"uid": method.uid})
    audit(conn, now, by.actor, call, "methodologies", [touched])
