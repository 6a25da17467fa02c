"""Which turns are reviewed, and the job that does it."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.learnings.area import REVIEW_TURN
from afterword.pipeline.domain.learnings.model import LearningRules
from afterword.pipeline.domain.sessions.model import Turn


def review_later(conn: Connection, rules: LearningRules, turn: Turn, now: datetime) -> None:
    """Add the job that reviews a turn, in the transaction that finished it, if it may teach."""
    if is_reviewable(rules, turn):
        add(conn, REVIEW_TURN, {"turn": turn.id}, now, key=f"turn {turn.id}")


def is_reviewable(rules: LearningRules, turn: Turn) -> bool:
    """Say whether a turn is reviewed: it succeeded, with enough calls (R5)."""
    return (
        rules.is_enabled and turn.outcome == "succeeded" and len(turn.tool_calls) >= rules.min_calls
    )
