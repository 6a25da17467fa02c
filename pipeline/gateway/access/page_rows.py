"""SQL statements of browsers and of what was done in them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.gateway.access.model import PageAction, PageRole, PageSession

_ADD_LINK = text("""
INSERT INTO page_sessions (role, link, link_until, made_at)
VALUES (:role, :link, :until, :now) RETURNING *
""")
_OPEN_LINK = text("""
UPDATE page_sessions SET cookie = :cookie, opened_at = :now, seen_at = :now
WHERE link = :link AND link_until > :now AND opened_at IS NULL AND ended_at IS NULL RETURNING *
""")
_OPEN_TOKEN = text("""
INSERT INTO page_sessions (role, token_id, cookie, made_at, opened_at, seen_at)
VALUES (:role, :token, :cookie, :now, :now, :now) RETURNING *
""")
_LIVE = text("""
SELECT page_sessions.* FROM page_sessions LEFT JOIN tokens ON tokens.id = token_id
WHERE cookie = :cookie AND ended_at IS NULL AND revoked_at IS NULL
  AND seen_at > :idle AND opened_at > :life
""")
_SEEN = text("UPDATE page_sessions SET seen_at = max(seen_at, :now) WHERE id = :id")
_ALL = text("SELECT * FROM page_sessions ORDER BY id")
_END = text("""
UPDATE page_sessions SET ended_at = coalesce(ended_at, :now) WHERE id = :id RETURNING *
""")
_ADD_ACTION = text("""
INSERT INTO page_actions (session_id, group_name, action, began_at)
VALUES (:session, :group, :action, :now) RETURNING id
""")
_END_ACTION = text("""
UPDATE page_actions SET outcome = :outcome, words = :words WHERE id = :id AND outcome IS NULL
""")
_ACTIONS = text("""
SELECT page_actions.*, role, token_id, page_sessions.id AS session, made_at, opened_at, seen_at,
  ended_at
FROM page_actions JOIN page_sessions ON page_sessions.id = session_id
WHERE :only IS NULL OR page_actions.id = :only
ORDER BY page_actions.id DESC LIMIT :limit
""")


def add_link(
    conn: Connection, role: PageRole, link: str, until: datetime, now: datetime
) -> PageSession:
    """Add a browser that does not exist yet, with the digest of the link that opens it."""
    values = {"role": role, "link": link, "until": to_micros(until), "now": to_micros(now)}
    return _session(conn.execute(_ADD_LINK, values).one())


def open_link(conn: Connection, link: str, cookie: str, now: datetime) -> PageSession | None:
    """Use a link, and keep the digest of the browser's cookie; None if it opens nothing."""
    values = {"link": link, "cookie": cookie, "now": to_micros(now)}
    row = conn.execute(_OPEN_LINK, values).one_or_none()
    return None if row is None else _session(row)


def open_token(
    conn: Connection, role: PageRole, token_id: int, cookie: str, now: datetime
) -> PageSession:
    """Add a browser in which a token was typed."""
    values = {"role": role, "token": token_id, "cookie": cookie, "now": to_micros(now)}
    return _session(conn.execute(_OPEN_TOKEN, values).one())


def find_live_session(
    conn: Connection, cookie: str, idle: datetime, life: datetime
) -> PageSession | None:
    """Return the browser with a cookie.

    Args:
        idle, life: seen and opened after these moments.
    """
    values = {"cookie": cookie, "idle": to_micros(idle), "life": to_micros(life)}
    row = conn.execute(_LIVE, values).one_or_none()
    return None if row is None else _session(row)


def see(conn: Connection, session_id: int, now: datetime) -> None:
    """Keep when a browser last asked."""
    conn.execute(_SEEN, {"id": session_id, "now": to_micros(now)})


def read_sessions(conn: Connection) -> list[PageSession]:
    """Return all browsers, oldest first."""
    return [_session(row) for row in conn.execute(_ALL)]


def end_session(conn: Connection, session_id: int, now: datetime) -> PageSession | None:
    """End a browser's session; the first moment stays. None if there is none."""
    row = conn.execute(_END, {"id": session_id, "now": to_micros(now)}).one_or_none()
    return None if row is None else _session(row)


def begin_action(conn: Connection, session_id: int, group: str, action: str, now: datetime) -> int:
    """Add an action that is about to run; return its number."""
    values = {"session": session_id, "group": group, "action": action, "now": to_micros(now)}
    number: int = conn.execute(_ADD_ACTION, values).scalar_one()
    return number


def end_action(conn: Connection, number: int, outcome: str, words: str) -> None:
    """Keep what came of an action."""
    conn.execute(_END_ACTION, {"id": number, "outcome": outcome, "words": words})


def read_actions(conn: Connection, limit: int, only: int | None = None) -> list[PageAction]:
    """Return actions, the newest first.

    Args:
        only: the number of the one to return.
    """
    return [_action(row) for row in conn.execute(_ACTIONS, {"limit": limit, "only": only})]


def _session(row: Row[Any]) -> PageSession:
    moments = (
        None if micros is None else from_micros(micros)
        for micros in (row.opened_at, row.seen_at, row.ended_at)
    )
    return PageSession(row.id, row.role, row.token_id, from_micros(row.made_at), *moments)


def _action(row: Row[Any]) -> PageAction:
    began = from_micros(row.began_at)
    by = PageSession(row.session, row.role, row.token_id, began, None, None, None).called
    return PageAction(
        row.id, row.session, by, row.group_name, row.action, began, row.outcome, row.words
    )
