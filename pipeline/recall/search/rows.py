"""SQL over memories that a search asks: which are gone, when they were, what they say."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, func, select, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.alive import (
    DELETED_THEN,
    GONE,
    GONE_THEN,
    is_alive,
    is_present,
)
from afterword.pipeline.domain.memory.as_known import as_known
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.rows import COLUMNS, newest_first, to_memory
from afterword.pipeline.domain.memory.tables import memories
from afterword.pipeline.recall.search.dates import Span
from afterword.pipeline.recall.search.ids import Ids, read_ids
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.rules.entities.entities import Entity

_UNKNOWN: Final = "SELECT id FROM memories WHERE known_at > :as_of"
_GONE: Final = {
    (is_past, with_replaced): text(f"SELECT group_concat(id) FROM ({ids})")
    for is_past, with_replaced, ids in (
        (False, False, GONE),
        (False, True, "SELECT id FROM memories WHERE deleted_at IS NOT NULL"),
        (True, False, f"{_UNKNOWN} UNION ALL {GONE_THEN}"),
        (True, True, f"{_UNKNOWN} UNION ALL {DELETED_THEN}"),
    )
}

when: Final = func.coalesce(memories.c.occurred_at, memories.c.known_at)
"""When a memory was: when it happened, or became known where nobody said when."""

_READ: Final = text(f"""
SELECT {", ".join(f"memories.{column.name}" for column in COLUMNS)} FROM json_each(:ids) AS named
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


def gone(conn: Connection, as_of: int | None, include_superseded: bool) -> Ids:
    """Return the ids of the rows a reader does not see, some of them twice."""
    statement = _GONE[as_of is not None, include_superseded]
    return read_ids(conn.execute(statement, {"as_of": as_of}).scalar_one())


def happened(conn: Connection, spans: Sequence[Span]) -> Ids:
    """Return the ids of the memories of some stretches of time."""
    return read_ids(conn.execute(_HAPPENED, {"spans": json.dumps(spans)}).scalar_one())


def in_scope(conn: Connection, scope: Scope, as_of: int | None) -> Ids:
    """Return the ids of the memories a scope lets through."""
    found = select(func.group_concat(memories.c.id)).where(*conditions(scope, as_of))
    return read_ids(conn.execute(found).scalar_one())


def let_through(conn: Connection, ids: Ids, scope: Scope, as_of: int | None) -> set[int]:
    """Return those of some ids that a scope lets through."""
    named = func.json_each(json.dumps(ids.tolist())).table_valued("value")
    found = select(memories.c.id).where(
        memories.c.id.in_(select(named.c.value)), *conditions(scope, as_of)
    )
    return set(conn.execute(found).scalars())


def newest(conn: Connection, scope: Scope, as_of: int | None, limit: int) -> list[Memory]:
    """Return the memories of a scope that were made last, newest first."""
    query = select(*COLUMNS).where(*conditions(scope, as_of)).limit(limit)
    rows = conn.execute(query.order_by(*newest_first(as_of)))
    return as_known(conn, [to_memory(row) for row in rows], as_of)


def conditions(scope: Scope, as_of: int | None) -> list[ColumnElement[bool]]:
    """Return what a row must be to lie in a scope, and stand."""
    column = memories.c
    required = [
        is_present(as_of) if scope.include_superseded else is_alive(as_of),
        *(
            column[name] == value
            for name in ("category", "type", "session_id")
            if (value := getattr(scope, name)) is not None
        ),
    ]
    if scope.after is not None:
        required.append(when >= to_micros(scope.after))
    if scope.before is not None:
        required.append(when < to_micros(scope.before))
    if scope.typed:
        required.append(column.type.is_not(None))
    for tag in scope.tags:
        each = func.json_each(column.tags).table_valued("value")
        required.append(select(each.c.value).where(each.c.value == tag).exists())
    return required


def read(conn: Connection, ids: Sequence[int], as_of: int | None) -> list[Memory]:
    """Return memories by id, in the order given, as they are or were at a moment (microseconds)."""
    found = conn.execute(_READ, {"ids": json.dumps(ids)})
    return as_known(conn, [to_memory(row) for row in found], as_of)


def naming(conn: Connection, entities: Sequence[Entity]) -> list[Ids]:
    """Return, for each entity, the ids of the memories whose edges name it, some of them twice."""
    named = json.dumps(entities, ensure_ascii=False)
    return [read_ids(joined) for (joined,) in conn.execute(_NAMING, {"entities": named})]


def without_edges(conn: Connection, ids: Ids) -> list[tuple[int, str]]:
    """Return the ids and texts of those rows that have no edges, or none yet."""
    rows = conn.execute(_WITHOUT_EDGES, {"ids": json.dumps(ids.tolist())})
    return [(row_id, content) for row_id, content in rows]
