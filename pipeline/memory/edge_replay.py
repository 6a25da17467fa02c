"""Extract every memory's edges again, to find those that are not there."""

from collections.abc import Callable, Sequence
from typing import Final

from pipeline.memory import edge_rows
from pipeline.memory.edges import Edge, extract_edges
from pipeline.store import Store, reading

PAGE: Final = 2_000
"""Memories of one read; between two, writers can reuse the log."""


def missing_edges(
    store: Store, told: Callable[[int], None] = lambda _done: None
) -> list[tuple[int, Sequence[Edge]]]:
    """Return the edges that the text of a memory has and the store has not, by memory.

    Args:
        told: called with the number of memories looked at so far.
    """
    found: list[tuple[int, Sequence[Edge]]] = []
    after = done = 0
    while True:
        with reading(store) as conn:
            sources = edge_rows.sources_after(conn, after, PAGE)
            kept = edge_rows.of_memories(conn, [row.id for row in sources])
        for row in sources:
            had = kept.get(row.id, [])
            lost = [edge for edge in extract_edges(row.content, row.scenario_id) if edge not in had]
            if lost:
                found.append((row.id, lost))
        done += len(sources)
        told(done)
        if len(sources) < PAGE:
            return found
        after = sources[-1].id
