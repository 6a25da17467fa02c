"""The end of a turn: what it did with the learnings it was shown, and whether it is reviewed."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.learnings import rows
from afterword.pipeline.domain.learnings.adoption import (
    note_taught,
    ran_in_order,
    was_followed,
)
from afterword.pipeline.domain.learnings.model import LearningResult, LearningRules
from afterword.pipeline.domain.learnings.review_later import review_later
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Turn


def settle_turn(
    conn: Connection, by: Writer, turn: Turn, now: datetime, *, rules: LearningRules
) -> None:
    """Count what a turn did with its learnings, and add its review; once, as it is finished.

    While learning is off, nothing is written.
    """
    if not rules.is_enabled:
        return
    _settle_shown(conn, turn, now)
    _settle_waiting(conn, by, turn, now)
    review_later(conn, rules, turn, now)


def _settle_shown(conn: Connection, turn: Turn, now: datetime) -> None:
    """Count each learning that the turn was shown, once."""
    assert turn.outcome is not None  # it is finished
    moment = to_micros(now)
    for showing in rows.open_showings(conn, turn.id):
        is_shown = showing.arm == "shown"
        result: LearningResult = "noted"
        if is_shown and showing.tools:
            result = turn.outcome if was_followed(showing.tools, turn) else "ignored"
        if rows.settle(conn, showing.id, result, turn.outcome, moment):
            rows.count(conn, showing.learning_id, result, moment, shown=is_shown)
            if is_shown:
                emit("learning.settled", result=result)


def _settle_waiting(conn: Connection, by: Writer, turn: Turn, now: datetime) -> None:
    """Let what the agent said in a turn that succeeded be shown; a failed turn teaches nothing."""
    for learning in rows.waiting(conn, turn.id):
        is_proved = ran_in_order(learning.tools, turn.tool_calls)
        # A program that tells no calls leaves the agent's word, which no turn counts for.
        is_kept = turn.outcome == "succeeded" and (is_proved or not turn.tool_calls)
        touched = [ChangedRow(learning.id, turn.session_uid, {"uid": learning.uid})]
        if not is_kept:
            audit(conn, now, by.actor, "learning.drop", "learnings", touched)
            rows.drop(conn, learning.id)
            continue
        audit(conn, now, by.actor, "learning.confirm", "learnings", touched)
        rows.activate(conn, learning.id, to_micros(now))
        if is_proved:
            note_taught(conn, turn.id, learning.id, to_micros(now))
