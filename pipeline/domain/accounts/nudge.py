"""Ask for a mirror of the accounts, because a trade was recorded or its owner wants one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add, add_asked
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY
from afterword.pipeline.domain.accounts.checks import missing_account

_TRADE: Final = "trade"
_REST: Final = "rest"
_ACCOUNT: Final = "account"


def ask_for_sync(conn: Connection, now: datetime, at: datetime | None = None) -> None:
    """Add the job that mirrors the accounts, at once or at a moment, unless it waits already."""
    add(conn, SYNC_HISTORY, {_TRADE: True}, now, key=_TRADE, run_at=at)


def ask_for_the_rest(conn: Connection, now: datetime, at: datetime) -> None:
    """Add the job that goes on with a venue that was stopped, once it answers again.

    It stands beside the job of a trade, which is of all venues and waits for none of them.
    """
    add(conn, SYNC_HISTORY, {}, now, key=_REST, run_at=at)


def ask_for_sync_now(conn: Connection, now: datetime, name: str) -> int:
    """Add the job that mirrors one account whatever its pauses, and return its number.

    Raises:
        NotFoundError: there is no such account.
        ConflictError: such a job waits already.
    """
    ids = {account.name: row_id for row_id, account in rows.own(conn).items()}
    if name not in ids:
        raise missing_account(name)
    account_id = ids[name]
    key = f"{_ACCOUNT} {account_id}"
    return add_asked(conn, SYNC_HISTORY, {_ACCOUNT: account_id}, now, key=key)


def asked_account(conn: Connection, payload: Mapping[str, Any]) -> str | None:
    """Return the name of the account that a job was asked to mirror; None if none was, or if it is
    gone or paused since."""
    account = rows.own(conn).get(payload.get(_ACCOUNT, 0))
    return account.name if account is not None and account.paused_at is None else None


def is_for_a_trade(payload: dict[str, object]) -> bool:
    """Return whether a trade asked for this job."""
    return bool(payload.get(_TRADE))
