"""Since when a group has work for the job that computes its capital."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings, WorkQuery
from afterword.pipeline.domain.capital.rows import book
from afterword.pipeline.domain.capital.turn import next_capital_at


def capital_due(process: HasSettings, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return when the capital is due by itself."""
    cooldown = timedelta(seconds=process.settings.capital_cooldown)
    return next_capital_at(book(conn), query.now, cooldown)
