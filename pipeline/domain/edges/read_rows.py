"""SQL that reads what is known about an entity, and which entities are named most."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, TextClause, text

from afterword.pipeline.domain.edges.extraction import STRONGEST_FIRST
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.rows import MEMORY_COLUMNS, as_known, to_memory
from afterword.pipeline.domain.memory.visibility import VISIBLE, VISIBLE_AT, hidden, visible

# The index is named: the planner would take the one that begins with src_table, and sort.
_EDGES: Final = "memory_edges INDEXED BY memory_edges_about"

# The newest of each edge type, so that no more memories are read than are asked for. The edges to
# an entity are read in the index alone, in the order of the time they are about.
_NEWEST = """
SELECT * FROM (
  SELECT src_id, edge.src_at, {strength} AS strength
  FROM memory_edges AS edge INDEXED BY memory_edges_about
  CROSS JOIN memories ON memories.id = src_id
  WHERE dst_entity_kind = :kind AND dst_entity_key = :key AND edge_type = '{edge_type}'
    {known} AND src_table = 'memories' AND {visible}
  ORDER BY edge.src_at DESC, src_id DESC LIMIT :limit
)
"""
_ABOUT = """
SELECT src_id FROM ({newest})
GROUP BY src_id ORDER BY min(strength), src_at DESC, src_id DESC LIMIT :limit
"""
_ABOUT_BY_ID = text(f"""
SELECT {MEMORY_COLUMNS}, (
  SELECT json_group_array(edge_type) FROM memory_edges
  WHERE src_table = 'memories' AND src_id = memories.id
    AND dst_entity_kind = :kind AND dst_entity_key = :key
) FROM json_each(:ids) AS asked CROSS JOIN memories ON memories.id = asked.value
ORDER BY asked.key
""")
# The keys are few: they are read one by one, each with a jump to the next.
_BESIDE = """
WITH RECURSIVE pair (key) AS (
  SELECT min(dst_entity_key) FROM memory_edges WHERE dst_entity_kind = 'pair'
  UNION ALL
  SELECT (SELECT min(dst_entity_key) FROM memory_edges
    WHERE dst_entity_kind = 'pair' AND dst_entity_key > pair.key)
  FROM pair WHERE key IS NOT NULL
)
SELECT key, (SELECT count(*) FROM {edges}
  WHERE dst_entity_kind = 'pair' AND dst_entity_key = pair.key AND src_table = 'memories' {known}
    AND src_id NOT IN ({hidden})) AS edges
FROM pair WHERE instr('|' || key || '|', '|' || :key || '|') AND edges
ORDER BY edges DESC, key LIMIT :limit
"""
_TOP = """
SELECT dst_entity_kind, dst_entity_key, count(*) AS edges FROM {edges}
WHERE dst_entity_kind IN (SELECT value FROM json_each(:kinds)) AND src_table = 'memories' {known}
  AND src_id NOT IN ({hidden})
GROUP BY dst_entity_kind, dst_entity_key
ORDER BY edges DESC, dst_entity_kind, dst_entity_key LIMIT :limit
"""
# State by state: each has an index of its own.
_OPEN: Final = " UNION ALL ".join(
    f"SELECT payload FROM jobs WHERE kind = '{EXTRACT_EDGES.name}' AND state = '{state}'"
    for state in ("ready", "sent", "running", "later")
)
_WAITING: Final = {
    is_now: text(f"""
SELECT count(*) FROM (
  SELECT DISTINCT memories.id FROM (
    SELECT payload ->> 'memory_id' AS memory_id FROM ({_OPEN}) LIMIT 10 * :limit) AS job
  CROSS JOIN memories ON memories.id = job.memory_id
  WHERE {condition} AND NOT EXISTS (
    SELECT 1 FROM memory_edges WHERE src_table = 'memories' AND src_id = job.memory_id)
  LIMIT :limit)
""")
    for is_now, condition in ((True, VISIBLE), (False, VISIBLE_AT))
}


def about(
    conn: Connection, kind: str, key: str, limit: int, as_of: int | None
) -> list[tuple[Memory, tuple[str, ...]]]:
    """Return the memories about an entity with the edge types of each, the strongest first.

    Args:
        as_of: microseconds; None is now.
    """
    known = "" if as_of is None else "AND edge.known_at <= :as_of"
    newest = "UNION ALL".join(
        _NEWEST.format(strength=strength, edge_type=edge_type, known=known, visible=visible(as_of))
        for strength, edge_type in enumerate(STRONGEST_FIRST)
    )
    entity = {"kind": kind, "key": key}
    values = entity | {"limit": limit, "as_of": as_of}
    ids = conn.execute(text(_ABOUT.format(newest=newest)), values).scalars().all()
    rows = conn.execute(_ABOUT_BY_ID, entity | {"ids": json.dumps(list(ids))})
    with_types = [(to_memory(row), tuple(json.loads(row[-1]))) for row in rows]
    memories = as_known(conn, [memory for memory, _ in with_types], as_of)
    return [(memory, types) for memory, (_, types) in zip(memories, with_types, strict=True)]


def beside(conn: Connection, key: str, limit: int, as_of: int | None) -> list[tuple[str, int]]:
    """Return the pairs a ticker is in, each with the number of memories that name both."""
    rows = conn.execute(_of_visible(_BESIDE, as_of), {"key": key, "limit": limit, "as_of": as_of})
    return [(str(pair), int(edges)) for pair, edges in rows]


def top(
    conn: Connection, kinds: Sequence[str], limit: int, as_of: int | None
) -> list[tuple[str, str, int]]:
    """Return the entities with the most edges from visible memories: kind, key, edges."""
    values = {"kinds": json.dumps(list(kinds)), "limit": limit, "as_of": as_of}
    rows = conn.execute(_of_visible(_TOP, as_of), values)
    return [(str(kind), str(key), int(edges)) for kind, key, edges in rows]


def waiting(conn: Connection, limit: int, as_of: int | None) -> int:
    """Return how many visible memories wait for their edges; counting ends at the limit.

    Ten times as many open jobs are read: after a replay all of them may have their edges.
    """
    values = {"limit": limit, "as_of": as_of}
    return int(conn.execute(_WAITING[as_of is None], values).scalar_one())


def _of_visible(statement: str, as_of: int | None) -> TextClause:
    known = "" if as_of is None else "AND known_at <= :as_of"
    return text(statement.format(edges=_EDGES, known=known, hidden=hidden(as_of)))
