"""SQL over the typed entries a brief is made of."""

import json
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import (
    CHANGED_SINCE,
    HIDDEN_AT,
    VISIBLE,
    VISIBLE_AT,
)

# Each stream reads an index in its order, so that a brief reads only what it shows.
_STREAM = """
SELECT * FROM (
  SELECT id, uid, type, content, behavioral, tags, session_id, origin, updated_at FROM memories
  WHERE type IS NOT NULL AND (origin = 'web') = {web} AND behavioral = {behavioral} AND {visible}
  ORDER BY updated_at DESC, id DESC LIMIT :most)
"""
_VISIBLE = {
    True: f"{VISIBLE} AND {not_flagged('memories')}",
    False: f"updated_at <= :as_of AND {VISIBLE_AT} AND {not_flagged('memories', is_now=False)}",
}
_NEWEST = {
    is_now: text(
        " UNION ALL ".join(
            _STREAM.format(web=web, behavioral=behavioral, visible=visible)
            for web, behavioral in product((0, 1), (0, 1))
        )
    )
    for is_now, visible in _VISIBLE.items()
}
_COUNT_NOW = f"SELECT count(*) FROM memories WHERE type IS NOT NULL AND {VISIBLE}"
_COUNT = text(_COUNT_NOW)
# A replay asks as of its present: nothing has changed since then. For an earlier moment, without
# reading rows: those known then, by an index, without those that were hidden.
_COUNT_AT = text(f"""
SELECT CASE WHEN {CHANGED_SINCE} THEN (
  SELECT count(*) FROM memories INDEXED BY memories_brief
  WHERE type IS NOT NULL AND (origin = 'web') IN (0, 1) AND behavioral IN (0, 1)
    AND updated_at <= :as_of AND id NOT IN ({HIDDEN_AT}))
ELSE ({_COUNT_NOW}) END
""")


class EntryRow(NamedTuple):
    """A typed entry as it is stored; `tags` is JSON, `updated_at` microseconds."""

    id: int
    uid: str
    type: str
    content: str
    behavioral: int
    tags: str
    session_id: str | None
    origin: str
    updated_at: int

    @property
    def tag_list(self) -> tuple[str, ...]:
        """Return the tags."""
        return tuple(json.loads(self.tags))


def newest(conn: Connection, as_of: int | None, most: int) -> list[EntryRow]:
    """Return the newest entries of each sort that a prompt may show, in no order between the sorts.

    Args:
        as_of: those visible at a moment (microseconds).
        most: entries of each sort: behavioral or not, from the web or not.
    """
    found = conn.execute(_NEWEST[as_of is None], _values(as_of) | {"most": most})
    return [EntryRow(*row) for row in found]


def count(conn: Connection, as_of: int | None) -> int:
    """Return how many entries are visible, or were at a moment (microseconds)."""
    return int(conn.execute(_COUNT if as_of is None else _COUNT_AT, _values(as_of)).scalar_one())


def _values(as_of: int | None) -> dict[str, int]:
    return {} if as_of is None else {"as_of": as_of}
