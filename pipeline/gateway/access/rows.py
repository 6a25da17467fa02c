"""SQL statements of the tokens."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.gateway.access.model import AccessToken, CallerRole

_ADD = text("""
INSERT INTO tokens (digest, role, group_name, label, issued_at)
VALUES (:digest, :role, :group, :label, :now) RETURNING *
""")
_LIVE = text("SELECT * FROM tokens WHERE digest = :digest AND revoked_at IS NULL")
_ALL = text("SELECT * FROM tokens ORDER BY id")
_HAS_LIVE = text("SELECT EXISTS (SELECT 1 FROM tokens WHERE revoked_at IS NULL)")
_REVOKE = text("""
UPDATE tokens SET revoked_at = coalesce(revoked_at, max(:now, issued_at))
WHERE id = :id RETURNING *
""")


def add(
    conn: Connection, digest: str, role: CallerRole, group: str | None, label: str, now: datetime
) -> AccessToken:
    """Add a token."""
    values = {"digest": digest, "role": role, "group": group, "label": label}
    return _token(conn.execute(_ADD, values | {"now": to_micros(now)}).one())


def find_live(conn: Connection, digest: str) -> AccessToken | None:
    """Return the token with a digest; None if there is none, or it was revoked."""
    row = conn.execute(_LIVE, {"digest": digest}).one_or_none()
    return None if row is None else _token(row)


def read_all(conn: Connection) -> list[AccessToken]:
    """Return all tokens, oldest first."""
    return [_token(row) for row in conn.execute(_ALL)]


def has_live(conn: Connection) -> bool:
    """Return whether any token opens the door."""
    return bool(conn.execute(_HAS_LIVE).scalar_one())


def revoke(conn: Connection, token_id: int, now: datetime) -> AccessToken | None:
    """Revoke a token; the first moment stays. None if there is none."""
    row = conn.execute(_REVOKE, {"id": token_id, "now": to_micros(now)}).one_or_none()
    return None if row is None else _token(row)


def _token(row: Row[Any]) -> AccessToken:
    revoked = None if row.revoked_at is None else from_micros(row.revoked_at)
    issued = from_micros(row.issued_at)
    return AccessToken(row.id, row.role, row.group_name, row.label, issued, revoked)
