"""Find the edges under a key that its symbol no longer has, and what replaces them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import Edge, NodeKind, extract_edges
from afterword.pipeline.domain.edges.rows import MEMORY_EDGES, Source, Sources
from afterword.pipeline.rules.market.symbols import normalise_symbol

_PAGE: Final = 2_000
"""Rows of one statement."""

_SYMBOLS: Final[frozenset[NodeKind]] = frozenset({"ticker", "pair"})


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """What changes among the edges of one row.

    Args:
        stale: stored ones that the row no longer gives.
        missing: those it gives that are not stored.
    """

    row_id: int
    stale: tuple[Edge, ...]
    missing: tuple[Edge, ...]


def misfiled_edges(
    conn: Connection, of: Sources = MEMORY_EDGES, moved: Mapping[int, str] | None = None
) -> list[EdgeChange]:
    """Return what changes among the edges of rows that mention a symbol under an old key.

    Args:
        moved: rows, by id, that get another key for the asset beside their text.
    """
    keys = moved or {}
    old = [key for key in edge_rows.symbol_keys(conn, of) if _is_old(*key)]
    ids = sorted({*edge_rows.rows_about(conn, old, of), *keys})
    changes: list[EdgeChange] = []
    for start in range(0, len(ids), _PAGE):
        page = ids[start : start + _PAGE]
        stored = edge_rows.kept(conn, page, of)
        rows = edge_rows.sources(conn, page, of)
        changes += [_change(_under(row, keys.get(row.id)), stored.get(row.id, ())) for row in rows]
    return [one for one in changes if one.stale or one.missing]


def refile_edges(
    conn: Connection, changes: Iterable[EdgeChange], now: int, of: Sources = MEMORY_EDGES
) -> None:
    """Replace the edges of rows; repeated, it changes nothing."""
    changed = list(changes)
    edge_rows.drop(conn, [(one.row_id, one.stale) for one in changed], of)
    edge_rows.keep(conn, [(one.row_id, one.missing) for one in changed], now, of)


def _is_old(kind: NodeKind, key: str) -> bool:
    parts = key.split("|") if kind == "pair" else [key]
    return any(normalise_symbol(part) != part for part in parts)


def _under(row: Source, key: str | None) -> Source:
    """Return a row with the edge to its asset under another key."""
    if key is None:
        return row
    return replace(row, own=tuple(edge._replace(entity_key=key) for edge in row.own))


def _change(row: Source, stored: Sequence[Edge]) -> EdgeChange:
    given = extract_edges(row.words, row.scenario_id, row.own)
    symbols = [edge for edge in stored if edge.entity_kind in _SYMBOLS]
    stale = tuple(edge for edge in symbols if edge not in given)
    # A row whose edges were never extracted has a job that does it.
    missing = tuple(edge for edge in given if edge not in stored) if stored else ()
    return EdgeChange(row.id, stale, missing)
