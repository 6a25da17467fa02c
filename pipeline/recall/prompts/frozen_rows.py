"""SQL over the texts that sessions started with."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

_READ: Final = text("""
SELECT body FROM session_snapshots WHERE session_id = :session_id AND surface = :surface
""")
_MEMORIES: Final = text("""
SELECT value FROM session_snapshots, json_each(memory_ids)
WHERE session_id = :session_id AND surface = :surface
""")
_KEEP: Final = text("""
INSERT INTO session_snapshots (session_id, surface, body, memory_ids, made_at)
VALUES (:session_id, :surface, :body, :memory_ids, :made_at)
""")


def read(conn: Connection, session_id: int, surface: str) -> str | None:
    """Return a session's text of a surface, None if it has none yet."""
    values = {"session_id": session_id, "surface": surface}
    body: str | None = conn.execute(_READ, values).scalar_one_or_none()
    return body


def memories(conn: Connection, session_id: int, surface: str) -> frozenset[int]:
    """Return the ids of the memories that a session's text contains; none without a text."""
    values = {"session_id": session_id, "surface": surface}
    return frozenset(conn.execute(_MEMORIES, values).scalars())


def keep(
    conn: Connection, session_id: int, surface: str, body: str, ids: Sequence[int], now: int
) -> None:
    """Store a session's text (now in microseconds), and the ids of the memories it contains."""
    row = {
        "session_id": session_id,
        "surface": surface,
        "body": body,
        "memory_ids": json.dumps(list(ids)),
        "made_at": now,
    }
    conn.execute(_KEEP, row)
