"""SQL statements of what clients of the network door do in a group."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store.transaction import read_value, run_sql

_DROPPED: Final = 100
"""Answers that one write drops at most, since they are too old to be asked for again."""


def add_session(conn: Connection, session_id: int, token_id: int, day: str | None) -> None:
    """Keep whose a session is.

    Args:
        day: the UTC day whose session it is; None for one that the client began.
    """
    run_sql(
        conn,
        "INSERT INTO client_sessions (session_id, token_id, day) VALUES (?, ?, ?)",
        (session_id, token_id, day),
    )


def token_of(conn: Connection, session_id: int) -> int | None:
    """Return the token that a session belongs to; None for one of another door."""
    found: int | None = read_value(
        conn, "SELECT token_id FROM client_sessions WHERE session_id = ?", (session_id,)
    )
    return found


def daily_handle(conn: Connection, token_id: int, day: str) -> str | None:
    """Return the handle of the session that a token has on a day; None before its first use."""
    found: str | None = read_value(
        conn,
        "SELECT handle FROM sessions JOIN client_sessions ON session_id = sessions.id"
        " WHERE token_id = ? AND day = ? AND ended_at IS NULL",
        (token_id, day),
    )
    return found


def open_handles(conn: Connection, token_id: int) -> list[str]:
    """Return the handles of the sessions of days that a token has not ended, the newest first."""
    handles = run_sql(
        conn,
        "SELECT handle FROM sessions JOIN client_sessions ON session_id = sessions.id"
        " WHERE token_id = ? AND day IS NOT NULL AND ended_at IS NULL ORDER BY session_id DESC",
        (token_id,),
    )
    return [handle for (handle,) in handles.fetchall()]


def last_session_at(conn: Connection, token_id: int) -> int | None:
    """Return when a token last began a session (microseconds); None if it never did."""
    began: int | None = read_value(
        conn,
        "SELECT max(started_at) FROM sessions JOIN client_sessions ON session_id = sessions.id"
        " WHERE token_id = ?",
        (token_id,),
    )
    return began


def leave_day(conn: Connection, token_id: int, day: str) -> None:
    """Make room for another session of a day: the one before it has ended."""
    run_sql(
        conn,
        "UPDATE client_sessions SET day = NULL WHERE token_id = ? AND day = ?",
        (token_id, day),
    )


def count_write(conn: Connection, token_id: int, day: str, most: int) -> bool:
    """Count one write of a token; False if its day has no more."""
    counted = run_sql(
        conn,
        "INSERT INTO client_days (token_id, day, writes) VALUES (:token, :day, 1)"
        " ON CONFLICT DO UPDATE SET writes = writes + 1 WHERE writes < :most",
        {"token": token_id, "day": day, "most": most},
    )
    return bool(counted.rowcount)


def find_answer(conn: Connection, token_id: int, key: str) -> tuple[str, str] | None:
    """Return the request of a key, and its answer; None for a new key."""
    row: tuple[str, str] | None = run_sql(
        conn,
        "SELECT request, answer FROM client_answers WHERE token_id = ? AND key = ?",
        (token_id, key),
    ).fetchone()
    return row


def add_answer(
    conn: Connection, token_id: int, key: str, request: str, answer: str, now: int
) -> None:
    """Keep the answer to a key."""
    run_sql(
        conn,
        "INSERT INTO client_answers (token_id, key, request, answer, answered_at)"
        " VALUES (?, ?, ?, ?, ?)",
        (token_id, key, request, answer, now),
    )


def drop_answers(conn: Connection, before: int) -> None:
    """Drop some of the answers that were given before a moment."""
    run_sql(
        conn,
        "DELETE FROM client_answers WHERE id IN (SELECT id FROM client_answers"
        " WHERE answered_at < ? ORDER BY answered_at LIMIT ?)",
        (before, _DROPPED),
    )
