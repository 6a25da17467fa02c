"""The snapshot a session starts with: the profile, what stands, and the latest memories."""

from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.user_profile import profile_for_prompts
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import UNPLAYED_DAYS, Ageing
from afterword.pipeline.domain.profile.financial_profile import profile_at
from afterword.pipeline.domain.profile.portrait import PERSONALIZATION
from afterword.pipeline.recall.prompts import snapshot_rows
from afterword.pipeline.recall.prompts.frozen import FrozenText, freeze, shown_before
from afterword.pipeline.recall.prompts.limits import MAX_CHARS
from afterword.pipeline.recall.prompts.personalization_rows import about_user
from afterword.pipeline.recall.prompts.places import Candidates, in_places, not_shown, without
from afterword.pipeline.recall.prompts.prompt_habits import habits
from afterword.pipeline.recall.prompts.prompt_lessons import (
    START_LESSONS,
    LessonChoice,
    each_text_once,
    lesson_lines,
    prompt_lessons,
)
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize
from afterword.pipeline.recall.prompts.snapshot_block import (
    Observation,
    ProfileValue,
    SessionSnapshot,
    cleaned,
    fitting,
    render_cleaned,
)

MAX_MEMORIES: Final = 50
"""Memories of a snapshot (R1)."""

MAX_PROFILE_VALUES: Final = 100
"""Profile values of a snapshot, so that they alone cannot fill a prompt."""


def start_snapshot(
    store: Store,
    session: str,
    clock: Clock,
    *,
    max_chars: int = MAX_CHARS,
    choice: LessonChoice = "confirmed",
    unplayed_days: int = UNPLAYED_DAYS,
) -> str:
    """Return the block a session starts with: the same bytes each time.

    Args:
        session: its handle.
        max_chars: characters of the rendered block.
        choice: what of past decisions it shows.
        unplayed_days: see `Ageing`.

    Raises:
        NotFoundError: there is no such session in this group.
        UnavailableError: it is the first time, and the store cannot be written now.
    """

    def make(conn: Connection, started_at: datetime) -> FrozenText:
        ageing = Ageing(started_at, unplayed_days)
        shown = shown_before(conn, session, "personalization")
        return _compile(conn, to_micros(started_at), max_chars, choice, ageing, shown)

    return freeze(store, session, "snapshot", clock, make)


def read_snapshot(
    store: Store,
    as_of: datetime | None = None,
    *,
    max_chars: int = MAX_CHARS,
    choice: LessonChoice = "confirmed",
    ageing: Ageing | None = None,
) -> str:
    """Return the block a session would start with now, or at a moment; nothing is stored.

    Args:
        ageing: see `prompt_lessons`.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return _compile(conn, read_moment(conn, as_of), max_chars, choice, ageing).body


def _compile(
    conn: Connection,
    as_of: int | None,
    max_chars: int,
    choice: LessonChoice,
    ageing: Ageing | None,
    shown: frozenset[int] = frozenset(),
) -> FrozenText:
    """Return the block, without the memories that the session was shown otherwise."""
    values = islice(profile_for_prompts(conn, as_of).items(), MAX_PROFILE_VALUES)
    candidates = without(_allowed(conn, as_of), shown)
    places = in_places(candidates.best, MAX_MEMORIES)
    observations = (
        (row.id, Observation(row.category, sanitize(row.content, SHORT)))
        for row in snapshot_rows.read(conn, places.ids)
    )
    lines = [(row_id, line) for row_id, line in observations if line.content]
    profile = cleaned(SessionSnapshot([ProfileValue(*value) for value in values])).profile
    of_roles = prompt_lessons(conn, None, choice, START_LESSONS, as_of, ageing=ageing)
    learned = each_text_once([*habits(conn, as_of), *of_roles])
    lessons = lesson_lines(learned, with_role=True)
    more = not_shown(candidates, ())  # the longest that its line may become
    snapshot = SessionSnapshot(profile, [line for _, line in lines], lessons, more)
    block = fitting(snapshot, max_chars, places.standing)
    ids = [row_id for row_id, _ in lines[: len(block.observations)]]
    text = render_cleaned(replace(block, more=not_shown(candidates, ids)))
    return FrozenText(text, ids, learned[: len(block.lessons)])


def _allowed(conn: Connection, as_of: int | None) -> Candidates:
    """Return the candidates, without memories about the user if the owner hides these."""
    candidates = snapshot_rows.candidates(conn, as_of, MAX_MEMORIES)
    if profile_at(conn, as_of).include_memories:
        return candidates
    _, hidden = about_user(conn, as_of, 0)
    best = [row for row in candidates.best if row.category != PERSONALIZATION]
    return candidates._replace(best=best, total=candidates.total - hidden)
