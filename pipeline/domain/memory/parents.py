"""The parents a memory was derived from; it goes stale when one of them is no longer visible."""

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.errors import NotFoundError

_KEEP = text("""
INSERT INTO memory_parents (child_id, parent_id)
SELECT value ->> 0, value ->> 1 FROM json_each(:pairs) WHERE true ON CONFLICT DO NOTHING
""")
_MISSING = text("""
SELECT value FROM json_each(:ids) WHERE value NOT IN (SELECT id FROM memories) LIMIT 1
""")
# A parent can be deleted or superseded between its reading and this write.
_BORN_STALE = text(f"""
UPDATE memories SET stale_at = :now
WHERE id IN (SELECT value FROM json_each(:children)) AND EXISTS (
  SELECT 1 FROM memory_parents JOIN memories AS parent ON parent.id = parent_id
  WHERE child_id = memories.id AND NOT ({VISIBLE.replace("memories.", "parent.")}))
""")
# UNION, not UNION ALL: a diamond is followed once, and a circle ends. The successor of a fallen row
# stays visible, though it may name that row as a parent.
_FALL = text("""
UPDATE memories SET stale_at = :now WHERE stale_at IS NULL AND id IN (
  WITH RECURSIVE fallen (id) AS (
    SELECT value FROM json_each(:ids)
    UNION
    SELECT child_id FROM memory_parents JOIN fallen ON parent_id = fallen.id
    WHERE child_id IS NOT :successor
  )
  SELECT id FROM fallen
) AND id NOT IN (SELECT value FROM json_each(:ids))
RETURNING id
""")


def derive(conn: Connection, parents: Mapping[int, Sequence[int]], now: int) -> None:
    """Store the parents of new rows; a row with a parent that is not visible is stale at once.

    Args:
        parents: ids of the parents by id of the child.
        now: microseconds.

    Raises:
        NotFoundError: a parent does not exist; let the write roll back.
    """
    named = sorted({parent for ids in parents.values() for parent in ids})
    missing = conn.execute(_MISSING, {"ids": json.dumps(named)}).scalar_one_or_none()
    if missing is not None:
        raise NotFoundError(f"memory {missing} is gone; nothing can be derived from it")
    pairs = [(child, parent) for child, ids in parents.items() for parent in ids]
    conn.execute(_KEEP, {"pairs": json.dumps(pairs)})
    conn.execute(_BORN_STALE, {"children": json.dumps(list(parents)), "now": now})


def mark_stale(
    conn: Connection, fallen: Sequence[int], now: int, successor: int | None = None
) -> list[int]:
    """Mark every row stale that was derived from fallen rows, directly or not.

    A stale row stays stale: deriving it again writes a new row.

    Args:
        fallen: ids of the rows that were superseded or deleted.
        now: microseconds.
        successor: the row that took the place of the fallen one.

    Returns:
        Ids of the rows that went stale now.
    """
    values = {"ids": json.dumps(list(fallen)), "now": now, "successor": successor}
    return list(conn.execute(_FALL, values).scalars())
