"""SQL over memories and their absences."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.domain.memory.flag_rows import FAMILIES, families_at
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.visibility import VISIBLE, visible

_INSERT: Final = """
INSERT INTO memories (uid, category, content, metadata, source, origin, type, behavioral, tags,
  session_id, scenario_id, occurred_at, grams, known_at, created_at, updated_at)
"""
_ONE: Final = f"""{_INSERT}
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING uid, id
"""
# Of many rows a JSON array takes a third of the time of an executemany; of one row it takes more.
_MANY: Final = f"""{_INSERT}
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
  value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, :now, :now, :now
FROM json_each(:rows)
RETURNING uid, id
"""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_MEMORY: Final = Codec(
    Memory,
    moments=(
        *("occurred_at", "known_at", "created_at", "updated_at", "deleted_at"),
        *("superseded_at", "stale_at"),
    ),
    flags=("behavioral",),
    items=("tags",),
    json=("metadata",),
    codings={"flagged": Coding(lambda names: tuple(names.split()), " ".join)},
)

MEMORY_COLUMNS: Final = ", ".join([*(f"memories.{name}" for name in _MEMORY.names[:-1]), FAMILIES])
"""The columns of a `Memory`, for a SELECT."""

_BY_ID: Final = text(f"SELECT {MEMORY_COLUMNS} FROM memories WHERE id = :name")
_BY_UID: Final = text(f"SELECT {MEMORY_COLUMNS} FROM memories WHERE uid = :name")
_RECENT: Final = f"""
SELECT {MEMORY_COLUMNS} FROM memories
WHERE {{conditions}}
ORDER BY {{newest_first}} LIMIT :limit
"""
_DELETED: Final = text(f"""
SELECT {MEMORY_COLUMNS} FROM memories WHERE deleted_at IS NOT NULL
ORDER BY deleted_at DESC, id DESC LIMIT :limit
""")
_REPLACED_BY: Final = text(f"""
SELECT {MEMORY_COLUMNS} FROM memories WHERE superseded_by = :id ORDER BY superseded_at DESC, id DESC
LIMIT :limit
""")
_COUNT: Final = text(f"SELECT count(*) FROM memories WHERE {VISIBLE}")
_DELETE: Final = text("UPDATE memories SET deleted_at = :now WHERE id = :id")
_BEGIN_ABSENCE: Final = text("""
INSERT INTO memory_absences (memory_id, gone_at, cause) VALUES (:id, :now, 'deleted')
""")
_RESTORE: Final = text("UPDATE memories SET deleted_at = NULL WHERE id = :id")
_END_ABSENCE: Final = text("""
UPDATE memory_absences SET back_at = :now WHERE memory_id = :id AND back_at IS NULL
""")
_ABSENCES_AT: Final = text("""
SELECT memory_id, cause, gone_at FROM memory_absences
WHERE memory_id IN (SELECT value FROM json_each(:ids))
  AND gone_at <= :as_of AND (back_at IS NULL OR back_at > :as_of)
""")


class NewMemoryRow(NamedTuple):
    """The columns a writer fills, checked, in the order the statement takes them; then the rest.

    Args:
        parents: ids of the memories it was derived from.
        flags: families of injections that its texts look like.
    """

    uid: str
    category: str
    content: str
    metadata: str
    source: str | None
    origin: str
    type: str | None
    behavioral: bool
    tags: str
    session_id: str | None
    scenario_id: str | None
    occurred_at: int | None
    grams: str
    parents: tuple[int, ...]
    flags: tuple[str, ...]


_FILLED: Final = NewMemoryRow._fields.index("parents")
"""Columns of a row that the statement takes; count."""


def insert(conn: Connection, rows: Sequence[NewMemoryRow], now: int) -> dict[str, int]:
    """Add memories known from now on (microseconds), and return their ids by uid."""
    cursor = driver_cursor(conn)
    if len(rows) == 1:
        cursor.execute(_ONE, (*rows[0][:_FILLED], now, now, now))
    else:
        cursor.execute(_MANY, {"rows": _ENCODER.encode(rows), "now": now})
    return {str(uid): int(row_id) for uid, row_id in cursor.fetchall()}


def find(conn: Connection, memory: str | int) -> Memory | None:
    """Return a memory by uid or id, deleted or not; None also for a name no row can have."""
    match memory:
        case int() if memory.bit_length() < 64:
            statement = _BY_ID
        case str() if is_storable(memory):
            statement = _BY_UID
        case _:
            return None
    row = conn.execute(statement, {"name": memory}).one_or_none()
    return None if row is None else to_memory(row)


def recent(
    conn: Connection, category: str | None, limit: int, as_of: int | None = None
) -> list[Memory]:
    """Return the visible memories last updated, newest first.

    Args:
        as_of: read as of this moment instead; microseconds.
    """
    conditions = visible(as_of) + (" AND category = :category" if category else "")
    statement = _RECENT.format(conditions=conditions, newest_first=newest_first(as_of))
    values = {"category": category, "limit": limit, "as_of": as_of}
    return to_memories(conn, conn.execute(text(statement), values), as_of)


def deleted(conn: Connection, limit: int) -> list[Memory]:
    """Return deleted memories, the last deleted first."""
    return [to_memory(row) for row in conn.execute(_DELETED, {"limit": limit})]


def replaced_by(conn: Connection, memory_id: int, limit: int) -> list[Memory]:
    """Return the memories that one replaced, the last replaced first."""
    values = {"id": memory_id, "limit": limit}
    return [to_memory(row) for row in conn.execute(_REPLACED_BY, values)]


def newest_first(as_of: int | None) -> str:
    """Return the order of the rows last updated, by the index that serves this read.

    A row is never updated after it became known, so the past is in the order of `known_at`.
    """
    return f"memories.{_latest(as_of)} DESC, memories.id DESC"


def is_after(as_of: int | None) -> str:
    """Return the condition that a row comes after another one in the order of `newest_first`."""
    return f"(memories.{_latest(as_of)}, memories.id) < (:after_at, :after_id)"


def _latest(as_of: int | None) -> str:
    return "updated_at" if as_of is None else "known_at"


def count(conn: Connection) -> int:
    """Return how many memories are visible."""
    number: int = conn.execute(_COUNT).scalar_one()
    return number


def delete(conn: Connection, memory_id: int, now: int) -> None:
    """Mark a row deleted and begin its absence."""
    for statement in (_DELETE, _BEGIN_ABSENCE):
        conn.execute(statement, {"id": memory_id, "now": now})


def restore(conn: Connection, memory_id: int, now: int) -> None:
    """Put a deleted row back and end its absence."""
    conn.execute(_RESTORE, {"id": memory_id})
    conn.execute(_END_ABSENCE, {"id": memory_id, "now": now})


def to_memory(row: Sequence[Any]) -> Memory:
    """Return the memory of a row that begins with `MEMORY_COLUMNS`."""
    return _MEMORY.read(row)


def to_memories(conn: Connection, rows: Iterable[Sequence[Any]], as_of: int | None) -> list[Memory]:
    """Return the memories of rows that begin with `MEMORY_COLUMNS`; see `as_known`."""
    return as_known(conn, [to_memory(row) for row in rows], as_of)


def as_known(conn: Connection, known: Sequence[Memory], as_of: int | None) -> list[Memory]:
    """Return memories with the fields they had at a moment.

    `deleted_at`, `superseded_at`, `stale_at` and `flagged` are those of the moment. Earlier values
    of `superseded_by` and of the embedding fields are not kept, so these are None.

    Args:
        known: memories known at the moment.
        as_of: microseconds; None is now, and changes nothing.
    """
    if as_of is None:
        return list(known)
    ids = json.dumps([memory.id for memory in known])
    absent_since = {
        (memory_id, cause): from_micros(gone_at)
        for memory_id, cause, gone_at in conn.execute(_ABSENCES_AT, {"ids": ids, "as_of": as_of})
    }
    flagged = families_at(conn, "memories", [memory.id for memory in known], as_of)
    moment = from_micros(as_of)
    return [
        replace(
            memory,
            flagged=flagged.get(memory.id, ()),
            deleted_at=absent_since.get((memory.id, "deleted")),
            superseded_by=None,
            superseded_at=_until(memory.superseded_at, moment)
            or absent_since.get((memory.id, "superseded")),
            stale_at=_until(memory.stale_at, moment),
            embedding_state=None,
            embedding_error=None,
        )
        for memory in known
    ]


def _until(at: datetime | None, moment: datetime) -> datetime | None:
    return None if at is None or at > moment else at
