"""SQL over the edges from memories to what they are about."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select, text

from pipeline.memory.edges import Edge
from pipeline.memory.tables import memory_edges

_SOURCES = text("""
SELECT id, content, scenario_id FROM memories
WHERE id IN (SELECT value FROM json_each(:ids))
""")
# A deleted row has its edges too: a read as of its life needs them, and when the job ran must not
# decide. A row that went away for good meanwhile is left out by the join; one that was extracted
# before is left out by the constraint, so a replay writes nothing.
_KEEP = text("""
INSERT INTO memory_edges
  (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, weight, known_at, created_at,
   src_category, src_at)
SELECT 'memories', memories.id, edge.value ->> 1, edge.value ->> 2, edge.value ->> 3,
  edge.value ->> 4, memories.known_at, :now,
  memories.category, coalesce(memories.occurred_at, memories.known_at)
FROM json_each(:edges) AS edge CROSS JOIN memories ON memories.id = edge.value ->> 0
WHERE true
ON CONFLICT DO NOTHING
""")
_SOURCES_AFTER = text("""
SELECT id, content, scenario_id FROM memories WHERE id > :after ORDER BY id LIMIT :limit
""")
_OF_MEMORIES = text("""
SELECT src_id, dst_entity_kind, dst_entity_key, edge_type, weight FROM memory_edges
WHERE src_table = 'memories' AND src_id IN (SELECT value FROM json_each(:ids)) ORDER BY id
""")


@dataclass(frozen=True, slots=True)
class Source:
    """What edges are extracted from."""

    id: int
    content: str
    scenario_id: str | None


def sources(conn: Connection, ids: Sequence[int]) -> list[Source]:
    """Return the rows that are still there."""
    rows = conn.execute(_SOURCES, {"ids": json.dumps(ids)})
    return [Source(row_id, content, scenario_id) for row_id, content, scenario_id in rows]


def sources_after(conn: Connection, after: int, limit: int) -> list[Source]:
    """Return the next rows, deleted ones too, in the order of ids."""
    rows = conn.execute(_SOURCES_AFTER, {"after": after, "limit": limit})
    return [Source(row_id, content, scenario_id) for row_id, content, scenario_id in rows]


def keep(conn: Connection, found: Iterable[tuple[int, Sequence[Edge]]], now: int) -> int:
    """Add the edges of memories (by id) that are not there yet, and return how many were new."""
    rows = [(memory_id, *edge) for memory_id, edges in found for edge in edges]
    written = json.dumps(rows, ensure_ascii=False)
    return conn.execute(_KEEP, {"edges": written, "now": now}).rowcount


def of_memories(conn: Connection, ids: Sequence[int]) -> dict[int, list[Edge]]:
    """Return what memories are about, strongest first as it was extracted."""
    found: dict[int, list[Edge]] = {}
    for memory_id, *edge in conn.execute(_OF_MEMORIES, {"ids": json.dumps(list(ids))}):
        found.setdefault(memory_id, []).append(Edge(*edge))
    return found


def count(conn: Connection) -> int:
    """Return how many edges there are."""
    return conn.execute(select(func.count()).select_from(memory_edges)).scalar_one()
