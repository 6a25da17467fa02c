"""Since when a group has work for the purge of patterns."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings, WorkQuery
from afterword.pipeline.domain.patterns.purge import next_purge, retention_of


def patterns_expire(process: HasSettings, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return when the retention of the next superseded form of a pattern ends."""
    return next_purge(conn, retention_of(process.settings))
