"""Read the capital of a group, as it is or as it was."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.capital import rows
from afterword.pipeline.domain.capital.model import CapitalMetrics, MissingPart
from afterword.pipeline.domain.capital.parts import missing_parts


def read_capital(conn: Connection, as_of: datetime | None = None) -> CapitalMetrics | None:
    """Return the capital as known at a moment; None without an own account or before a sum."""
    at = None if as_of is None else to_micros(as_of)
    return rows.capital_at(conn, at) if account_rows.own(conn, VENUE, at) else None


def uncounted_accounts(conn: Connection, as_of: datetime | None = None) -> list[Account]:
    """Return the own accounts that are in no capital: their venue is not asked what they hold."""
    accounts = account_rows.listed(conn, None if as_of is None else to_micros(as_of))
    return [account for account in accounts if account.kind == "own" and account.venue != VENUE]


def missing_capital(conn: Connection) -> tuple[MissingPart, ...]:
    """Return what was never told of the own accounts, so that there is no new sum."""
    return missing_parts(rows.book(conn))
