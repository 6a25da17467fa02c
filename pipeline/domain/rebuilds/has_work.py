"""Since when a group has work for the jobs that rebuild parts of the profile."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, HasSettings, WorkQuery
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.kinds import rebuild_of_job


def rebuild_due(process: HasSettings, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return when a rebuild is due: at the end of its pause, if there is anything new.

    What failed is due again whether or not there is.
    """
    settings = process.settings
    if settings.personalization_rebuild == "disabled":
        return None
    rebuild = rebuild_of_job(query.job)
    state = rows.state_of_rebuild(conn, rebuild.name)
    if state.error is None and not rebuild.has_news(conn, state, settings):
        return None
    if state.tried_at is not None and state.tried_at > query.now:  # a clock that was set back
        return UNKNOWN_START
    return state.retry_at or state.next_update or UNKNOWN_START
