"""The brief: what an agent should know before its first step; never late."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic, from_micros, iso, monotonic, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.recall.prompts import brief_rows
from afterword.pipeline.recall.prompts.brief_block import (
    BriefEntry,
    MemoryBrief,
    fitting,
    length_of_lessons,
    length_of_more,
    render_brief,
)
from afterword.pipeline.recall.prompts.brief_rows import EntryRow
from afterword.pipeline.recall.prompts.frozen import FrozenText, freeze
from afterword.pipeline.recall.prompts.limits import BriefLimits
from afterword.pipeline.recall.prompts.places import LESSONS_PART, in_places, not_shown
from afterword.pipeline.recall.prompts.prompt_habits import habits
from afterword.pipeline.recall.prompts.prompt_lessons import (
    START_LESSONS,
    LessonChoice,
    LessonLine,
    PromptLesson,
    lesson_lines,
    prompt_lessons,
)
from afterword.pipeline.recall.prompts.provenance import Provenance
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize
from afterword.pipeline.recall.search.deadline import answer_within, interrupted
from afterword.pipeline.rules.text.line import one_line

__all__ = ["BriefLimits", "brief_in_time", "read_brief", "start_brief"]

_Made = TypeVar("_Made")


def start_brief(
    store: Store,
    session: str,
    clock: Clock,
    limits: BriefLimits,
    *,
    choice: LessonChoice = "confirmed",
    monotonic: Monotonic = monotonic,
) -> str | None:
    """Return the block a session starts with: the same bytes each time.

    A starting agent waits for it, so it raises nothing and is never late, whatever the disk or
    another process does.

    Args:
        session: its handle.
        choice: what of past decisions it shows.
        monotonic: the clock of the time limit inside the database.

    Returns:
        The block, empty if nothing is remembered; None if it failed or was late (an event says so).
    """
    deadline = monotonic() + limits.timeout_s

    def make(conn: Connection, started_at: datetime) -> FrozenText:
        with interrupted(conn, deadline, monotonic):
            return _compile(conn, to_micros(started_at), started_at, limits, choice).frozen

    return _in_time(store, limits, lambda: freeze(store, session, "brief", clock, make))


def brief_in_time(
    store: Store,
    clock: Clock,
    limits: BriefLimits,
    *,
    choice: LessonChoice = "confirmed",
    monotonic: Monotonic = monotonic,
) -> MemoryBrief | None:
    """Return the brief as it is now, with provenance; None if it failed or was late.

    A host that starts an agent waits for it, as for `start_brief`.
    """
    deadline = monotonic() + limits.timeout_s

    def make() -> MemoryBrief:
        with reading(store) as conn, interrupted(conn, deadline, monotonic):
            return _compile(conn, None, clock(), limits, choice, store.name).brief

    return _in_time(store, limits, make)


def _in_time(store: Store, limits: BriefLimits, make: Callable[[], _Made]) -> _Made | None:
    try:
        return answer_within(limits.timeout_s, make)
    except Exception as error:
        emit("brief.failed", group=store.name, reason=type(error).__name__)
        return None


def read_brief(
    store: Store,
    clock: Clock,
    limits: BriefLimits,
    *,
    include_provenance: bool = False,
    choice: LessonChoice = "confirmed",
    as_of: datetime | None = None,
) -> MemoryBrief:
    """Return the brief as it is now, or as it was at a moment; nothing is stored.

    Args:
        clock: ages are counted from its present, or from the moment.
        include_provenance: add to each entry where it comes from.
        choice: what of past decisions it shows.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        at, now = read_moment(conn, as_of), as_of or clock()
        group = store.name if include_provenance else None
        return _compile(conn, at, now, limits, choice, group).brief


class _BriefParts(NamedTuple):
    brief: MemoryBrief
    frozen: FrozenText


def _compile(
    conn: Connection,
    as_of: int | None,
    now: datetime,
    limits: BriefLimits,
    choice: LessonChoice,
    group: str | None = None,
) -> _BriefParts:
    """Fill a brief: what stands, then lessons in their share, then as many others as fit.

    Args:
        group: named by the provenance of the entries; None without provenance.
    """
    candidates = brief_rows.candidates(conn, as_of, limits.max_entries)
    places = in_places(candidates.best, limits.max_entries)
    rows = brief_rows.read(conn, places.ids)
    room = limits.max_chars - length_of_more(not_shown(candidates, ()))
    entries = [_entry(row, now, group) for row in rows]
    standing = entries[: places.standing]
    if len(render_brief(standing)) > room:  # each of them in brief, instead of some in full
        entries = [replace(entry, content=one_line(entry.content, SHORT)) for entry in entries]
        standing = entries[: places.standing]
    free = max(0, room - len(render_brief(standing)))
    ageing = Ageing(now, limits.unplayed_days)
    most_chars = min(free, limits.max_chars // LESSONS_PART)
    lessons = _lessons(conn, as_of, choice, most_chars, ageing)
    room -= length_of_lessons(_lines(lessons))
    shown = tuple(fitting((entry for entry in entries if entry.content), room))
    ids = {row.uid: row.id for row in rows}
    memory_ids = [ids[entry.id] for entry in shown]
    text = render_brief(shown, _lines(lessons), not_shown(candidates, memory_ids))
    brief = MemoryBrief(shown, now, candidates.total, len(shown), text, tuple(lessons))
    return _BriefParts(brief, FrozenText(text, memory_ids, lessons))


def _lessons(
    conn: Connection, as_of: int | None, choice: LessonChoice, most_chars: int, ageing: Ageing
) -> list[PromptLesson]:
    """Return what trades and decisions taught, as much as fits."""
    lessons = [
        *habits(conn, as_of),
        *prompt_lessons(conn, None, choice, START_LESSONS, as_of, ageing=ageing),
    ]
    while lessons and length_of_lessons(_lines(lessons)) > most_chars:
        lessons.pop()
    return lessons


def _lines(lessons: list[PromptLesson]) -> list[LessonLine]:
    return lesson_lines(lessons, with_role=True)


def _entry(row: EntryRow, now: datetime, group: str | None) -> BriefEntry:
    written = from_micros(row.updated_at)
    return BriefEntry(
        id=row.uid,
        type=row.type,
        content=sanitize(row.content),
        behavioral=bool(row.behavioral),
        tags=tuple(map(sanitize, row.tag_list)),
        age_days=max(0, (now - written).days),
        provenance=Provenance(row.session_id, group, row.origin, iso(written)) if group else None,
    )
