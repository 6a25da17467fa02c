"""Extract every row's edges again, to find those that are not there."""

from collections.abc import Callable, Sequence
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import Edge, extract_edges
from afterword.pipeline.domain.edges.rows import MEMORIES, Sources

PAGE: Final = 2_000
"""Rows of one read; between two, writers can reuse the log."""


def missing_edges(
    store: Store, told: Callable[[int], None] = lambda _done: None, of: Sources = MEMORIES
) -> list[tuple[int, Sequence[Edge]]]:
    """Return the edges that the rows of a table have and the store has not, by row.

    Args:
        told: called with the number of rows looked at so far.
    """
    found: list[tuple[int, Sequence[Edge]]] = []
    after = done = 0
    while True:
        with reading(store) as conn:
            rows = edge_rows.sources_after(conn, after, PAGE, of)
            kept = edge_rows.kept(conn, [row.id for row in rows], of)
        for row in rows:
            had = kept.get(row.id, [])
            edges = extract_edges(row.words, row.scenario_id, row.own)
            lost = [edge for edge in edges if edge not in had]
            if lost:
                found.append((row.id, lost))
        done += len(rows)
        told(done)
        if len(rows) < PAGE:
            return found
        after = rows[-1].id
