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

_LATEST = text("""
SELECT max(at) FROM (
  SELECT * FROM (SELECT created_at AS at FROM perps_fills ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT started_at FROM strategy_runs ORDER BY id DESC LIMIT 1))
""")


def markets_due(_process: object, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return when the markets are due: an hour after the last look for what is new, else a day.

    New are fills, and strategies that were started. Without any of the last 30 days there is no
    work: what a strategy trades was added when it was new.
    """
    latest: int | None = conn.execute(_LATEST).scalar_one()
    if latest is None:
        return None
    known_at = from_micros(latest)
    if query.fired_at is None:
        return UNKNOWN_START
    if known_at > query.fired_at:
        return max(known_at, query.fired_at + _COOLDOWN)
    is_over = query.fired_at - known_at > timedelta(days=OBSERVED_DAYS)
    return None if is_over else query.fired_at + _EACH
