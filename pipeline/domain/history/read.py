"""Read trips as rooms above history know them."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.history import closed_rows, trip_rows
from afterword.pipeline.domain.history.ledger import TradeCheck, compare
from afterword.pipeline.domain.history.trip import Trip


def trips(
    conn: Connection, as_of: datetime | None = None, account: str | None = None
) -> list[Trip]:
    """Return every closed position: those made of fills, and closed trades without fills.

    Args:
        as_of: as known at that moment; now if None.
        account: of one account; of all if None.

    Returns:
        By the time they closed, then by name.
    """
    at = None if as_of is None else to_micros(as_of)
    found = [*trip_rows.read_trips(conn, at, account), *closed_rows.read_trips(conn, at, account)]
    return sorted(found, key=lambda trip: (trip.closed_at, trip.trip_uid))


def trade_checks(
    conn: Connection, as_of: datetime | None = None, account: str | None = None
) -> list[TradeCheck]:
    """Return closed trades beside the fills that cover them, and so count in their place.

    Args:
        as_of: as known at that moment; now if None.
        account: of one account; of all if None.
    """
    at = None if as_of is None else to_micros(as_of)
    reported = closed_rows.covered_trips(conn, at, account)
    return compare(reported, trip_rows.read_trips(conn, at, account) if reported else [])
