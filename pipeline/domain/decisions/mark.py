"""Mark the outcome of a decision by hand; a judge is asked afterwards if it went wrong."""

from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.decisions import settle_rows
from afterword.pipeline.domain.decisions.model import Decision, Mark
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.flags import flag_texts, scan_ahead
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import ConflictError, InvalidInputError
from afterword.pipeline.rules.market.outcome import marked
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_MARK_NOTE: Final = 500
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
    """Mark a waiting decision as right, wrong or noise; a mark overrules the probe.

    Args:
        decision: its uid, or its id inside the store.
        note: why; becomes the `why` of its outcome.

    Raises:
        NotFoundError: there is no such decision, or no skill declares its role any more.
        InvalidInputError: no such outcome, or a note that cannot be stored.
        ConflictError: it is marked, judged or skipped already.
    """
    marked(outcome, note)  # refuses an unknown outcome
    check_text(note, MAX_MARK_NOTE, "note")
    reason = one_line(mask(note), MAX_MARK_NOTE)
    if not reason:
        raise InvalidInputError("note", "shows nothing", "a few words")
    scan_ahead(reason)
    with writing(store) as conn:
        waiting, now = find_decision(conn, decision), clock()
        role = registry.role(waiting.role_id)
        if not settle_rows.mark(conn, waiting.id, outcome, reason, to_micros(now)):
            state = "marked" if waiting.mark else waiting.state
            raise ConflictError(
                f"decision {waiting.uid} is {state} already; a mark changes nothing"
            )
        flag_texts(conn, "role_memory", [(waiting.id, reason)], now)
        touched = ChangedRow(waiting.id, waiting.session_id, {"uid": waiting.uid, "mark": outcome})
        audit(conn, now, actor, "role.mark", "role_memory", [touched])
        begin(conn, role, now)
        return find_decision(conn, waiting.id)
