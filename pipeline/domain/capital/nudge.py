"""Ask for a new capital, because an account traded or its owner wants one."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add, add_asked
from afterword.pipeline.domain.capital.area import REFRESH_CAPITAL

_ACTIVITY: Final = "activity"
_ASKED: Final = "asked"


def ask_for_capital(conn: Connection, now: datetime, at: datetime | None = None) -> None:
    """Add the job that computes the capital, at once or at a moment, unless it waits already."""
    add(conn, REFRESH_CAPITAL, {_ACTIVITY: True}, now, key=_ACTIVITY, run_at=at)


def ask_for_capital_now(conn: Connection, now: datetime) -> int:
    """Add the job that computes the capital whatever its pause, and return its number.

    Raises:
        ConflictError: such a job waits already.
    """
    return add_asked(conn, REFRESH_CAPITAL, {_ASKED: True}, now, key=_ASKED)


def is_asked(payload: dict[str, object]) -> bool:
    """Return whether the owner asked for this job."""
    return bool(payload.get(_ASKED))


def is_for_activity(payload: dict[str, object]) -> bool:
    """Return whether activity of an account asked for this job."""
    return bool(payload.get(_ACTIVITY))
