"""The floor of a memory write: the same rows, written by plain SQL on the raw driver."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.model import BEHAVIORAL, NewMemory
from afterword.pipeline.ids import IdSource

_MEMORY = """
INSERT INTO memories (uid, category, content, metadata, source, origin, type, behavioral, tags,
  session_id, scenario_id, occurred_at, known_at, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_AUDIT = """
INSERT INTO audit_log (at, actor, tool_call, object_table, object_id, session_id, detail)
VALUES (?, 'agent', 'memory.write', 'memories', ?, ?, ?)
"""
_JOB = """
INSERT INTO jobs (kind, payload, state, available_at, created_at) VALUES (?, ?, 'ready', ?, ?)
"""


class Rows(NamedTuple):
    """The rows of one written memory, ready to be bound."""

    memory: Sequence[Any]
    audit: Sequence[Any]
    job: Sequence[Any]


def rows(news: Iterable[NewMemory], ids: IdSource, now: datetime, first_id: int = 1) -> list[Rows]:
    """Return what a file whose next memory is `first_id` gets for these memories."""
    at = to_micros(now)
    return [_rows(new, ids(), at, memory_id) for memory_id, new in enumerate(news, first_id)]


def write_one(conn: Any, row: Rows) -> None:
    """Write one memory's rows in a transaction of its own (raw autocommit connection)."""
    conn.execute("BEGIN IMMEDIATE")
    conn.execute(_MEMORY, row.memory)
    conn.execute(_AUDIT, row.audit)
    conn.execute(_JOB, row.job)
    conn.execute("COMMIT")


def write_many(conn: Any, many: Sequence[Rows]) -> None:
    """Write many memories' rows in one transaction."""
    conn.execute("BEGIN IMMEDIATE")
    conn.executemany(_MEMORY, [row.memory for row in many])
    conn.executemany(_AUDIT, [row.audit for row in many])
    conn.executemany(_JOB, [row.job for row in many])
    conn.execute("COMMIT")


def _rows(new: NewMemory, uid: str, at: int, memory_id: int) -> Rows:
    metadata = json.dumps(new.metadata, separators=(",", ":"))
    memory = (
        *(uid, new.category, new.content, metadata, new.source, new.origin, new.type),
        *(new.category in BEHAVIORAL, "[]", new.session_id, new.scenario_id, None, at, at, at),
    )
    detail = json.dumps({"uid": uid, "category": new.category})
    payload = json.dumps({"memory_id": memory_id}, separators=(",", ":"))
    return Rows(
        memory, (at, memory_id, new.session_id, detail), (EXTRACT_EDGES.name, payload, at, at)
    )
