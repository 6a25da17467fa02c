"""The lessons of a role for a decision at hand: what fits it first, then what was learned last."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import rows
from afterword.pipeline.domain.decisions.model import Lesson, told_once
from afterword.pipeline.domain.memory.alive import read_moment
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.vectors.rows import find_model
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.recall.lessons import rows as lesson_rows
from afterword.pipeline.recall.lessons.fragment import (
    FRAGMENT_LESSONS,
    MAX_LESSONS,
    recent_lessons,
    render,
    skill_fragment,
)
from afterword.pipeline.recall.lessons.ranking import LessonSet, fitting
from afterword.pipeline.recall.search.model import ArmScores, Fusion
from afterword.pipeline.recall.search.query import readable
from afterword.pipeline.recall.search.query_embedding import LessonOptions, ask
from afterword.pipeline.recall.search.vector_extension import load_extension

COMPARED: Final = 1_000
"""The latest lessons of a role that are compared with a question."""


def role_lessons(
    store: Store,
    registry: RoleRegistry,
    role_id: str,
    question: str = "",
    limit: int = 10,
    *,
    as_of: datetime | None = None,
    means: LessonOptions = LessonOptions(),  # noqa: B008  # frozen
) -> list[Lesson]:
    """Return the lessons of a role that fit a question, best first, and then its others.

    A lesson fits by its words and by those of the decision it was drawn from, by the meaning of
    that decision, and by their assets. What fits less comes later, what does not fit at the end,
    the latest first; what was learned twice is told once.

    Args:
        question: the decision at hand, in any words; its first 500 characters are read. Empty: the
            latest lessons, as `recent_lessons` returns them.
        as_of: those that stood at this moment, ranked by what was known then.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    asked = readable(question)
    if not asked:
        return recent_lessons(store, registry, role_id, limit, as_of=as_of)
    check_limit(limit, MAX_LESSONS)
    role = registry.role(role_id)
    vector = ask(means.embedder, asked, store.name, means.patience_s)
    with reading(store) as conn:
        found = _gather(conn, role.id, vector, means.embedder, read_moment(conn, as_of))
    return _ordered(asked, found, means.fusion)[:limit]


def skill_lessons(
    store: Store,
    registry: RoleRegistry,
    skill_id: str,
    question: str = "",
    limit: int = FRAGMENT_LESSONS,
    *,
    as_of: datetime | None = None,
    means: LessonOptions = LessonOptions(),  # noqa: B008  # frozen
) -> str:
    """Return the lessons of a skill's roles as a part of its prompt; empty without any.

    Args:
        question: the decision at hand, as in `role_lessons`. Empty: the latest lessons, as
            `skill_fragment` tells them.
        limit: lessons of each role.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    asked = readable(question)
    if not asked:
        return skill_fragment(store, registry, skill_id, limit, as_of=as_of)
    check_limit(limit, MAX_LESSONS)
    skill = registry.skill(skill_id)
    vector = ask(means.embedder, asked, store.name, means.patience_s)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        found = {
            role.id: _gather(conn, role.id, vector, means.embedder, moment)
            for role in skill.memory_roles
        }
    return render([(of, _ordered(asked, one, means.fusion)[:limit]) for of, one in found.items()])


def _gather(
    conn: Connection,
    role_id: str,
    vector: bytes | None,
    embedder: Embedder | None,
    as_of: int | None,
) -> LessonSet:
    latest = rows.lessons(conn, [role_id], COMPARED, as_of)
    ids = [lesson.id for lesson in latest]
    decisions = lesson_rows.said(conn, ids)
    similar = _similar(conn, embedder, vector, ids)
    return LessonSet(latest, [decisions[row_id] for row_id in ids], similar)


def _ordered(asked: str, found: LessonSet, fusion: Fusion) -> list[Lesson]:
    return told_once([*fitting(asked, found, fusion), *found.lessons])


def _similar(
    conn: Connection, embedder: Embedder | None, vector: bytes | None, ids: list[int]
) -> ArmScores | None:
    """Return how near decisions are in meaning; None where there is nothing to compare."""
    if embedder is None or vector is None:
        return None
    model_id = find_model(conn, embedder)
    if model_id is None:
        return None
    try:
        load_extension(conn)
        return lesson_rows.like(conn, model_id, vector, ids)
    except (UnavailableError, DBAPIError) as error:  # no extension, or a damaged table
        emit("recall.failed", reason=str(error), error=type(error).__name__)
        return None
