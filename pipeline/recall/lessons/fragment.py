"""Lessons for prompts: those of a role, and the fragment of a skill's prompt."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.recall.prompts.prompt_habits import before, habits
from afterword.pipeline.recall.prompts.prompt_lessons import (
    LABELS_NOTE,
    LessonChoice,
    LessonsOfRole,
    PromptLesson,
    lesson_lines,
    prompt_lessons,
    read_lesson_line,
)

MAX_LESSONS: Final = 100

FRAGMENT_LESSONS: Final = 5
"""Lessons of each role in a skill's fragment."""

_TITLE: Final = "## Lessons from past decisions"
_ROLE: Final = re.compile(r"### ([a-z0-9_.]+)")


class FragmentLine(NamedTuple):
    """One line of a fragment, parsed; `about` is `any` for a lesson about no asset."""

    role_id: str
    day: str
    label: str
    about: str
    text: str


def recent_lessons(
    store: Store,
    registry: RoleRegistry,
    role_id: str,
    limit: int = 10,
    *,
    choice: LessonChoice = "confirmed",
    as_of: datetime | None = None,
    ageing: Ageing | None = None,
) -> list[PromptLesson]:
    """Return what a role learned: its patterns, then notes and cases, of each the latest first.

    What the user's trades show comes before, as in every prompt.

    Args:
        choice: whether hints and single cases come too.
        as_of: what could be told at this moment.
        ageing: see `prompt_lessons`.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_LESSONS)
    role = registry.role(role_id)
    with reading(store) as conn:
        return _recent(conn, role.id, choice, limit, read_moment(conn, as_of), ageing)


def skill_fragment(
    store: Store,
    registry: RoleRegistry,
    skill_id: str,
    limit: int = FRAGMENT_LESSONS,
    *,
    choice: LessonChoice = "confirmed",
    as_of: datetime | None = None,
) -> str:
    """Return what a skill's roles learned as a part of its prompt; empty without any.

    Args:
        limit: lessons of each role.
        choice: as in `recent_lessons`, like `as_of`.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    return render(recent_of_skill(store, registry, skill_id, limit, choice=choice, as_of=as_of))


def recent_of_skill(
    store: Store,
    registry: RoleRegistry,
    skill_id: str,
    limit: int,
    *,
    choice: LessonChoice,
    as_of: datetime | None,
    ageing: Ageing | None = None,
) -> list[LessonsOfRole]:
    """Return what each role of a skill learned, as `recent_lessons` does.

    Args:
        limit: lessons of each role.
        choice: as in `recent_lessons`, like `as_of` and `ageing`.

    Raises:
        NotFoundError: there is no such skill.
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_LESSONS)
    skill = registry.skill(skill_id)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        return [
            LessonsOfRole(role.id, _recent(conn, role.id, choice, limit, moment, ageing))
            for role in skill.memory_roles
        ]


def _recent(
    conn: Connection,
    role_id: str,
    choice: LessonChoice,
    limit: int,
    as_of: int | None,
    ageing: Ageing | None,
) -> list[PromptLesson]:
    """Return what trades show, then what a role learned."""
    lessons = prompt_lessons(conn, [role_id], choice, limit, as_of, ageing=ageing)
    return before(lessons, habits(conn, as_of), limit)


def render(roles: Iterable[LessonsOfRole]) -> str:
    """Return the fragment of lessons by role, each text once; `parse_fragment` reads it back."""
    lines: list[str] = []
    told: set[str] = set()
    for role_id, lessons in roles:
        seen = [line for line in lesson_lines(lessons) if line.text not in told]
        told.update(line.text for line in seen)
        if seen:
            lines += ["", f"### {role_id}", "", *(line.line for line in seen)]
    return "\n".join([_TITLE, "", LABELS_NOTE, *lines]) if lines else ""


def parse_fragment(text: str) -> list[FragmentLine]:
    """Return the lines of a fragment; of one that `render` made, exactly its lessons.

    Raises:
        ValueError: a line does not belong to a fragment.
    """
    lines: list[FragmentLine] = []
    role_id = ""
    for text_line in text.split("\n") if text else ():
        if role := _ROLE.fullmatch(text_line):
            role_id = role[1]
        elif lesson := read_lesson_line(text_line):
            lines.append(FragmentLine(role_id, *lesson))
        elif text_line not in ("", _TITLE, LABELS_NOTE):
            raise ValueError(f"not a fragment: unknown line {text_line!a:.40}")
    return lines
