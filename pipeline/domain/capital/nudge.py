"""Ask for a new capital, because an account traded."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.capital.area import REFRESH_CAPITAL

_ACTIVITY: Final = "activity"


def ask_for_capital(conn: Connection, now: datetime, at: datetime | None = None) -> None:
    """Add the job that computes the capital, at once or at a moment, unless it waits already."""
    add(conn, REFRESH_CAPITAL, {_ACTIVITY: True}, now, key=_ACTIVITY, run_at=at)


def is_for_activity(payload: dict[str, object]) -> bool:
    """Return whether activity of an account asked for this job."""
    return bool(payload.get(_ACTIVITY))
