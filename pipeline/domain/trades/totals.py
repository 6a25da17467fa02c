"""What all complete trips of an account came to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.accounts.read import reference_names
from afterword.pipeline.domain.fills.model import MarketKind
from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.statistics import statistics_by_quote
from afterword.pipeline.domain.trades.sums import sums_by_kind, sums_by_quote
from afterword.pipeline.domain.trades.sums_model import QuoteSums, TripStatistics
from afterword.pipeline.domain.trips.read import trips as read_trips
from afterword.pipeline.domain.trips.trip import Trip


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeTotals:
    """The complete trips of all markets.

    Args:
        sums: by quote.
        statistics: of these, in the same order.
        kinds: their sums by kind of market: `spot`, `perp` and others.
        first_closed_at: exit of the first of them, or the noon of its day where no hour is known;
            aware UTC, None without one. `last_closed_at` likewise.
    """

    sums: tuple[QuoteSums, ...]
    statistics: tuple[TripStatistics, ...]
    kinds: Mapping[MarketKind, tuple[QuoteSums, ...]]
    first_closed_at: datetime | None
    last_closed_at: datetime | None


def trade_totals(
    conn: Connection, now: datetime, *, account: str | None = None, as_of: datetime | None = None
) -> TradeTotals:
    """Return what the trips that closed by a moment came to.

    Args:
        account: None for all accounts of the owner; those of reference are none of them.
        as_of: as known at that moment; now if None.
    """
    complete = [
        trip
        for trip in own_trips(conn, account, as_of)
        if trip.closed_at <= now and not trip.is_incomplete
    ]
    return TradeTotals(
        sums=sums_by_quote(complete),
        statistics=statistics_by_quote(complete),
        kinds=sums_by_kind(complete),
        first_closed_at=min(map(_closed, complete), default=None),
        last_closed_at=max(map(_closed, complete), default=None),
    )


def own_trips(conn: Connection, account: str | None, as_of: datetime | None) -> list[Trip]:
    """Return the trips of the owner's accounts; of one account, whosever it is, if it is named."""
    others = reference_names(conn, as_of) if account is None else frozenset()
    return [trip for trip in read_trips(conn, as_of, account) if not is_below(trip.account, others)]


def is_below(account: str, names: frozenset[str]) -> bool:
    """Tell an account of these names, or one that a file names below them."""
    return account in names or account.partition("/")[0] in names


def _closed(trip: Trip) -> datetime:
    return local_time(trip.closed_at, UTC, is_day=trip.is_day)
