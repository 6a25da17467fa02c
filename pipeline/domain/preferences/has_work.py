"""Since when a group has work for the job that learns preferences."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, HasSettings, WorkQuery
from afterword.pipeline.domain.preferences import rows

_COOLDOWN: Final = timedelta(hours=1)
"""From one run to the next where something is new: what is learned comes in days."""

_EACH: Final = timedelta(hours=24)
"""From one run to the next where nothing is new: a day that was not over is over."""

_OVER: Final = timedelta(days=8)
"""After which nothing new no week is left that was not over."""


def preferences_due(process: HasSettings, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return when preferences are due: an hour after the last run for what is new, else a day."""
    if not process.settings.learning_enabled:
        return None
    latest = rows.latest(conn)
    if latest is None:
        return None
    if query.fired_at is None:
        return UNKNOWN_START
    known_at = from_micros(latest)
    if known_at > query.fired_at:
        return max(known_at, query.fired_at + _COOLDOWN)
    return None if query.fired_at - known_at > _OVER else query.fired_at + _EACH
