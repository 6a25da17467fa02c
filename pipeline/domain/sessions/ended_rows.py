"""SQL over the order in which turns ended, for readers of chats with a cursor."""

from typing import Final, NamedTuple

from sqlalchemy import Connection, text

_HAS_MORE: Final = text("SELECT 1 FROM ended_turns WHERE id > :after LIMIT 1")
_OPEN: Final = """
outcome IS NULL AND NOT EXISTS (SELECT 1 FROM ended_turns WHERE turn_id = turns.id)
"""
_HAS_OPEN: Final = text(f"SELECT 1 FROM turns WHERE {_OPEN} LIMIT 1")
_HAS_ABANDONED: Final = text(f"SELECT 1 FROM turns WHERE {_OPEN} AND busy_until <= :now LIMIT 1")
_PASS_ABANDONED: Final = text(f"""
INSERT INTO ended_turns (turn_id)
SELECT id FROM turns WHERE {_OPEN} AND busy_until <= :now ORDER BY busy_until, id
""")
_AFTER: Final = text("""
SELECT ended_turns.id, turns.id, turns.uid, sessions.origin, sessions.label, turns.message,
  turns.started_at
FROM ended_turns JOIN turns ON turns.id = ended_turns.turn_id
JOIN sessions ON sessions.id = turns.session_id
WHERE ended_turns.id > :after ORDER BY ended_turns.id LIMIT :limit
""")


class EndedTurn(NamedTuple):
    """A turn that ended, with what its user said.

    Args:
        place: its place in the order in which turns ended.
        id: of the turn.
        origin: of its session, and label.
        started_at: when it was said; microseconds.
    """

    place: int
    id: int
    uid: str
    origin: str
    label: str | None
    message: str
    started_at: int


def has_ended_after(conn: Connection, place: int) -> bool:
    """Return whether a turn ended after a place, or is open still and may be abandoned by now."""
    if conn.execute(_HAS_MORE, {"after": place}).first() is not None:
        return True
    return conn.execute(_HAS_OPEN).first() is not None


def has_abandoned(conn: Connection, now: int) -> bool:
    """Return whether turns were abandoned by a moment (microseconds) that have no place yet."""
    return conn.execute(_HAS_ABANDONED, {"now": now}).first() is not None


def pass_abandoned(conn: Connection, now: int) -> int:
    """Give places to the turns abandoned by a moment (microseconds); return how many."""
    return conn.execute(_PASS_ABANDONED, {"now": now}).rowcount


def ended_after(conn: Connection, place: int, limit: int) -> list[EndedTurn]:
    """Return the turns that ended after a place, in that order."""
    rows = conn.execute(_AFTER, {"after": place, "limit": limit})
    return [EndedTurn(*row) for row in rows]
