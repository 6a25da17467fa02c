"""SQL over what sessions were shown at their start."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from afterword.pipeline.recall.prompts.tables import session_snapshots


def kept(conn: Connection, session_id: int, surface: str) -> str | None:
    """Return what a session was shown, if it was shown this."""
    query = select(session_snapshots.c.body).where(
        session_snapshots.c.session_id == session_id, session_snapshots.c.surface == surface
    )
    found: str | None = conn.execute(query).scalar_one_or_none()
    return found


def keep(
    conn: Connection, session_id: int, surface: str, body: str, ids: Sequence[int], now: int
) -> None:
    """Keep what a session is shown from now on (microseconds), and which memories it shows."""
    row = {
        "session_id": session_id,
        "surface": surface,
        "body": body,
        "memory_ids": json.dumps(list(ids)),
        "made_at": now,
    }
    conn.execute(insert(session_snapshots).values(row))
