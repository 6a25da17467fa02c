"""What fits a message: the evaluation at the start of a turn (R5), and the same as of a moment."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.learnings import read_rows, rows, term_rows
from afterword.pipeline.domain.learnings.model import DECAY, Learning, LearningRules
from afterword.pipeline.domain.learnings.procedures import SUGGEST_AT, trigger_terms
from afterword.pipeline.domain.learnings.triggers import general_trigger
from afterword.pipeline.domain.memory.checks import check_text, is_name
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.similarity import weights
from afterword.pipeline.domain.sessions import rows as session_rows
from afterword.pipeline.domain.sessions.model import Turn
from afterword.pipeline.domain.sessions.sessions import session_of
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.evidence.holdout import MILLION, is_left_out

MAX_TURN_CONTEXT: Final = 1_000
"""Characters of what a program says of a turn beside its message."""

_MOST_WEIGHED: Final = 100
"""The most alike learnings, of which the weights decide the order."""


_MOST_FITTING: Final = 40
"""Learnings that fit: what a turn is shown at most, twice over, since a draw may leave some out."""


class FittingLearning(NamedTuple):
    """A learning that fits a message.

    Args:
        similarity: cosine of the message and its trigger, 0 to 1.
        rank: the same after what ignored showings took of it.
    """

    learning: Learning
    similarity: float
    rank: float


def fitting_learnings(
    conn: Connection, message: str, context: str = "", as_of: int | None = None
) -> list[FittingLearning]:
    """Return the learnings that fit a message, the best first.

    Args:
        context: what the program's router knows of the turn, such as the skill that is active.
        as_of: what was known then; microseconds.
    """
    words = general_trigger(f"{context}\n{message}" if context else message)
    query = weights(trigger_terms(words))
    near = dict(term_rows.alike(conn, "trigger", query, SUGGEST_AT, _MOST_WEIGHED))
    weighed = read_rows.ignored(conn, list(near), as_of) if near else {}
    ranks = {row_id: near[row_id] * DECAY**ignored for row_id, ignored in weighed.items()}
    best = sorted(
        (row_id for row_id, rank in ranks.items() if rank >= SUGGEST_AT),
        key=lambda row_id: (-ranks[row_id], row_id),
    )[:_MOST_FITTING]
    learnings = read_rows.active(conn, best, as_of) if best else {}
    return [FittingLearning(learnings[row_id], near[row_id], ranks[row_id]) for row_id in best]


def suggest_learnings(
    by: Writer, turn: str, rules: LearningRules, context: str = ""
) -> list[Learning]:
    """Return the learnings for an open turn of the writer's session, and note that it has them.

    Asked again for the same turn, they are the same, less those that were deleted meanwhile. With a
    holdout each is left out of a share of the turns, by a draw.

    Args:
        turn: its uid.
        context: see `fitting_learnings`.

    Raises:
        NotFoundError: the writer's session has no such turn.
        InvalidInputError: the context is blank or too long.
        UnavailableError: the store cannot be written now.
    """
    if context:
        check_text(context, MAX_TURN_CONTEXT, "context")
    if not rules.is_enabled:
        return []
    with reading(by.store) as conn:
        asked = _turn(conn, by, turn)
        shown = _shown(conn, asked)
        if shown or asked.outcome is not None:
            return shown
        fitting = fitting_learnings(conn, asked.message, context)
    if not fitting:
        return []
    with writing(by.store) as conn:
        asked = _turn(conn, by, turn)
        if asked.outcome is None and not _shown(conn, asked):
            _note_shown(conn, asked, fitting, rules, by.clock())
        shown = _shown(conn, asked)
    emit("learning.shown", learnings=len(shown))
    return shown


def _note_shown(
    conn: Connection,
    turn: Turn,
    fitting: list[FittingLearning],
    rules: LearningRules,
    now: datetime,
) -> None:
    """Note which learnings a turn is shown, and which the draw left out before these."""
    share_ppm, places, moment = round(rules.holdout * MILLION), 0, to_micros(now)
    for learning, similarity, _ in fitting:
        if places == rules.top_k:
            return
        is_without = is_left_out(share_ppm, turn.uid, learning.uid)
        places += not is_without
        rows.add_turn(
            conn,
            turn.id,
            learning.id,
            "left_out" if is_without else "shown",
            moment,
            place=None if is_without else places,
            similarity=similarity,
            share_ppm=share_ppm,
        )


def _turn(conn: Connection, by: Writer, uid: str) -> Turn:
    turn = session_rows.turn(conn, session_of(conn, by), uid) if is_name(uid) else None
    if turn is None:
        raise NotFoundError("this session has no such turn; begin one")
    return turn


def _shown(conn: Connection, turn: Turn) -> list[Learning]:
    ids = read_rows.shown_in(conn, turn.id)
    learnings = read_rows.active(conn, ids) if ids else {}
    return [learnings[row_id] for row_id in ids if row_id in learnings]
