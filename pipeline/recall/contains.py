"""Find memories by pieces of their text, without an index: the way for unspaced scripts."""

from collections.abc import Sequence
from functools import reduce
from operator import add

from sqlalchemy import Connection, Integer, cast, select

from pipeline.memory.model import Memory
from pipeline.memory.rows import alive, to_memory
from pipeline.memory.tables import memories


def contain(
    conn: Connection,
    pieces: Sequence[str],
    category: str | None,
    include_superseded: bool,
    limit: int,
) -> list[tuple[Memory, float]]:
    """Return the memories that hold any of the pieces, with how many of them, most first."""
    searched = memories.c.content + " " + memories.c.category + " " + memories.c.tags
    held = reduce(
        add, (cast(searched.contains(piece, autoescape=True), Integer) for piece in pieces)
    )
    query = (
        select(*memories.columns, held.label("held"))
        .where(held > 0, memories.c.deleted_at.is_(None) if include_superseded else alive)
        .order_by(held.desc(), memories.c.updated_at.desc(), memories.c.id.desc())
    )
    if category is not None:
        query = query.where(memories.c.category == category)
    rows = conn.execute(query.limit(limit))
    return [(to_memory(row), float(row[-1])) for row in rows]
