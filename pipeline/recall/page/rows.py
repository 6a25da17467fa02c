"""SQL over the memories, edges and round trips of one asset."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.edges.extraction import STRONGEST_FIRST
from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import VISIBLE, VISIBLE_AT

EDGE_TYPES: Final = tuple(
    name for name in STRONGEST_FIRST if name not in ("belongs_to_scenario", "co_occurs_with")
)
"""Types of edges that lead to an asset, strongest first."""


_VISIBLE: Final = ((True, VISIBLE), (False, VISIBLE_AT))


def _now_and_then(sql: str) -> dict[bool, str]:
    """Return a statement for rows visible now, and for rows visible at `:as_of`."""
    return {
        is_now: sql.replace("IS_VISIBLE", visible).replace(
            "IS_UNFLAGGED", not_flagged("memories", is_now=is_now)
        )
        for is_now, visible in _VISIBLE
    }


_EDGES: Final = """
memory_edges AS edge INDEXED BY memory_edges_about
CROSS JOIN memories ON memories.id = edge.src_id
WHERE edge.src_table = 'memories' AND edge.dst_entity_kind = 'ticker'
  AND edge.dst_entity_key = :key AND IS_VISIBLE"""
# One read of the index, newest first, that stops after so many: it reads no more memories, however
# much is known of an asset, and however much of that is of another category.
_LATEST = _now_and_then(f"""
SELECT about.id, about.category, about.content, coalesce(about.occurred_at, about.known_at) AS at
FROM memories AS about WHERE about.id IN (
  SELECT DISTINCT edge.src_id FROM {_EDGES}
    AND edge.src_category IN (SELECT value FROM json_each(:categories)) AND IS_UNFLAGGED
  ORDER BY edge.src_at DESC, edge.src_id DESC LIMIT :most)
ORDER BY at DESC, about.id DESC
""")
_COUNTS = _now_and_then(f"""
SELECT wanted.value, (SELECT count(*) FROM (
  SELECT 1 FROM {_EDGES} AND edge.edge_type = wanted.value LIMIT :most))
FROM json_each(:types) AS wanted ORDER BY wanted.key
""")
_SEEN = _now_and_then(f"""
SELECT (SELECT edge.src_at FROM {_EDGES} ORDER BY edge.src_at LIMIT 1),
  (SELECT edge.src_at FROM {_EDGES} ORDER BY edge.src_at DESC LIMIT 1)
""")
_SYMBOLS: Final = """
WITH RECURSIVE found (symbol) AS (
  SELECT min(symbol) FROM round_trips
  UNION ALL
  SELECT (SELECT min(symbol) FROM round_trips WHERE symbol > found.symbol) FROM found
  WHERE found.symbol IS NOT NULL)
SELECT symbol FROM found WHERE symbol IS NOT NULL
"""
_TRIPS = _now_and_then("""
SELECT memories.id, memories.category, memories.content, trip.closed_at AS at
FROM round_trips AS trip CROSS JOIN memories ON memories.id = trip.memory_id
WHERE trip.symbol = :symbol AND IS_VISIBLE AND IS_UNFLAGGED
ORDER BY trip.closed_at DESC, trip.id DESC LIMIT :most
""")


class AssetMemory(NamedTuple):
    """A memory about an asset, and when it happened or became known (microseconds)."""

    id: int
    category: str
    content: str
    at: int


def latest(
    conn: Connection, key: str, categories: Sequence[str], as_of: int | None, most: int
) -> list[AssetMemory]:
    """Return the latest memories about an asset, of some categories, newest first.

    Args:
        as_of: those visible at a moment (microseconds).
    """
    values = {"key": key, "categories": json.dumps(categories), "most": most}
    return [AssetMemory(*row) for row in _execute(conn, _LATEST, as_of, values)]


def edge_counts(conn: Connection, key: str, as_of: int | None, most: int) -> dict[str, int]:
    """Return how many edges of each type lead to an asset; counting ends at `most` of a type."""
    values = {"key": key, "types": json.dumps(EDGE_TYPES), "most": most}
    return dict(_execute(conn, _COUNTS, as_of, values))


def seen(conn: Connection, key: str, as_of: int | None) -> tuple[datetime | None, datetime | None]:
    """Return when the first and the last memory about an asset happened or became known."""
    ((first, last),) = _execute(conn, _SEEN, as_of, {"key": key})
    return (None, None) if first is None else (from_micros(first), from_micros(last))


def traded_symbols(conn: Connection) -> list[str]:
    """Return every symbol a round trip was made in, as its venue writes it."""
    return [str(symbol) for (symbol,) in _rows(conn, _SYMBOLS, {})]


def latest_trips(conn: Connection, symbol: str, as_of: int | None, most: int) -> list[AssetMemory]:
    """Return the memories of the round trips in a symbol that closed last, newest first."""
    values = {"symbol": symbol, "most": most}
    return [AssetMemory(*row) for row in _execute(conn, _TRIPS, as_of, values)]


def _execute(
    conn: Connection,
    statements: dict[bool, str],
    as_of: int | None,
    values: dict[str, Any],
) -> Sequence[Any]:
    moment = {} if as_of is None else {"as_of": as_of}
    return _rows(conn, statements[as_of is None], values | moment)


def _rows(conn: Connection, statement: str, values: dict[str, Any]) -> Sequence[Any]:
    cursor = driver_cursor(conn)
    cursor.execute(statement, values)
    return cursor.fetchall()
