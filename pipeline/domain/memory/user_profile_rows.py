"""SQL over named facts of the user."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import not_flagged

_CURRENT: Final = "superseded_at IS NULL"
_CURRENT_AT: Final = f"updated_at <= :as_of AND ({_CURRENT} OR superseded_at > :as_of)"
_SELECT: Final = "SELECT key, value FROM user_profile WHERE {current} ORDER BY key"
_ADD: Final = text("""
INSERT INTO user_profile (key, value, updated_at) VALUES (:key, :value, :now) RETURNING id
""")
_END: Final = text(f"""
UPDATE user_profile SET superseded_at = :now WHERE key = :key AND {_CURRENT} RETURNING id
""")


def current(conn: Connection, as_of: int | None, *, are_unflagged: bool = False) -> dict[str, str]:
    """Return the values that are current, or were at a moment (microseconds), by name."""
    wanted = _CURRENT if as_of is None else _CURRENT_AT
    if are_unflagged:
        wanted += f" AND {not_flagged('user_profile', is_now=as_of is None)}"
    statement = _SELECT.format(current=wanted)
    rows = conn.execute(text(statement), {"as_of": as_of})
    return {str(key): str(value) for key, value in rows}


def add(conn: Connection, key: str, value: str, now: int) -> int:
    """Add the value that is current from now on (microseconds); return the row's id."""
    row_id: int = conn.execute(_ADD, {"key": key, "value": value, "now": now}).scalar_one()
    return row_id


def end(conn: Connection, key: str, now: int) -> int | None:
    """End the current value of a name (microseconds); return the row's id, None without one."""
    row_id: int | None = conn.execute(_END, {"key": key, "now": now}).scalar_one_or_none()
    return row_id
