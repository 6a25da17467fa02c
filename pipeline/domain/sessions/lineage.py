"""The turn of a session in which something was written, or the session alone."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.sessions import rows

_TURN_AT: Final = text("""
SELECT uid FROM turns
WHERE session_id = :session AND started_at <= :at AND coalesce(finished_at, busy_until) >= :at
ORDER BY id DESC LIMIT 1
""")
_SESSION_OF: Final = text("""
SELECT s.uid FROM turns AS t JOIN sessions AS s ON s.id = t.session_id WHERE t.uid = :uid
""")
_RECORD_KEY: Final = text("""
SELECT record_key FROM import_keys JOIN memories ON memories.id = memory_id
WHERE memories.id = :key OR memories.uid = :key
""")


def session_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a session; its turn of the moment is a cause of what was written then."""
    session = rows.by_uid(conn, str(key))
    if session is None:
        return None
    turn = None
    if at is not None:
        turn = conn.execute(_TURN_AT, {"session": session.id, "at": at}).scalar()
    label = "" if session.label is None else f", {session.label}"
    causes = () if turn is None else (Cause("in the turn", "turn", turn),)
    says = f"of {session.origin}{label}"
    return LineageStep(f"session {session.uid}", says, session.started_at, causes)


def turn_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a turn: what was said to the agent, and what it answered."""
    del at
    uid = conn.execute(_SESSION_OF, {"uid": str(key)}).scalar()
    session = None if uid is None else rows.by_uid(conn, uid)
    turn = None if session is None else rows.turn(conn, session, str(key))
    if turn is None:
        return None
    reply = "" if turn.reply is None else f" / {turn.reply}"
    return LineageStep(f"turn {turn.uid}", f"{turn.message}{reply}", turn.started_at)


def import_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the record that an imported memory comes from, as a cause of the memory."""
    del at
    record_key = conn.execute(_RECORD_KEY, {"key": key}).scalar()
    if record_key is None:
        return None
    return LineageStep(causes=(Cause("imported as", "record", record_key, at=0),))


def record_lineage(_conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the key of an imported record; nobody asks for one by itself."""
    return None if at is None else LineageStep("record", str(key))
