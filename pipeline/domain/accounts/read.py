"""Read the accounts at venues."""

from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.checks import missing_account
from afterword.pipeline.domain.accounts.model import Account


def list_accounts(store: Store, as_of: datetime | None = None) -> list[Account]:
    """Return the accounts by name, as they were at a moment."""
    with reading(store) as conn:
        return rows.listed(conn, None if as_of is None else to_micros(as_of))


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
