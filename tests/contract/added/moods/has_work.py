"""Since when a group has work for the job that forgets moods."""

from datetime import datetime, timedelta

from moods import rows
from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings, WorkQuery


def moods_fade(process: HasSettings, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return when the first mood fades."""
    felt_at = rows.first_felt(conn)
    days = process.settings.memory_deleted_retention_days
    return None if felt_at is None else felt_at + timedelta(days=days)
