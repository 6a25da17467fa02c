"""Ask for a mirror of the accounts, because a trade was recorded."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY

_TRADE: Final = "trade"


def ask_for_sync(conn: Connection, now: datetime, at: datetime | None = None) -> None:
    """Add the job that mirrors the accounts, at once or at a moment, unless it waits already."""
    add(conn, SYNC_HISTORY, {_TRADE: True}, now, key=_TRADE, run_at=at)


def is_for_a_trade(payload: dict[str, object]) -> bool:
    """Return whether a trade asked for this job."""
    return bool(payload.get(_TRADE))
