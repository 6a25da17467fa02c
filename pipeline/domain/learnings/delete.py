"""Delete a learning: no turn is shown it any more. There is no demotion (R5)."""

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.learnings import rows
from afterword.pipeline.domain.learnings.model import Learning
from afterword.pipeline.domain.learnings.read import find_learning
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError


def delete_learning(by: Writer, name: str | int) -> Learning:
    """Delete a learning softly; if it was useful, turns will teach it again.

    Raises:
        NotFoundError: there is none.
        ConflictError: it is deleted already.
        InvalidInputError: the writer is not the owner.
    """
    if by.actor != "owner":
        raise InvalidInputError("learning", f"is not the {by.actor}'s to delete", "the owner")
    with writing(by.store) as conn:
        now, learning = by.clock(), find_learning(conn, name)
        if not rows.delete(conn, learning.id, to_micros(now)):
            raise ConflictError(f"learning {learning.uid} is deleted already")
        touched = ChangedRow(learning.id, by.session, {"uid": learning.uid})
        audit(conn, now, by.actor, "learning.delete", "learnings", [touched])
        return find_learning(conn, learning.id)
