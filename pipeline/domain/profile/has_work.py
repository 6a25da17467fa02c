"""Since when a group has work for the job that adds the markets that were traded."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, WorkQuery
from afterword.pipeline.rules.user_tags.observed import OBSERVED_DAYS

_EACH: Final = timedelta(hours=24)
"""From one look to the next (R3)."""

_COOLDOWN: Final = timedelta(hours=1)
"""From one look to the next where new trades ask for it; R3 gives no number."""

_LATEST_FILL = text("SELECT created_at FROM perps_fills ORDER BY id DESC LIMIT 1")


def markets_due(_process: object, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return when the markets are due: an hour after the last look for new fills, else a day.

    A group without a fill of the last 30 days has no work.
    """
    latest: int | None = conn.execute(_LATEST_FILL).scalar_one_or_none()
    if latest is None:
        return None
    known_at = from_micros(latest)
    if query.fired_at is None:
        return UNKNOWN_START
    if known_at > query.fired_at:
        return max(known_at, query.fired_at + _COOLDOWN)
    is_over = query.fired_at - known_at > timedelta(days=OBSERVED_DAYS)
    return None if is_over else query.fired_at + _EACH
