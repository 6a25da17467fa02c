"""The brief: what an agent should know before its first step; never late."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic, from_micros, iso, monotonic, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.recall.prompts import brief_rows
from afterword.pipeline.recall.prompts.brief_block import (
    BriefEntry,
    MemoryBrief,
    Provenance,
    fitting,
    length_of_lessons,
    render_brief,
)
from afterword.pipeline.recall.prompts.brief_rows import EntryRow
from afterword.pipeline.recall.prompts.frozen import FrozenText, freeze
from afterword.pipeline.recall.prompts.prompt_habits import habits
from afterword.pipeline.recall.prompts.prompt_lessons import (
    START_LESSONS,
    LessonChoice,
    LessonLine,
    PromptLesson,
    lesson_lines,
    prompt_lessons,
)
from afterword.pipeline.recall.prompts.sanitize import sanitize
from afterword.pipeline.recall.search.deadline import answer_within, interrupted

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

BEHAVIORAL_LEAD: Final = timedelta(days=7)
"""A behavioral entry ranks as if it were this much younger."""

LESSON_SHARE: Final = 3
"""Lessons get at most this part of the characters, a third; entries get the rest."""

_LEAD: Final = BEHAVIORAL_LEAD // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class BriefLimits:
    """How much a brief may contain, and how long a starting agent waits for one.

    Args:
        max_entries: entries shown.
        max_chars: characters of the rendered block.
        timeout_s: seconds.
    """

    max_entries: int = 50
    max_chars: int = 10_000
    timeout_s: float = 5.0


def limits_of(settings: "Settings") -> BriefLimits:
    """Return the limits of a brief that the settings name."""
    return BriefLimits(
        settings.brief_max_entries, settings.brief_max_chars, settings.brief_timeout_s
    )


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
        at = to_micros(started_at)
        with interrupted(conn, deadline, monotonic):
            ranked = _ranked(conn, at, limits)
            lessons = _lessons(conn, at, limits, choice)
        entries = _entries(ranked, started_at, limits, lessons)
        ids = {row.uid: row.id for row in ranked}
        return FrozenText(_text(entries, lessons), [ids[entry.id] for entry in entries])

    try:
        return answer_within(limits.timeout_s, lambda: freeze(store, session, "brief", clock, make))
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
        at = read_moment(conn, as_of)
        ranked = _ranked(conn, at, limits)
        lessons = _lessons(conn, at, limits, choice)
        count = brief_rows.count(conn, at)
    now = as_of or clock()
    group = store.name if include_provenance else None
    entries = _entries(ranked, now, limits, lessons, group)
    text = _text(entries, lessons)
    return MemoryBrief(entries, now, count, len(entries), text, tuple(lessons))


def _ranked(conn: Connection, as_of: int | None, limits: BriefLimits) -> list[EntryRow]:
    """Return the entries that may be shown, the most useful first."""
    found = brief_rows.newest(conn, as_of, limits.max_entries)
    return sorted(found, key=_rank)[: limits.max_entries]


def _rank(row: EntryRow) -> tuple[bool, int, int]:
    """Rank by age and behaviour; entries from the web come after all others."""
    ranked_at = row.updated_at + (_LEAD if row.behavioral else 0)
    return row.origin == "web", -ranked_at, -row.id


def _lessons(
    conn: Connection, as_of: int | None, limits: BriefLimits, choice: LessonChoice
) -> list[PromptLesson]:
    """Return what trades and decisions taught, as much as fits its share of the characters."""
    found = [
        *habits(conn, as_of),
        *prompt_lessons(conn, None, choice, START_LESSONS, as_of),
    ]
    while found and length_of_lessons(_lines(found)) > limits.max_chars // LESSON_SHARE:
        found.pop()
    return found


def _entries(
    ranked: list[EntryRow],
    now: datetime,
    limits: BriefLimits,
    lessons: list[PromptLesson],
    group: str | None = None,
) -> tuple[BriefEntry, ...]:
    """Return as many entries as fit beside lessons, with provenance where a group is named."""
    entries = (_entry(row, now, group) for row in ranked)
    room = limits.max_chars - length_of_lessons(_lines(lessons))
    return tuple(fitting((entry for entry in entries if entry.content), room))


def _text(entries: Sequence[BriefEntry], lessons: list[PromptLesson]) -> str:
    return render_brief(entries, _lines(lessons))


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
