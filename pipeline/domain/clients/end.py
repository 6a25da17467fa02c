"""End the clients of a group that is at another home now, where tokens have other numbers."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import run_sql

_TABLES: Final = ("client_sessions", "client_days", "client_answers")


def end_clients(conn: Connection) -> None:
    """Forget which token had which session and answer; the sessions themselves stay."""
    for table in _TABLES:
        run_sql(conn, f"DELETE FROM {table}")
