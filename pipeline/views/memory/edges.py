"""Edges: which memories are about what."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.edges.extraction import Edge
from afterword.pipeline.domain.edges.read import EntityCount, Neighbourhood, say_waiting
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import moment, shorten

_MAX_TEXT: Final = 120
"""Characters of a memory's text in a table; JSON has all of it."""


def neighbourhood_of(neighbourhood: Neighbourhood) -> View:
    """Return the memories about an entity, and what it is named together with."""
    rows = [
        [
            str(about.memory.id),
            ", ".join(about.edge_types),
            moment(about.memory.known_at),
            shorten(about.memory.content, _MAX_TEXT),
        ]
        for about in neighbourhood.memories
    ]
    nothing = f"nothing is known of {neighbourhood.kind} {mask(neighbourhood.key)}"
    blocks: list[Block] = [Table(("id", "says", "known", "text"), rows, nothing)]
    if neighbourhood.beside:
        named = ", ".join(f"{entity.key} ({entity.edges:,})" for entity in neighbourhood.beside)
        blocks.append(Paragraph(f"named together with {named}"))
    if neighbourhood.waiting:
        blocks.append(Paragraph(say_waiting(neighbourhood.waiting)))
    return View(blocks)


def top_entities_list(entities: Sequence[EntityCount]) -> View:
    """Return the entities most is known about."""
    rows: list[list[Cell]] = [[entity.kind, entity.key, entity.edges] for entity in entities]
    return View([Table(("kind", "entity", "edges"), rows, "no edges yet")])


def memory_edges(edges: Sequence[Edge], name: str) -> View:
    """Return what one memory is about.

    Args:
        name: of the memory, as its owner gave it.
    """
    rows = [[edge.edge_type, edge.entity_kind, edge.entity_key] for edge in edges]
    return View([Table(("says", "kind", "entity"), rows, f"{name} has no edges")])
