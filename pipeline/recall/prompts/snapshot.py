"""The snapshot a session starts with: the profile, and what was updated last."""

from datetime import datetime
from itertools import islice
from typing import Final

from sqlalchemy import Connection, select

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.alive import is_alive, read_moment
from afterword.pipeline.domain.memory.rows import newest_first
from afterword.pipeline.domain.memory.tables import memories
from afterword.pipeline.domain.memory.user_profile import profile_at
from afterword.pipeline.recall.prompts.frozen import FrozenText, freeze
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize
from afterword.pipeline.recall.prompts.snapshot_block import (
    Observation,
    ProfileValue,
    SessionSnapshot,
    fitting,
    render_snapshot,
)

MAX_MEMORIES: Final = 50
"""Memories of a snapshot (R1)."""

MAX_CHARS: Final = 8_000
"""Characters of a snapshot: twice what R1 reckons with, for a desk that writes long sentences."""

MAX_VALUES: Final = 100
"""Profile values of a snapshot, by name: who may write them could fill a prompt."""


def start_snapshot(store: Store, session: str, clock: Clock, *, max_chars: int = MAX_CHARS) -> str:
    """Return the block a session starts with: the same bytes as often as it asks.

    Args:
        session: its handle.
        max_chars: characters of the rendered block.

    Raises:
        NotFoundError: there is no such session in this group.
        UnavailableError: it was never made, and the store cannot be written now.
    """

    def make(conn: Connection, started_at: datetime) -> FrozenText:
        return _shown(conn, to_micros(started_at), max_chars)

    return freeze(store, session, "snapshot", clock, make)


def read_snapshot(
    store: Store, as_of: datetime | None = None, *, max_chars: int = MAX_CHARS
) -> str:
    """Return the block a session would start with now, or would have at a moment; nothing is kept.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return _shown(conn, read_moment(conn, as_of), max_chars).body


def _shown(conn: Connection, as_of: int | None, max_chars: int) -> FrozenText:
    values = islice(profile_at(conn, as_of).items(), MAX_VALUES)
    query = (
        select(memories.c.id, memories.c.category, memories.c.content)
        .where(is_alive(as_of))
        .order_by(*newest_first(as_of))
        .limit(MAX_MEMORIES)
    )
    if as_of is not None:
        query = query.where(memories.c.updated_at <= as_of)  # says no more, but is an index's
    told = (
        (row.id, Observation(row.category, sanitize(row.content, SHORT)))
        for row in conn.execute(query)
    )
    lines = [(row_id, line) for row_id, line in told if line.content]
    profile = [ProfileValue(key, value) for key, value in values]
    block = fitting(SessionSnapshot(profile, [line for _, line in lines]), max_chars)
    ids = [row_id for row_id, _ in lines[: len(block.observations)]]
    return FrozenText(render_snapshot(block), ids)
