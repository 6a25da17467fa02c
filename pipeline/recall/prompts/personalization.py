"""The portrait of the user that a session starts with, in a text of its own (R3).

Memories about the user come first here: what this text shows, the snapshot of the same session
leaves out, and the other way round.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.profile.portrait import RECENT_MEMORIES, traits_at
from afterword.pipeline.recall.prompts.frozen import FrozenText, freeze, shown_before
from afterword.pipeline.recall.prompts.personalization_block import (
    fitting_memories,
    memory_line,
    prompt_lines,
    render_personalization,
    trait_lines,
)
from afterword.pipeline.recall.prompts.personalization_rows import about_user
from afterword.pipeline.recall.prompts.preference_lines import preference_lines
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize
from afterword.pipeline.rules.user_tags.schema import TAG_DIMENSIONS
from afterword.pipeline.rules.user_tags.turn_tags import CORE_DIMENSIONS

MOST_CHARS: Final = 8_000
"""Characters of a portrait, as many as of a snapshot: memories get what the rest of it leaves."""


def start_personalization(store: Store, session: str, clock: Clock, *, gated: bool = False) -> str:
    """Return the portrait a session starts with: the same bytes each time.

    Args:
        session: its handle.
        gated: only the core of the tags; each turn gets the others that it needs (`turn_block`).

    Raises:
        NotFoundError: there is no such session in this group.
        UnavailableError: it is the first time, and the store cannot be written now.
    """

    def make(conn: Connection, started_at: datetime) -> FrozenText:
        shown = shown_before(conn, session, "snapshot")
        return _compile(conn, started_at, to_micros(started_at), shown, gated=gated)

    return freeze(store, session, "personalization", clock, make)


def read_personalization(
    store: Store, now: datetime, as_of: datetime | None = None, *, gated: bool = False
) -> str:
    """Return the portrait a session would start with now, or at a moment; nothing is stored.

    Args:
        now: the present; of a read of the past the moment is.
        gated: see `start_personalization`.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return _compile(conn, as_of or now, read_moment(conn, as_of), gated=gated).body


def _compile(
    conn: Connection,
    now: datetime,
    as_of: int | None,
    shown: frozenset[int] = frozenset(),
    *,
    gated: bool,
) -> FrozenText:
    """Fill a portrait: preferences, traits and the custom prompt, then the memories that fit."""
    traits = traits_at(conn, now, as_of)
    preferences = preference_lines(conn, as_of, shown)
    dimensions = CORE_DIMENSIONS if gated else TAG_DIMENSIONS
    lines = [*preferences.lines, *trait_lines(traits, dimensions)]
    instructions = prompt_lines(traits)
    if not traits.profile.include_memories:
        body = render_personalization(lines, (), instructions)
        return FrozenText(body, preferences.memory_ids)
    newest, total = about_user(conn, as_of, RECENT_MEMORIES, shown)
    told = [(row.id, memory_line(sanitize(row.content, SHORT))) for row in newest]
    told = [(row_id, line) for row_id, line in told if line]
    memories = [line for _, line in told]
    told = told[: fitting_memories(lines, memories, instructions, MOST_CHARS)]
    memories = [line for _, line in told]
    text = render_personalization(lines, memories, instructions, total - len(told))
    return FrozenText(text, [*preferences.memory_ids, *(row_id for row_id, _ in told)])
