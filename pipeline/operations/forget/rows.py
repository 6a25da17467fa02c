"""SQL over everything that can hold remembered words."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.area import ForgetPlace

_DESCENDANTS = text("""
WITH RECURSIVE fallen (id) AS (
  SELECT value FROM json_each(:ids)
  UNION
  SELECT child_id FROM memory_parents JOIN fallen ON parent_id = fallen.id
)
SELECT id FROM fallen JOIN memories USING (id) ORDER BY id
""")
_VERSIONS = text("""
WITH RECURSIVE version (id) AS (
  SELECT value FROM json_each(:ids)
  UNION
  SELECT memories.id FROM version JOIN memories ON memories.superseded_by = version.id
  UNION
  SELECT superseded_by FROM version JOIN memories USING (id) WHERE superseded_by IS NOT NULL
)
SELECT id FROM version WHERE id NOT IN (SELECT value FROM json_each(:ids)) ORDER BY id
""")
# Edges follow by a trigger, everything else by a foreign key.
_FOLLOWERS: Final = """
SELECT m.name, group_concat(key."from" || ' IN (SELECT value FROM json_each(:ids))', ' OR ')
FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS key
WHERE m.type = 'table' AND key."table" = 'memories' AND key.on_delete = 'CASCADE'
GROUP BY m.name
UNION SELECT 'memory_edges',
  'src_table = ''memories'' AND src_id IN (SELECT value FROM json_each(:ids))' ORDER BY 1
"""
_ERASED = text("""
SELECT max(at) FROM audit_log
WHERE tool_call = 'forget.erase' AND object_table = 'memories'
  AND (object_id = :id OR detail ->> 'uid' = :uid)
""")
_TEXT_COLUMNS: Final = """
SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.type = 'TEXT'
  AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'
ORDER BY m.name, c.cid
"""


def page(
    conn: Connection, place: ForgetPlace, memories: Sequence[int], after: int, limit: int
) -> list[tuple[int, bool, Sequence[Any]]]:
    """Return rows of a place that say anything: rowid, whether they name a memory, their cells.

    Args:
        memories: ids of the memories a row may name.
        after: only rows of a higher rowid.
    """
    columns = (*place.words, *place.json)
    says = " OR ".join([f"{column} <> ''" for column in columns] + [place.names or "false"])
    query = text(f"""
        SELECT rowid, {place.names or "false"}, {", ".join(columns)} FROM {place.table}
        WHERE rowid > :after AND ({says}) ORDER BY rowid LIMIT :limit
    """)
    values: dict[str, Any] = {"after": after, "limit": limit}
    if place.names:
        values["memories"] = json.dumps(list(memories))
    return [(row[0], bool(row[1]), row[2:]) for row in conn.execute(query, values)]


def cells(
    conn: Connection, place: ForgetPlace, ids: Sequence[int]
) -> list[tuple[int, Sequence[Any]]]:
    """Return the cells of the rows of a place that are still there."""
    columns = ", ".join((*place.words, *place.json))
    query = text(f"""
        SELECT rowid, {columns} FROM {place.table}
        WHERE rowid IN (SELECT value FROM json_each(:ids)) ORDER BY rowid
    """)
    return [(row[0], row[1:]) for row in conn.execute(query, {"ids": json.dumps(list(ids))})]


def erase(conn: Connection, place: ForgetPlace, ids: Sequence[int]) -> None:
    """Let a place go of what its rows say."""
    conn.execute(text(place.erase), {"ids": json.dumps(list(ids))})


def with_descendants(conn: Connection, ids: Sequence[int]) -> list[int]:
    """Return those of the memories that are there, and all that was derived from them."""
    return list(conn.execute(_DESCENDANTS, {"ids": json.dumps(list(ids))}).scalars())


def versions(conn: Connection, ids: Sequence[int]) -> list[int]:
    """Return the memories these replaced or were replaced by, themselves left out."""
    return list(conn.execute(_VERSIONS, {"ids": json.dumps(list(ids))}).scalars())


def followers(conn: Connection, memories: Sequence[int]) -> dict[str, int]:
    """Return how many rows of which tables go with memories."""
    values = {"ids": json.dumps(list(memories))}
    found = {
        str(table): conn.execute(
            text(f"SELECT count(*) FROM {table} WHERE {follows}"), values
        ).scalar_one()
        for table, follows in conn.exec_driver_sql(_FOLLOWERS).all()
    }
    return {table: count for table, count in found.items() if count}


def uids(conn: Connection, memories: Sequence[int]) -> dict[int, str]:
    """Return the uids of memories by their ids."""
    query = text("SELECT id, uid FROM memories WHERE id IN (SELECT value FROM json_each(:ids))")
    rows = conn.execute(query, {"ids": json.dumps(list(memories))})
    return {int(row_id): str(uid) for row_id, uid in rows}


def erased_at(conn: Connection, memory: str | int) -> datetime | None:
    """Return when a memory was forgotten, if it was."""
    named = {"id": memory if isinstance(memory, int) else None, "uid": str(memory)}
    at = conn.execute(_ERASED, named).scalar_one()
    return None if at is None else from_micros(at)


def keep_sealed(conn: Connection, now: datetime, sealed: bytes) -> None:
    """Remember that an erasure owes its proof, and what must not be found."""
    add = text("INSERT INTO erasures (at, sealed) VALUES (:now, :sealed)")
    conn.execute(add, {"now": to_micros(now), "sealed": sealed})


def unproved(conn: Connection) -> dict[int, bytes]:
    """Return the erasures that owe their proof, by id, with what they sealed."""
    query = "SELECT id, sealed FROM erasures WHERE proved_at IS NULL ORDER BY id"
    return {int(row_id): bytes(sealed) for row_id, sealed in conn.exec_driver_sql(query)}


def mark_proved(conn: Connection, ids: Sequence[int], now: datetime) -> None:
    """Let erasures go of what they sealed: it was looked for and is nowhere."""
    done = text("""
        UPDATE erasures SET sealed = NULL, proved_at = :now
        WHERE id IN (SELECT value FROM json_each(:ids))
    """)
    conn.execute(done, {"now": to_micros(now), "ids": json.dumps(list(ids))})


def text_columns(conn: Connection) -> dict[str, list[str]]:
    """Return the columns of text of every table, those of an index's own tables left out."""
    found: dict[str, list[str]] = {}
    for table, column in conn.exec_driver_sql(_TEXT_COLUMNS):
        found.setdefault(str(table), []).append(str(column))
    return found
