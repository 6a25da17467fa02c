"""Ask for a mirror of the accounts, because a trade was recorded."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY

_TRADE: Final = "trade"
_REST: Final = "rest"


def ask_for_sync(conn: Connection, now: datetime, at: datetime | None = None) -> None:
    """Add the job that mirrors the accounts, at once or at a moment, unless it waits already."""
    add(conn, SYNC_HISTORY, {_TRADE: True}, now, key=_TRADE, run_at=at)


def ask_for_the_rest(conn: Connection, now: datetime, at: datetime) -> None:
    """Add the job that goes on with a venue that was stopped, once it answers again.

    It stands beside the job of a trade, which is of all venues and waits for none of them.
    """
    add(conn, SYNC_HISTORY, {}, now, key=_REST, run_at=at)


def is_for_a_trade(payload: dict[str, object]) -> bool:
    """Return whether a trade asked for this job."""
    return bool(payload.get(_TRADE))
