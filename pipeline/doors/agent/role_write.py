"""The recording of a decision; see `write`."""

import json
from dataclasses import replace

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.record import insert, prepare
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.read import unknown_methods
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent.role_model import RoleDecision, decided


def record_decision(
    by: Writer, limits: Limits, registry: RoleRegistry, new: NewDecision
) -> RoleDecision:
    """Record a decision of a role; it is counted, unless its key recorded it before.

    Raises:
        NotFoundError: the session was erased, or no skill declares the role.
        InvalidInputError: the session has ended, an argument is wrong, or the key names another
            decision.
        BudgetExceededError: the session has no more decisions.
    """
    row = replace(prepare(registry, new), uid=by.ids(), session_id=by.session)
    with writing(by.store) as conn:
        open_session(conn, by)
        (done,) = insert(
            conn, registry, [row], by.clock(), actor=by.actor, embedding_enabled=by.embeds
        )
        if done.is_new:
            spend(conn, by, limits, decisions=1)
        unknown = unknown_methods(conn, json.loads(row.methods))
        decision = find_decision(conn, done.id)
        return decided(
            decision, by.store.name, is_new=done.is_new, unknown=unknown, flagged=done.flagged
        )
