"""Extract every row's edges again, to find the missing ones."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import Edge, extract_edges
from afterword.pipeline.domain.edges.rows import MEMORY_EDGES, Sources

_PAGE: Final = 2_000
"""Rows of one read; between two reads, writers can reuse the log."""


def missing_edges(store: Store, of: Sources = MEMORY_EDGES) -> list[tuple[int, Sequence[Edge]]]:
    """Return the edges of a table's rows that are not stored, by row."""
    missing_by_row: list[tuple[int, Sequence[Edge]]] = []
    after = 0
    while True:
        with reading(store) as conn:
            rows = edge_rows.sources_after(conn, after, _PAGE, of)
            stored_by_row = edge_rows.kept(conn, [row.id for row in rows], of)
        for row in rows:
            stored = stored_by_row.get(row.id, [])
            edges = extract_edges(row.words, row.scenario_id, row.own)
            missing = [edge for edge in edges if edge not in stored]
            if missing:
                missing_by_row.append((row.id, missing))
        if len(rows) < _PAGE:
            return missing_by_row
        after = rows[-1].id
