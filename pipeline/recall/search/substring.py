"""Find memories by pieces of their text, without an index: the way where no word fits."""

from collections.abc import Sequence
from functools import reduce
from operator import add

from sqlalchemy import Connection, Integer, cast, select

from afterword.pipeline.domain.memory.tables import memories
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.rows import conditions


def contain(
    conn: Connection, pieces: Sequence[str], scope: Scope, as_of: int | None, limit: int
) -> list[tuple[int, int]]:
    """Return the ids of memories that hold any of the pieces, with how many of them, most first."""
    searched = memories.c.content + " " + memories.c.category + " " + memories.c.tags
    held = reduce(
        add, (cast(searched.contains(piece, autoescape=True), Integer) for piece in pieces)
    )
    query = (
        select(memories.c.id, held)
        .where(held > 0, *conditions(scope, as_of))
        .order_by(held.desc(), memories.c.updated_at.desc(), memories.c.id.desc())
        .limit(limit)
    )
    return [(row_id, count) for row_id, count in conn.execute(query)]
