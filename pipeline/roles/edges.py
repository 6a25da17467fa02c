"""The job `extract_role_edges`: what a decision is about, by rule alone."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Final

from sqlalchemy import Connection, text

from pipeline.clock import to_micros
from pipeline.jobs.lease import Leases
from pipeline.memory.edges import MAX_EDGES_PER_CONTENT, Edge, extract_edges
from pipeline.store import Store, reading, writing

PAGE: Final = 2_000
"""Decisions of one read of a replay; between two, writers can reuse the log."""

_AFTER = text("""
SELECT id FROM role_memory WHERE id > :after ORDER BY id LIMIT :limit
""")
_KEPT = text("""
SELECT src_id, dst_entity_kind, dst_entity_key, edge_type FROM memory_edges
WHERE src_table = 'role_memory' AND src_id IN (SELECT value FROM json_each(:ids))
""")
_SOURCES = text("""
SELECT id, decision, scenario_id, asset_key, direction FROM role_memory
WHERE id IN (SELECT value FROM json_each(:ids))
""")
_KEEP = text("""
INSERT INTO memory_edges
  (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, weight, known_at, created_at,
   src_category, src_at)
SELECT 'role_memory', role_memory.id, edge.value ->> 1, edge.value ->> 2, edge.value ->> 3,
  edge.value ->> 4, role_memory.known_at, :now, 'decision', role_memory.decided_at
FROM json_each(:edges) AS edge CROSS JOIN role_memory ON role_memory.id = edge.value ->> 0
WHERE true
ON CONFLICT DO NOTHING
""")


def extract_role_edges(store: Store, leases: Leases, now: datetime) -> int:
    """Extract and keep the edges of the leased decisions; a replay adds none.

    Returns:
        How many edges were new.

    Raises:
        LeaseLostError: the jobs run elsewhere by now; nothing was written.
    """
    ids = [lease.payload["role_memory_id"] for lease in leases]
    with reading(store) as conn:
        found = list(_edges(conn, ids))
    with writing(store, finishing=leases) as conn:
        return keep_role_edges(conn, found, now)


def missing_role_edges(store: Store) -> list[tuple[int, Sequence[Edge]]]:
    """Return the edges a decision has and the store has not, by decision; for the doctor."""
    missing: list[tuple[int, Sequence[Edge]]] = []
    after = 0
    while True:
        with reading(store) as conn:
            page = {"after": after, "limit": PAGE}
            ids = list(conn.execute(_AFTER, page).scalars())
            kept = {tuple(row) for row in conn.execute(_KEPT, {"ids": json.dumps(ids)})}
            for row_id, edges in _edges(conn, ids):
                lost = [edge for edge in edges if (row_id, *edge[:3]) not in kept]
                if lost:
                    missing.append((row_id, lost))
        if len(ids) < PAGE:
            return missing
        after = ids[-1]


def keep_role_edges(
    conn: Connection, found: Iterable[tuple[int, Sequence[Edge]]], now: datetime
) -> int:
    """Add the edges of decisions (by id) that are not there yet; return how many were new."""
    written = [(row_id, *edge) for row_id, edges in found for edge in edges]
    values = {"edges": json.dumps(written, ensure_ascii=False), "now": to_micros(now)}
    return conn.execute(_KEEP, values).rowcount


def _edges(conn: Connection, ids: Sequence[int]) -> Iterator[tuple[int, Sequence[Edge]]]:
    for row in conn.execute(_SOURCES, {"ids": json.dumps(list(ids))}):
        own = _of_asset(row.asset_key, row.direction)
        said = extract_edges(row.decision, row.scenario_id)
        # The asset the decision names counts before what its words say.
        each = dict.fromkeys(chain(own, said))
        yield row.id, tuple(islice(each, MAX_EDGES_PER_CONTENT))


def _of_asset(asset_key: str | None, direction: str) -> list[Edge]:
    if asset_key is None:
        return []
    return [Edge("ticker", asset_key, "watched" if direction == "neutral" else "traded")]
