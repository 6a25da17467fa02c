"""The lessons of a role for a decision at hand: the fitting ones first, then the latest."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import rows
from afterword.pipeline.domain.decisions.model import Lesson, without_repeats
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.vectors.rows import find_model
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.recall.lessons import rows as lesson_rows
from afterword.pipeline.recall.lessons.fragment import (
    FRAGMENT_LESSONS,
    MAX_LESSONS,
    recent_lessons,
    render,
    skill_fragment,
)
from afterword.pipeline.recall.lessons.ranking import LessonSet, fitting
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import readable
from afterword.pipeline.recall.search.query_embedding import embed_query
from afterword.pipeline.recall.search.vector_extension import load_extension

COMPARED: Final = 1_000
"""Latest lessons of a role that are compared with a question."""


def role_lessons(
    store: Store,
    registry: RoleRegistry,
    role_id: str,
    question: str = "",
    options: SearchOptions = SearchOptions(limit=10),  # noqa: B008  # frozen
    *,
    as_of: datetime | None = None,
) -> list[Lesson]:
    """Return the lessons of a role that fit a question, best first, and then its others.

    A lesson fits by its words and by those of the decision it was drawn from, by the meaning of
    that decision, and by their assets. Lessons that do not fit come last, the latest first. A
    lesson that was learned twice is returned once.

    Args:
        question: the decision at hand, in any words; its first 500 characters are read. Empty: the
            latest lessons, as `recent_lessons` returns them.
        options: how many, up to `MAX_LESSONS`, and how they are compared.
        as_of: the lessons visible at this moment, ranked by what was known then.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    question = readable(question)
    if not question:
        return recent_lessons(store, registry, role_id, options.limit, as_of=as_of)
    check_limit(options.limit, MAX_LESSONS)
    role = registry.role(role_id)
    vector = embed_query(question, store.name, options)
    with reading(store) as conn:
        found = _gather(conn, role.id, vector, options, read_moment(conn, as_of))
    return _ordered(question, found, options)


def skill_lessons(
    store: Store,
    registry: RoleRegistry,
    skill_id: str,
    question: str = "",
    options: SearchOptions = SearchOptions(limit=FRAGMENT_LESSONS),  # noqa: B008  # frozen
    *,
    as_of: datetime | None = None,
) -> str:
    """Return the lessons of a skill's roles as a part of its prompt; empty without any.

    Args:
        question: the decision at hand, as in `role_lessons`. Empty: the latest lessons, as
            `skill_fragment` renders them.
        options: how many of each role, and how they are compared.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    question = readable(question)
    if not question:
        return skill_fragment(store, registry, skill_id, options.limit, as_of=as_of)
    check_limit(options.limit, MAX_LESSONS)
    skill = registry.skill(skill_id)
    vector = embed_query(question, store.name, options)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        found = {
            role.id: _gather(conn, role.id, vector, options, moment) for role in skill.memory_roles
        }
    return render([(role, _ordered(question, one, options)) for role, one in found.items()])


def _gather(
    conn: Connection,
    role_id: str,
    vector: bytes | None,
    options: SearchOptions,
    as_of: int | None,
) -> LessonSet:
    latest = rows.lessons(conn, [role_id], COMPARED, as_of)
    ids = [lesson.id for lesson in latest]
    decisions = lesson_rows.decisions(conn, ids)
    similar = _similar(conn, vector, options, ids)
    return LessonSet(latest, [decisions[row_id] for row_id in ids], similar)


def _ordered(question: str, found: LessonSet, options: SearchOptions) -> list[Lesson]:
    every = [*fitting(question, found, options.fusion), *found.lessons]
    return without_repeats(every)[: options.limit]


def _similar(
    conn: Connection, vector: bytes | None, options: SearchOptions, ids: list[int]
) -> ArmScores | None:
    """Return how near decisions are in meaning; None where there is nothing to compare."""
    if options.embedder is None or vector is None:
        return None
    model_id = find_model(conn, options.embedder)
    if model_id is None:
        return None
    try:
        load_extension(conn)
        return lesson_rows.similarity(conn, model_id, vector, ids)
    except (UnavailableError, DBAPIError) as error:  # no extension, or a damaged table
        emit("recall.failed", reason=str(error), error=type(error).__name__)
        return None
