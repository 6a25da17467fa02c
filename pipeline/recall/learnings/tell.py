"""Tell the learnings of a turn; and, for people, what words would be told now or at a moment."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.learnings.model import LearningRules
from afterword.pipeline.domain.learnings.suggest import (
    FittingLearning,
    fitting_learnings,
    suggest_learnings,
)
from afterword.pipeline.domain.memory.checks import MAX_CONTENT, check_text
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.recall.learnings.block import render_learnings


@dataclass(frozen=True, slots=True)
class SuggestedLearnings:
    """What a message would be told.

    Args:
        block: the text for the turn; empty if nothing fits.
        fitting: the learnings in it, the best first.
    """

    block: str
    fitting: tuple[FittingLearning, ...]


def tell_learnings(by: Writer, turn: str, rules: LearningRules, context: str = "") -> str:
    """Return the block for an open turn, and note what it shows; see `suggest_learnings`.

    It is of this turn alone: it stands beside the message, never in the prefix that prompts share.
    """
    return render_learnings(suggest_learnings(by, turn, rules, context))


def preview_learnings(
    conn: Connection, message: str, top_k: int, as_of: datetime | None = None
) -> SuggestedLearnings:
    """Return what a message would be told, now or at a moment; it writes nothing, and draws none.

    Raises:
        InvalidInputError: a message that cannot be one, or a moment that was purged.
    """
    check_text(message, MAX_CONTENT, "message")
    fitting = fitting_learnings(conn, message, as_of=read_moment(conn, as_of))[:top_k]
    return SuggestedLearnings(render_learnings([one.learning for one in fitting]), tuple(fitting))
