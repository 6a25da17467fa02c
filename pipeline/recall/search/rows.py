"""SQL over memories for a search: which are hidden, in scope, dated, named by edges; their text."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.rows import (
    MEMORY_COLUMNS,
    is_after,
    newest_first,
    to_memories,
)
from afterword.pipeline.domain.memory.visibility import hidden, visible
from afterword.pipeline.recall.search.dates import Span
from afterword.pipeline.recall.search.ids import Ids, read_ids
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.rules.entities.entities import Entity

_WHEN: Final = "coalesce(memories.occurred_at, memories.known_at)"
"""When a memory was: when it happened, or became known where nobody said when."""

_HIDDEN: Final = "SELECT group_concat(id) FROM ({hidden})"
_HIDDEN_AT: Final = (
    "SELECT group_concat(id) FROM (SELECT id FROM memories WHERE known_at > :as_of"
    " UNION ALL {hidden})"
)
_IN_SCOPE: Final = "SELECT group_concat(memories.id) FROM memories WHERE {conditions}"
_SOME_IN_SCOPE: Final = """
SELECT memories.id FROM memories
WHERE memories.id IN (SELECT value FROM json_each(:ids)) AND {conditions}
"""
_NEWEST: Final = f"""
SELECT {MEMORY_COLUMNS} FROM memories WHERE {{conditions}} ORDER BY {{newest_first}} LIMIT :limit
"""
_CONTAINING: Final = """
SELECT id, pieces FROM (
  SELECT memories.id, memories.updated_at, {pieces} AS pieces FROM memories WHERE {conditions})
WHERE pieces > 0 ORDER BY pieces DESC, updated_at DESC, id DESC LIMIT :limit
"""
_PIECE: Final = (
    "(memories.content || ' ' || memories.category || ' ' || memories.tags"
    " LIKE '%' || :piece_{number} || '%' ESCAPE '/')"
)
_READ: Final = text(f"""
SELECT {MEMORY_COLUMNS} FROM json_each(:ids) AS named
CROSS JOIN memories ON memories.id = named.value ORDER BY named.key
""")
_HAPPENED: Final = text("""
SELECT group_concat(memories.id) FROM json_each(:spans) AS span
CROSS JOIN memories INDEXED BY memories_when
  ON coalesce(occurred_at, known_at) >= span.value ->> 0
  AND coalesce(occurred_at, known_at) < span.value ->> 1
""")
_NAMING: Final = text("""
SELECT (SELECT group_concat(src_id) FROM memory_edges
  WHERE dst_entity_kind = entity.value ->> 0 AND dst_entity_key = entity.value ->> 1
    AND src_table = 'memories')
FROM json_each(:entities) AS entity ORDER BY entity.key
""")
_WITHOUT_EDGES: Final = text("""
SELECT memories.id, memories.content FROM json_each(:ids) AS named
CROSS JOIN memories ON memories.id = named.value
WHERE NOT EXISTS (
  SELECT 1 FROM memory_edges WHERE src_table = 'memories' AND src_id = memories.id)
""")


class ScopeCondition(NamedTuple):
    """The SQL condition of a scope at a moment, and the values of its parameters."""

    sql: str
    values: dict[str, Any]


def hidden_ids(conn: Connection, scope: Scope, as_of: int | None) -> Ids:
    """Return the ids of the rows that a read does not see, some of them twice.

    Args:
        as_of: microseconds, here and below; None is now.
    """
    statement = _HIDDEN if as_of is None else _HIDDEN_AT
    query = text(statement.format(hidden=hidden(as_of, scope.include_superseded)))
    return read_ids(conn.execute(query, {"as_of": as_of}).scalar_one())


def happened(conn: Connection, spans: Sequence[Span]) -> Ids:
    """Return the ids of the memories of some stretches of time."""
    return read_ids(conn.execute(_HAPPENED, {"spans": json.dumps(spans)}).scalar_one())


def in_scope(conn: Connection, scope: Scope, as_of: int | None) -> Ids:
    """Return the ids of the visible memories in a scope."""
    where = condition(scope, as_of)
    joined = conn.execute(text(_IN_SCOPE.format(conditions=where.sql)), where.values)
    return read_ids(joined.scalar_one())


def some_in_scope(conn: Connection, ids: Ids, scope: Scope, as_of: int | None) -> set[int]:
    """Return those of some ids that are visible and in a scope."""
    where = condition(scope, as_of)
    values = where.values | {"ids": json.dumps(ids.tolist())}
    return set(conn.execute(text(_SOME_IN_SCOPE.format(conditions=where.sql)), values).scalars())


def newest(
    conn: Connection,
    scope: Scope,
    as_of: int | None,
    limit: int,
    after: tuple[int, int] | None = None,
) -> list[Memory]:
    """Return the visible memories of a scope, last updated first.

    Args:
        after: when the last memory of the page before was updated, or of the past became known
            (microseconds), and its `id`.
    """
    where = condition(scope, as_of)
    conditions, values = where.sql, where.values | {"limit": limit}
    if after is not None:
        conditions += f" AND {is_after(as_of)}"
        values |= {"after_at": after[0], "after_id": after[1]}
    statement = _NEWEST.format(conditions=conditions, newest_first=newest_first(as_of))
    rows = conn.execute(text(statement), values)
    return to_memories(conn, rows, as_of)


def containing(
    conn: Connection, pieces: Sequence[str], scope: Scope, as_of: int | None, limit: int
) -> list[tuple[int, int]]:
    """Return the ids of memories that contain any of some pieces, and how many; most first.

    No index helps: every row in scope is read.
    """
    where = condition(scope, as_of)
    counted = " + ".join(_PIECE.format(number=number) for number in range(len(pieces)))
    values = {f"piece_{number}": _escaped(piece) for number, piece in enumerate(pieces)}
    statement = text(_CONTAINING.format(pieces=counted, conditions=where.sql))
    rows = conn.execute(statement, where.values | values | {"limit": limit})
    return [(row_id, count) for row_id, count in rows]


def condition(scope: Scope, as_of: int | None) -> ScopeCondition:
    """Return the condition that a row is visible and in a scope."""
    required = [visible(as_of, scope.include_superseded)]
    values: dict[str, Any] = {"as_of": as_of}
    for name in ("category", "type", "session_id"):
        if (value := getattr(scope, name)) is not None:
            required.append(f"memories.{name} = :{name}")
            values[name] = value
    for name, bound in (("after", f"{_WHEN} >= :after"), ("before", f"{_WHEN} < :before")):
        if (moment := getattr(scope, name)) is not None:
            required.append(bound)
            values[name] = to_micros(moment)
    if scope.typed:
        required.append("memories.type IS NOT NULL")
    for number, tag in enumerate(scope.tags):
        required.append(f":tag_{number} IN (SELECT value FROM json_each(memories.tags))")
        values[f"tag_{number}"] = tag
    return ScopeCondition(" AND ".join(required), values)


def read(conn: Connection, ids: Sequence[int], as_of: int | None) -> list[Memory]:
    """Return memories by id, in the order given, as they are or were at a moment."""
    return to_memories(conn, conn.execute(_READ, {"ids": json.dumps(ids)}), as_of)


def naming(conn: Connection, entities: Sequence[Entity]) -> list[Ids]:
    """Return, for each entity, the ids of the memories whose edges name it, some of them twice."""
    named = json.dumps(entities, ensure_ascii=False)
    return [read_ids(joined) for (joined,) in conn.execute(_NAMING, {"entities": named})]


def without_edges(conn: Connection, ids: Ids) -> list[tuple[int, str]]:
    """Return the ids and texts of those rows that have no edges, or none yet."""
    rows = conn.execute(_WITHOUT_EDGES, {"ids": json.dumps(ids.tolist())})
    return [(row_id, content) for row_id, content in rows]


def _escaped(piece: str) -> str:
    """Return a piece of text in which LIKE finds no wildcard."""
    return piece.replace("/", "//").replace("%", "/%").replace("_", "/_")
