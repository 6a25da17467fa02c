"""Read the capital of a group, as it is or as it was."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.capital import rows
from afterword.pipeline.domain.capital.model import CapitalMetrics, MissingPart
from afterword.pipeline.domain.capital.parts import missing_parts


def read_capital(conn: Connection, as_of: datetime | None = None) -> CapitalMetrics | None:
    """Return the capital as known at a moment; None without an own account or before a sum."""
    at = None if as_of is None else to_micros(as_of)
    return rows.capital_at(conn, at) if account_rows.own(conn, at) else None


def missing_capital(conn: Connection) -> tuple[MissingPart, ...]:
    """Return what was never told of the own accounts, so that there is no new sum."""
    return missing_parts(rows.book(conn))
