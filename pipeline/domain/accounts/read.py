"""Read the accounts at venues."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.checks import missing_account
from afterword.pipeline.domain.accounts.model import Account


def list_accounts(store: Store, as_of: datetime | None = None) -> list[Account]:
    """Return the accounts by name, as they were at a moment."""
    with reading(store) as conn:
        if as_of is None:
            return rows.listed(conn)
        return [_as_known(account, as_of) for account in rows.listed(conn, to_micros(as_of))]


def show_account(store: Store, name: str) -> Account:
    """Return the account of a name.

    Raises:
        NotFoundError: there is no such account.
    """
    with reading(store) as conn:
        account = rows.named(conn, name)
    if account is None:
        raise missing_account(name)
    return account


def reference_names(conn: Connection, as_of: datetime | None = None) -> frozenset[str]:
    """Return the names under which trades of reference accounts are kept: they are not the owner's.

    Args:
        as_of: the accounts of that moment; those of now if None.
    """
    return rows.reference_names(conn, None if as_of is None else to_micros(as_of))


def _as_known(account: Account, as_of: datetime) -> Account:
    """Return an account as it was; a pause that ended is not kept."""
    paused_at = account.paused_at
    if paused_at is not None and paused_at > as_of:
        paused_at = None
    return replace(account, paused_at=paused_at, removed_at=None)
