"""Tell lessons for a decision to come: leave out what the draw leaves out, and keep what was told.

choose (`lessons`) → draw → keep → the prompt
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.lesson_sets import (
    Occasion,
    ToldLessons,
    is_kept,
    keep_told,
    of_key,
    of_session,
)
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import session_of
from afterword.pipeline.recall.prompts.prompt_lessons import LessonsOfRole, PromptLesson
from afterword.pipeline.recall.prompts.told_lessons import drawn_name, lesson_set
from afterword.pipeline.rules.evidence.holdout import MILLION, is_left_out
from afterword.pipeline.rules.masking import mask

NO_HOLDOUT: Final = 0.0
"""The share of prompts that go without a lesson, where no setting says otherwise."""


class _DrawnLessons(NamedTuple):
    role_id: str
    shown: list[PromptLesson]
    kept: ToldLessons


def tell_lessons(
    by: Writer, chosen: Sequence[LessonsOfRole], key: str | None = None, holdout: float = NO_HOLDOUT
) -> list[LessonsOfRole]:
    """Return the lessons of a prompt, and keep them for the decision that it is asked for.

    That decision is the one that will be recorded under the key; without a key it is the next one
    that the session records in the role. Asked again for the same decision, the draw is the same.
    Without a key and a session nobody decides: all is told, and nothing is kept.

    Args:
        chosen: what would be told without a draw.
        key: as the decision will have it.
        holdout: the share of prompts that go without a pattern, each drawn by itself. What persons
            noted is always told.

    Raises:
        InvalidInputError: the key is blank or too long.
        NotFoundError: the session was erased.
        UnavailableError: the store cannot be written now.
    """
    if key is not None:
        check_text(key, MAX_NAME, "key")
    if key is None and by.session is None:
        return list(chosen)
    with reading(by.store) as conn:
        occasion = _occasion(conn, by, key)
        told = [_drawn(lessons, occasion, round(holdout * MILLION)) for lessons in chosen]
        news = [drawn for drawn in told if not is_kept(conn, drawn.role_id, occasion, drawn.kept)]
    if news:
        with writing(by.store) as conn:
            now = to_micros(by.clock())
            for drawn in news:
                keep_told(conn, drawn.role_id, occasion, drawn.kept, now)
    return [LessonsOfRole(drawn.role_id, drawn.shown) for drawn in told]


def _occasion(conn: Connection, by: Writer, key: str | None) -> Occasion:
    if key is not None:
        return of_key(mask(key))
    session = session_of(conn, by)
    return of_session(session.uid, session.decisions)


def _drawn(chosen: LessonsOfRole, occasion: Occasion, share_ppm: int) -> _DrawnLessons:
    left_out = {
        place
        for place, lesson in enumerate(chosen.lessons)
        if lesson.kind == "pattern"
        and is_left_out(share_ppm, occasion.drawn_by, drawn_name(lesson))
    }
    shown = [lesson for place, lesson in enumerate(chosen.lessons) if place not in left_out]
    without = [chosen.lessons[place] for place in sorted(left_out)]
    return _DrawnLessons(chosen.role_id, shown, lesson_set(shown, without, share_ppm))
