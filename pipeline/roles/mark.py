"""Say by hand what became of a decision; a judge, where one is needed, is asked afterwards."""

from typing import Final

from pipeline.clock import Clock, to_micros
from pipeline.errors import ConflictError, InvalidInputError
from pipeline.market.outcome import marked
from pipeline.memory.audit_log import Touched
from pipeline.memory.audit_log import record as audit
from pipeline.memory.checks import check_text
from pipeline.memory.model import Actor
from pipeline.roles import settle_rows
from pipeline.roles.model import Decision, Mark
from pipeline.roles.read import find_decision
from pipeline.roles.triggers import begin
from pipeline.skills import RoleRegistry
from pipeline.store import Store, writing
from pipeline.text.line import one_line
from pipeline.text.masking import mask

MAX_NOTE: Final = 500
"""Characters of the reason a person gives."""


def mark_decision(
    store: Store,
    registry: RoleRegistry,
    decision: str | int,
    outcome: Mark,
    note: str,
    clock: Clock,
    *,
    actor: Actor = "owner",
) -> Decision:
    """Mark a decision that waits as right, wrong or noise; it is stronger than any probe.

    Args:
        decision: its uid, or its id inside the store.
        note: why; becomes part of its story.

    Raises:
        NotFoundError: there is no such decision, or no skill declares its role any more.
        InvalidInputError: no such outcome, or a note that cannot be kept.
        ConflictError: it waits for no mark: it has one, or it is judged or skipped.
    """
    marked(outcome, note)  # refuses what is no outcome
    check_text(note, MAX_NOTE, "note")
    said = one_line(mask(note), MAX_NOTE)
    if not said:
        raise InvalidInputError("note", "shows nothing", "a few words")
    with writing(store) as conn:
        found, now = find_decision(conn, decision), clock()
        role = registry.role(found.role_id)
        if not settle_rows.mark(conn, found.id, outcome, said, to_micros(now)):
            state = "marked" if found.mark else found.state
            raise ConflictError(f"decision {found.uid} is {state} already; a mark changes nothing")
        touched = Touched(found.id, found.session_id, {"uid": found.uid, "mark": outcome})
        audit(conn, now, actor, "role.mark", "role_memory", [touched])
        begin(conn, role, now)
        return find_decision(conn, found.id)
