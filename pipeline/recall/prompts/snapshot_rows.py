"""SQL over the memories of a snapshot."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import flagged_memories, not_flagged
from afterword.pipeline.domain.memory.model import BEHAVIORAL, CATEGORIES
from afterword.pipeline.domain.memory.visibility import (
    CHANGED_SINCE,
    HIDDEN_AT,
    VISIBLE,
    VISIBLE_AT,
)
from afterword.pipeline.recall.prompts.places import MOST_COUNTED, Candidate, Candidates

_FIELDS: Final = "id, category, origin, updated_at"
_NEWEST: Final = "ORDER BY updated_at DESC, id DESC LIMIT"
# Each category reads an index in its order, so that a snapshot reads only what it may show.
_STREAM: Final = f"""
SELECT * FROM (
  SELECT {_FIELDS} FROM memories INDEXED BY memories_category
  WHERE category = '{{category}}' AND deleted_at IS NULL AND superseded_at IS NULL AND {{visible}}
  {_NEWEST} {{most}})
"""
# The index leaves out what was deleted or superseded since a moment of the past.
_GONE_SINCE: Final = f"""
SELECT * FROM (
  SELECT {_FIELDS} FROM memories
  WHERE id IN (
      SELECT id FROM memories WHERE deleted_at > :as_of
      UNION ALL SELECT id FROM memories WHERE superseded_at > :as_of)
    AND (category = 'trade_outcome') = {{is_trade}} AND behavioral = {{behavioral}} AND {{visible}}
  {_NEWEST} {{most}})
"""
_COUNTED: Final = MOST_COUNTED + 1
_VISIBLE: Final = {
    True: f"{VISIBLE} AND {not_flagged('memories')}",
    False: f"updated_at <= :as_of AND {VISIBLE_AT} AND {not_flagged('memories', is_now=False)}",
}


def _candidates(*, is_now: bool) -> str:
    """Return the statement for the newest rows of each sort; of what stands enough to count it."""
    visible = _VISIBLE[is_now]
    most = {category: _COUNTED if category in BEHAVIORAL else ":most" for category in CATEGORIES}
    streams = [
        _STREAM.format(category=category, most=most[category], visible=visible)
        for category in CATEGORIES
    ]
    if not is_now:
        streams += [
            _GONE_SINCE.format(
                is_trade=is_trade, behavioral=behavioral, most=count, visible=visible
            )
            for is_trade, behavioral, count in ((0, 1, _COUNTED), (0, 0, ":most"), (1, 0, ":most"))
        ]
    return f"{' UNION ALL '.join(streams)} ORDER BY updated_at DESC, id DESC"


_CANDIDATES: Final = {is_now: text(_candidates(is_now=is_now)) for is_now in (True, False)}
_COUNT_NOW: Final = f"SELECT count(*) FROM memories WHERE {VISIBLE}"
_COUNT: Final = text(f"SELECT ({_COUNT_NOW}) - {flagged_memories(VISIBLE)}")
# A session that begins asks as of its present: nothing has changed since then.
_COUNT_AT: Final = text(f"""
SELECT CASE WHEN {CHANGED_SINCE} THEN (
  SELECT count(*) FROM memories WHERE known_at <= :as_of AND id NOT IN ({HIDDEN_AT}))
ELSE ({_COUNT_NOW}) END - {flagged_memories(VISIBLE_AT, is_now=False)}
""")
_READ: Final = text("""
SELECT memories.id, category, content FROM json_each(:ids) AS named
CROSS JOIN memories ON memories.id = named.value ORDER BY named.key
""")


class SnapshotRow(NamedTuple):
    """A memory of a snapshot, as it is stored."""

    id: int
    category: str
    content: str


def candidates(conn: Connection, as_of: int | None, most: int) -> Candidates:
    """Return the memories that a snapshot may show, now or at `as_of` (microseconds).

    Args:
        most: of each category, at least; newest first.
    """
    values = {"most": most} if as_of is None else {"most": most, "as_of": as_of}
    best = [Candidate(*row) for row in conn.execute(_CANDIDATES[as_of is None], values)]
    total = conn.execute(_COUNT if as_of is None else _COUNT_AT, values).scalar_one()
    return Candidates(best, int(total), sum(row.is_standing for row in best))


def read(conn: Connection, ids: Sequence[int]) -> list[SnapshotRow]:
    """Return memories by id, in the order given."""
    return [SnapshotRow(*row) for row in conn.execute(_READ, {"ids": json.dumps(ids)})]
