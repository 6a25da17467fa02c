"""SQL over the edges from memories to what they are about."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select, text

from pipeline.memory.edges import Edge
from pipeline.memory.tables import memory_edges

_SOURCES = text("""
SELECT id, content, scenario_id FROM memories
WHERE id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NULL
""")
# A row that went away between the read and this write is left out by the join; one that was
# extracted before is left out by the constraint, so a replay writes nothing.
_KEEP = text("""
INSERT INTO memory_edges
  (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, weight, known_at, created_at)
SELECT 'memories', memories.id, edge.value ->> 1, edge.value ->> 2, edge.value ->> 3,
  edge.value ->> 4, memories.known_at, :now
FROM json_each(:edges) AS edge CROSS JOIN memories ON memories.id = edge.value ->> 0
WHERE memories.deleted_at IS NULL
ON CONFLICT DO NOTHING
""")


_OF_MEMORY = text("""
SELECT dst_entity_kind, dst_entity_key, edge_type, weight FROM memory_edges
WHERE src_table = 'memories' AND src_id = :memory_id ORDER BY id
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


def keep(conn: Connection, found: Iterable[tuple[int, Sequence[Edge]]], now: int) -> int:
    """Add the edges of memories (by id) that are not there yet, and return how many were new."""
    rows = [(memory_id, *edge) for memory_id, edges in found for edge in edges]
    written = json.dumps(rows, ensure_ascii=False)
    return conn.execute(_KEEP, {"edges": written, "now": now}).rowcount


def of_memory(conn: Connection, memory_id: int) -> list[Edge]:
    """Return what a memory is about, strongest first as it was extracted."""
    return [Edge(*row) for row in conn.execute(_OF_MEMORY, {"memory_id": memory_id})]


def count(conn: Connection) -> int:
    """Return how many edges there are."""
    return conn.execute(select(func.count()).select_from(memory_edges)).scalar_one()
