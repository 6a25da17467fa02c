"""SQL over edges, and over the rows whose texts they are extracted from."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, TextClause, text

from afterword.pipeline.domain.edges.extraction import Edge, NodeKind

_SOURCES: Final = """
SELECT id, {words}, scenario_id, {asset}, {relation} FROM {table}
WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id
"""
_SOURCES_AFTER: Final = """
SELECT id, {words}, scenario_id, {asset}, {relation} FROM {table}
WHERE id > :after ORDER BY id LIMIT :limit
"""
# A deleted row has edges too: a read as of an earlier moment needs them, whenever the job ran. The
# join leaves out a row that was removed for good meanwhile, the constraint leaves out edges that
# exist already, so a replay writes nothing.
_KEEP: Final = """
INSERT INTO memory_edges
  (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, weight, known_at, created_at,
   src_category, src_at)
SELECT '{table}', {table}.id, edge.value ->> 1, edge.value ->> 2, edge.value ->> 3,
  edge.value ->> 4, {table}.known_at, :now, {category}, {at}
FROM json_each(:edges) AS edge CROSS JOIN {table} ON {table}.id = edge.value ->> 0
WHERE true
ON CONFLICT DO NOTHING
"""
_KEPT: Final = """
SELECT src_id, dst_entity_kind, dst_entity_key, edge_type, weight FROM memory_edges
WHERE src_table = '{table}' AND src_id IN (SELECT value FROM json_each(:ids)) ORDER BY id
"""
_SYMBOL_KEYS: Final = """
SELECT DISTINCT dst_entity_kind, dst_entity_key FROM memory_edges
WHERE src_table = '{table}' AND dst_entity_kind IN ('ticker', 'pair')
"""
_ROWS_ABOUT: Final = """
SELECT DISTINCT src_id FROM memory_edges
WHERE src_table = '{table}' AND (dst_entity_kind, dst_entity_key) IN
  (SELECT value ->> 0, value ->> 1 FROM json_each(:keys))
"""
_DROP: Final = """
DELETE FROM memory_edges WHERE src_table = '{table}'
  AND (src_id, dst_entity_kind, dst_entity_key, edge_type) IN
    (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:edges))
"""
_COUNT: Final = text("SELECT count(*) FROM memory_edges")


@dataclass(frozen=True, slots=True)
class Sources:
    """A table whose rows have edges; names and expressions as SQL.

    Args:
        table: it has an `id`, a `scenario_id` and a `known_at`.
        words: the column its edges are extracted from.
        category: the category its edges carry.
        at: the time its edges are about.
        row_key: the name of the row's id in the payload of a job.
        asset: the column with a symbol beside the text; `relation`: its relation to the row.
    """

    table: str
    words: str
    category: str
    at: str
    row_key: str
    asset: str = "NULL"
    relation: str = "NULL"


MEMORY_EDGES: Final = Sources(
    table="memories",
    words="content",
    category="memories.category",
    at="coalesce(memories.occurred_at, memories.known_at)",
    row_key="memory_id",
)


@dataclass(frozen=True, slots=True)
class Source:
    """One row to extract edges from.

    Args:
        own: edges the row declares beside its text.
    """

    id: int
    words: str
    scenario_id: str | None
    own: tuple[Edge, ...]


@cache
def _about(statement: str, of: Sources) -> TextClause:
    return text(statement.format(**{one.name: getattr(of, one.name) for one in fields(of)}))


def sources(conn: Connection, ids: Sequence[int], of: Sources = MEMORY_EDGES) -> list[Source]:
    """Return those of the rows that still exist."""
    rows = conn.execute(_about(_SOURCES, of), {"ids": json.dumps(ids)})
    return [_source(*row) for row in rows]


def sources_after(
    conn: Connection, after: int, limit: int, of: Sources = MEMORY_EDGES
) -> list[Source]:
    """Return the next rows, deleted ones too, in the order of ids."""
    rows = conn.execute(_about(_SOURCES_AFTER, of), {"after": after, "limit": limit})
    return [_source(*row) for row in rows]


def keep(
    conn: Connection,
    edges_by_row: Iterable[tuple[int, Sequence[Edge]]],
    now: int,
    of: Sources = MEMORY_EDGES,
) -> int:
    """Add the edges of rows (by id) that are not there yet, and return how many were new."""
    rows = [(row_id, *edge) for row_id, edges in edges_by_row for edge in edges]
    written = json.dumps(rows, ensure_ascii=False)
    return conn.execute(_about(_KEEP, of), {"edges": written, "now": now}).rowcount


def kept(conn: Connection, ids: Sequence[int], of: Sources = MEMORY_EDGES) -> dict[int, list[Edge]]:
    """Return the stored edges of rows, by row, the strongest first as they were extracted."""
    edges_by_row: dict[int, list[Edge]] = {}
    for row_id, *edge in conn.execute(_about(_KEPT, of), {"ids": json.dumps(list(ids))}):
        edges_by_row.setdefault(row_id, []).append(Edge(*edge))
    return edges_by_row


def symbol_keys(conn: Connection, of: Sources = MEMORY_EDGES) -> list[tuple[NodeKind, str]]:
    """Return each ticker and pair of tickers that rows are about, with its kind."""
    return [(kind, key) for kind, key in conn.execute(_about(_SYMBOL_KEYS, of))]


def rows_about(
    conn: Connection, keys: Sequence[tuple[NodeKind, str]], of: Sources = MEMORY_EDGES
) -> list[int]:
    """Return the rows about any of these entities."""
    written = json.dumps(keys, ensure_ascii=False)
    return list(conn.execute(_about(_ROWS_ABOUT, of), {"keys": written}).scalars())


def drop(
    conn: Connection, edges_by_row: Iterable[tuple[int, Sequence[Edge]]], of: Sources = MEMORY_EDGES
) -> None:
    """Remove edges of rows (by id)."""
    rows = [(row_id, *edge) for row_id, edges in edges_by_row for edge in edges]
    conn.execute(_about(_DROP, of), {"edges": json.dumps(rows, ensure_ascii=False)})


def count(conn: Connection) -> int:
    """Return how many edges there are."""
    number: int = conn.execute(_COUNT).scalar_one()
    return number


def _source(
    row_id: int, words: str, scenario: str | None, asset: str | None, relation: Any
) -> Source:
    own = () if asset is None else (Edge("ticker", asset, relation),)
    return Source(row_id, words, scenario, own)
