"""SQL over superseded forms of patterns."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

# The form before it had the same state: only numbers, scope or words changed.
_REMOVABLE: Final = """
superseded_at IS NOT NULL AND state = (
  SELECT earlier.state FROM role_patterns AS earlier
  WHERE earlier.role_id = form.role_id AND earlier.asset_class = form.asset_class
    AND earlier.direction = form.direction AND earlier.trend = form.trend
    AND earlier.side = form.side AND earlier.id < form.id
  ORDER BY earlier.id DESC LIMIT 1)
"""
_EXPIRED: Final = text(f"""
SELECT id FROM role_patterns AS form WHERE superseded_at < :before AND {_REMOVABLE} ORDER BY id
""")
_FIRST: Final = text(f"""
SELECT superseded_at FROM role_patterns AS form WHERE {_REMOVABLE} ORDER BY superseded_at LIMIT 1
""")
_REMOVE: Final = text("""
DELETE FROM role_patterns WHERE id IN (SELECT value FROM json_each(:ids))
RETURNING superseded_at
""")


def expired(conn: Connection, before: int) -> list[int]:
    """Return the removable forms that were superseded before a moment (microseconds)."""
    return list(conn.execute(_EXPIRED, {"before": before}).scalars())


def first_superseded(conn: Connection) -> int | None:
    """Return when the first removable form was superseded (microseconds); None without one."""
    superseded_at: int | None = conn.execute(_FIRST).scalar()
    return superseded_at


def remove(conn: Connection, ids: Sequence[int]) -> list[int]:
    """Remove forms, and return when each was superseded (microseconds)."""
    return list(conn.execute(_REMOVE, {"ids": json.dumps(list(ids))}).scalars())
