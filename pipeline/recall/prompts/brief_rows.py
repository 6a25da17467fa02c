"""SQL over the typed entries a brief is made of."""

import json
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.alive import ALIVE, ALIVE_AT, CHANGED_SINCE, GONE_THEN

# The order of an index each, so that a brief costs what it shows and not what is stored.
_STREAM = """
SELECT * FROM (
  SELECT id, uid, type, content, behavioral, tags, session_id, origin, updated_at FROM memories
  WHERE type IS NOT NULL AND (origin = 'web') = {web} AND behavioral = {behavioral} AND {stands}
  ORDER BY updated_at DESC, id DESC LIMIT :most)
"""
_STANDS = {True: ALIVE, False: f"updated_at <= :as_of AND {ALIVE_AT}"}
_NEWEST = {
    is_now: text(
        " UNION ALL ".join(
            _STREAM.format(web=web, behavioral=behavioral, stands=stands)
            for web, behavioral in product((0, 1), (0, 1))
        )
    )
    for is_now, stands in _STANDS.items()
}
_STANDING = f"SELECT count(*) FROM memories WHERE type IS NOT NULL AND {ALIVE}"
_COUNT = text(_STANDING)
# A replay asks as of its present, since when nothing has changed. Of an earlier moment, without a
# look at the rows: those known then, by an index, without those that were gone.
_COUNT_AT = text(f"""
SELECT CASE WHEN {CHANGED_SINCE} THEN (
  SELECT count(*) FROM memories INDEXED BY memories_brief
  WHERE type IS NOT NULL AND (origin = 'web') IN (0, 1) AND behavioral IN (0, 1)
    AND updated_at <= :as_of AND id NOT IN ({GONE_THEN}))
ELSE ({_STANDING}) END
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
    """Return the newest current entries of each sort, in no order between the sorts.

    Args:
        as_of: those that were current at a moment (microseconds).
        most: entries of each sort: behavioral or not, from the web or not.
    """
    found = conn.execute(_NEWEST[as_of is None], _values(as_of) | {"most": most})
    return [EntryRow(*row) for row in found]


def count(conn: Connection, as_of: int | None) -> int:
    """Return how many entries are current, or were at a moment (microseconds)."""
    return int(conn.execute(_COUNT if as_of is None else _COUNT_AT, _values(as_of)).scalar_one())


def _values(as_of: int | None) -> dict[str, int]:
    return {} if as_of is None else {"as_of": as_of}
