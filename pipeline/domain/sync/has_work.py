"""Since when a group has work for the job that mirrors its accounts."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, HasSettings, WorkQuery
from afterword.pipeline.domain.sync.status import mirrors
from afterword.pipeline.domain.sync.turn import next_run_at, pauses_of


def mirror_due(process: HasSettings, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return when the first mirror of an account is due."""
    pauses = pauses_of(process.settings)
    moments = (next_run_at(state, pauses) or UNKNOWN_START for state in mirrors(conn))
    return min(moments, default=None)
