"""Every SQL statement of moods."""

from datetime import datetime

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros


def add(conn: Connection, mood: str, why: str, now: datetime) -> int:
    """Keep a mood, and return its id."""
    query = text("INSERT INTO moods (mood, why, felt_at) VALUES (:mood, :why, :now) RETURNING id")
    values = {"mood": mood, "why": why, "now": to_micros(now)}
    return int(conn.execute(query, values).scalar_one())


def count_moods(conn: Connection) -> dict[str, int]:
    """Return how often each mood was felt."""
    query = text("SELECT mood, count(*) AS times FROM moods GROUP BY mood ORDER BY mood")
    return {row.mood: row.times for row in conn.execute(query)}


def count_decisions(conn: Connection) -> int:
    """Return how many decisions there are to set against moods."""
    return int(conn.execute(text("SELECT count(*) FROM role_memory")).scalar_one())


def first_decided(conn: Connection) -> datetime | None:
    """Return when the first decision was made; None without one."""
    decided_at = conn.execute(text("SELECT min(decided_at) FROM role_memory")).scalar_one()
    return None if decided_at is None else from_micros(decided_at)


def first_felt(conn: Connection) -> datetime | None:
    """Return when the first mood was felt; None without one."""
    felt_at = conn.execute(text("SELECT min(felt_at) FROM moods")).scalar_one()
    return None if felt_at is None else from_micros(felt_at)
