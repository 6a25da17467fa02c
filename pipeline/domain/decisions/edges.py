"""The job `extract_role_edges`: entities and edges of a decision, by rules only."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extract import extract_row_edges
from afterword.pipeline.domain.edges.extraction import Edge
from afterword.pipeline.domain.edges.replay import missing_edges
from afterword.pipeline.domain.edges.rows import Sources

DECISION_EDGES: Final = Sources(
    table="role_memory",
    words="decision",
    category="'decision'",
    at="role_memory.decided_at",
    row_key="role_memory_id",
    asset="asset_key",
    relation="CASE direction WHEN 'neutral' THEN 'watched' ELSE 'traded' END",
)


def extract_role_edges(store: Store, leases: Leases, now: datetime) -> int:
    """Extract and keep the edges of the leased decisions; see `extract_row_edges`."""
    return extract_row_edges(DECISION_EDGES, store, leases, now)


def missing_role_edges(store: Store) -> list[tuple[int, Sequence[Edge]]]:
    """Return the edges missing from the store, by decision; for the doctor."""
    return missing_edges(store, of=DECISION_EDGES)


def keep_role_edges(
    conn: Connection, missing: Iterable[tuple[int, Sequence[Edge]]], now: datetime
) -> int:
    """Add missing edges of decisions (by id); return how many were new."""
    return edge_rows.keep(conn, missing, to_micros(now), DECISION_EDGES)
