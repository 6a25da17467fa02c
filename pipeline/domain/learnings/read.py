"""Read learnings: one with its turns, a list, the reviews."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from sqlalchemy import Connection

from afterword.pipeline.domain.learnings import read_rows
from afterword.pipeline.domain.learnings.effect import LearningEffect, learning_effect
from afterword.pipeline.domain.learnings.model import (
    LEARNING_SORTS,
    LEARNING_STATES,
    Learning,
    LearningSort,
    LearningState,
    LearningTurn,
    TurnReview,
)
from afterword.pipeline.domain.memory.checks import check_limit, check_word, is_name, short_repr
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.errors import NotFoundError

MAX_LISTED_LEARNINGS: Final = 10_000
"""Learnings, and reviews, of one list."""

_TURNS_SHOWN: Final = 20
"""Turns of a story, the newest ones."""


@dataclass(frozen=True, slots=True)
class LearningStory:
    """A learning with the turns it had to do with, and whether it helps."""

    learning: Learning
    turns: tuple[LearningTurn, ...]
    effect: LearningEffect


def find_learning(conn: Connection, name: str | int, as_of: datetime | None = None) -> Learning:
    """Return a learning, a deleted one too.

    Args:
        name: its uid, or its number inside the store.

    Raises:
        NotFoundError: there is none, or there was none at the moment.
        InvalidInputError: a moment that was purged.
    """
    at = read_moment(conn, as_of)
    may_be_one = isinstance(name, int) or is_name(name)
    learning = read_rows.find(conn, name, at) if may_be_one else None
    if learning is None:
        raise NotFoundError(f"no learning {short_repr(name)}; `afterword learning ls`")
    return learning


def learning_story(
    conn: Connection, name: str | int, as_of: datetime | None = None
) -> LearningStory:
    """Return a learning with its turns and its effect; see `find_learning`."""
    learning, at = find_learning(conn, name, as_of), read_moment(conn, as_of)
    turns = read_rows.turns_of(conn, learning.id, at, _TURNS_SHOWN)
    effect = learning_effect(read_rows.compared_turns(conn, learning.id, at))
    return LearningStory(learning, tuple(turns), effect)


def list_learnings(
    conn: Connection,
    *,
    sort: str = "rate",
    state: str | None = None,
    limit: int = 50,
    as_of: datetime | None = None,
    after: read_rows.LearningPlace | None = None,
) -> list[Learning]:
    """Return learnings; without a state those that are not deleted.

    Args:
        after: the place of the last learning of the page before, from `read_rows.place_of`.

    Raises:
        InvalidInputError: no such order or state, a limit out of range, or a purged moment.
    """
    check_word(sort, LEARNING_SORTS, "sort")
    if state is not None:
        check_word(state, LEARNING_STATES, "state")
    check_limit(limit, MAX_LISTED_LEARNINGS)
    at = read_moment(conn, as_of)
    return read_rows.listing(
        conn, cast(LearningSort, sort), cast("LearningState | None", state), limit, at, after
    )


def list_reviews(
    conn: Connection, limit: int = 20, as_of: datetime | None = None
) -> list[TurnReview]:
    """Return the reviews of turns, the newest first.

    Raises:
        InvalidInputError: a limit out of range, or a purged moment.
    """
    check_limit(limit, MAX_LISTED_LEARNINGS)
    return read_rows.reviews(conn, read_moment(conn, as_of), limit)
