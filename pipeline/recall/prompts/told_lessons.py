"""What a prompt held of lessons, as a decision keeps it: names and numbers, no texts."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions.lesson_sets import (
    ToldLesson,
    ToldLessons,
    keep_told,
    of_start,
)
from afterword.pipeline.domain.patterns.effect import name_of
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson, by_role


def lesson_set(
    shown: Iterable[PromptLesson], left_out: Iterable[PromptLesson] = (), share_ppm: int = 0
) -> ToldLessons:
    """Return what a prompt of one role held; what trades show is no lesson of a role.

    Args:
        left_out: what a draw left out of it.
        share_ppm: the share of prompts that go without a lesson; millionths.
    """
    return ToldLessons(_named(shown), _named(left_out), share_ppm)


def keep_start(conn: Connection, session: str, shown: Sequence[PromptLesson], now: int) -> None:
    """Keep what a session starts with, for each role apart: its decisions were told it.

    Args:
        session: its uid.
        now: microseconds.
    """
    for role_id, lessons in by_role(shown):
        keep_told(conn, role_id, of_start(session), lesson_set(lessons), now)


def drawn_name(lesson: PromptLesson) -> str:
    """Return what a pattern is drawn by: a new form of it stays in or out."""
    return f"{lesson.role_id} {_name(lesson)}"


def _named(lessons: Iterable[PromptLesson]) -> tuple[ToldLesson, ...]:
    told = {
        ToldLesson(lesson.kind, lesson.id, to_micros(lesson.known_at), _name(lesson))
        for lesson in lessons
        if lesson.kind != "trades"
    }
    return tuple(sorted(told))


def _name(lesson: PromptLesson) -> str:
    if lesson.kind != "pattern":
        return ""
    assert lesson.trend is not None  # a pattern is about one
    return name_of(lesson.asset_class, lesson.direction, lesson.trend, lesson.label)
