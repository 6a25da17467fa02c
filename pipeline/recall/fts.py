"""Find memories by the words they hold, best first; what only SQLite's FTS5 can say."""

from sqlalchemy import Connection, text

from pipeline.memory.model import Memory
from pipeline.memory.rows import to_memory
from pipeline.memory.tables import memories

# FTS5 hands rows over in the order of `rank` only if nothing else is sorted by; a row is then
# looked up and filtered only until the limit is reached. CROSS JOIN keeps the index outside.
_MATCH = text(f"""
SELECT {", ".join(f"memories.{column.name}" for column in memories.columns)}, -memories_fts.rank
FROM memories_fts CROSS JOIN memories ON memories.id = memories_fts.rowid
WHERE memories_fts MATCH :expression AND memories.deleted_at IS NULL
  AND (:include_superseded OR memories.superseded_at IS NULL)
  AND (:category IS NULL OR memories.category = :category)
ORDER BY memories_fts.rank LIMIT :limit
""")


def match(
    conn: Connection, expression: str, category: str | None, include_superseded: bool, limit: int
) -> list[tuple[Memory, float]]:
    """Return the memories an FTS5 expression matches, with their BM25 score, best first.

    Raises:
        sqlalchemy.exc.OperationalError: the expression is malformed.
    """
    values = {
        "expression": expression,
        "category": category,
        "include_superseded": include_superseded,
        "limit": limit,
    }
    return [(to_memory(row), float(row[-1])) for row in conn.execute(_MATCH, values)]
