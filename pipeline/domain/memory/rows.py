"""SQL over memories and their absences."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select, update

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.memory.alive import alive, is_alive, is_present
from afterword.pipeline.domain.memory.as_known import as_known
from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.tables import memories, memory_absences

# One statement for one row and for many: of many, a JSON array takes a third of the time of an
# executemany.
_INSERT: Final = """
INSERT INTO memories (uid, category, content, metadata, source, origin, type, behavioral, tags,
  session_id, scenario_id, occurred_at, grams, known_at, created_at, updated_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
  value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, :now, :now, :now
FROM json_each(:rows)
RETURNING uid, id
"""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
COLUMNS: Final = tuple(column for column in memories.columns if column.name != "grams")
"""What a `Memory` is made of; the rest is the index's."""

_FIELDS: Final = tuple(column.name for column in COLUMNS)
_MOMENTS: Final = tuple(name for name in _FIELDS if name.endswith("_at"))


class NewMemoryRow(NamedTuple):
    """The columns a writer fills, checked, in the order the statement takes them; then parents."""

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


def insert(conn: Connection, rows: Sequence[NewMemoryRow], now: int) -> dict[str, int]:
    """Add memories known from now on (microseconds), and return their ids by uid."""
    written = _ENCODER.encode(rows)
    found = driver_cursor(conn)
    found.execute(_INSERT, {"rows": written, "now": now})
    return {str(uid): int(row_id) for uid, row_id in found.fetchall()}


def find(conn: Connection, memory: str | int) -> Memory | None:
    """Return a memory by uid or id, deleted or not; None also for what no row can be called."""
    match memory:
        case int() if memory.bit_length() < 64:
            named = memories.c.id == memory
        case str() if is_storable(memory):
            named = memories.c.uid == memory
        case _:
            return None
    row = conn.execute(select(*COLUMNS).where(named)).one_or_none()
    return None if row is None else to_memory(row)


def recent(
    conn: Connection,
    category: str | None,
    limit: int,
    include_superseded: bool = False,
    as_of: int | None = None,
) -> list[Memory]:
    """Return the memories last updated, newest first, as they stand or stood (microseconds)."""
    query = select(*COLUMNS).order_by(*newest_first(as_of))
    query = query.where(is_present(as_of) if include_superseded else is_alive(as_of))
    if category is not None:
        query = query.where(memories.c.category == category)
    return as_known(conn, [to_memory(row) for row in conn.execute(query.limit(limit))], as_of)


def newest_first(as_of: int | None) -> tuple[ColumnElement[int], ...]:
    """Return the order of the rows last updated, by the index that serves this read.

    A row is never updated after it became known, so the past is in the order of `known_at`.
    """
    latest = memories.c.updated_at if as_of is None else memories.c.known_at
    return latest.desc(), memories.c.id.desc()


def count(conn: Connection) -> int:
    """Return how many memories readers may see."""
    return conn.execute(select(func.count()).select_from(memories).where(alive)).scalar_one()


def delete(conn: Connection, memory_id: int, now: int) -> None:
    """Mark a row deleted and open its absence."""
    conn.execute(update(memories).where(memories.c.id == memory_id).values(deleted_at=now))
    absence = {"memory_id": memory_id, "gone_at": now, "cause": "deleted"}
    conn.execute(memory_absences.insert().values(absence))


def restore(conn: Connection, memory_id: int, now: int) -> None:
    """Put a deleted row back and close its absence."""
    conn.execute(update(memories).where(memories.c.id == memory_id).values(deleted_at=None))
    conn.execute(
        update(memory_absences)
        .where(memory_absences.c.memory_id == memory_id, memory_absences.c.back_at.is_(None))
        .values(back_at=now)
    )


def to_memory(row: Sequence[Any]) -> Memory:
    """Return the memory of a row that begins with `COLUMNS`."""
    values = dict(zip(_FIELDS, row, strict=False))
    values["metadata"] = json.loads(values["metadata"])
    values["tags"] = tuple(json.loads(values["tags"]))
    values["behavioral"] = bool(values["behavioral"])
    for name in _MOMENTS:
        if values[name] is not None:
            values[name] = from_micros(values[name])
    return Memory(**values)
