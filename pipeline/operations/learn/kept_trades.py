"""Trades that are kept: those that fit, and one with all that belongs to it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.read_rows import of_trade
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.recorded_trades.rows import decisions_carried_out
from afterword.pipeline.domain.trades.measure import (
    TREND_HOURS,
    measure_trip,
    measure_trips,
    usual_trend_hours,
)
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.note import note_of
from afterword.pipeline.domain.trades.note_rows import TripNote
from afterword.pipeline.domain.trades.tag import list_tags, named_trip, tags_of
from afterword.pipeline.domain.trips.day_rows import held_counts
from afterword.pipeline.domain.trips.name_rows import memory_of
from afterword.pipeline.domain.trips.read import of_trip
from afterword.pipeline.domain.trips.read import trips as read_trips
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.learn.cells import trips_of_cell
from afterword.pipeline.operations.learn.kept import kept_report
from afterword.pipeline.operations.learn.price_path import PricePath, price_path
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.windows import HOUR_US

MOST_LISTED: Final = 10_000
"""Trades of one list."""


@dataclass(frozen=True, slots=True)
class TradesQuery:
    """Which trades are asked for; None leaves a condition out.

    Args:
        asset: as `asset_of` writes it.
        cell: a line of the report, such as `hour=12-16`.
        since: they closed from then on.
        as_of: as it was stored at this moment.
        before: they come after the trade that closed then (microseconds) and has this name.
    """

    account: str | None = None
    asset: str | None = None
    cell: str | None = None
    tag: str | None = None
    since: datetime | None = None
    as_of: datetime | None = None
    before: tuple[int, str] | None = None

    @property
    def is_narrowed(self) -> bool:
        """Whether not all trades are asked for."""
        conditions = (self.account, self.asset, self.cell, self.tag, self.since)
        return any(condition is not None for condition in conditions)


@dataclass(frozen=True, slots=True)
class KeptTrades:
    """Trades that fit.

    Args:
        outcomes: the newest of them, newest first.
        tags: by trip_uid, of all trades of the account.
        fitting: all that fit; count.
    """

    outcomes: Sequence[TripOutcome]
    tags: Mapping[str, Sequence[str]]
    fitting: int


@dataclass(frozen=True, slots=True)
class KeptTrade:
    """One trade with all that belongs to it.

    Args:
        note: what its owner wrote of it.
        fills: oldest first.
        path: of the price while it was open; None where no bars say it.
        decisions: those that it carried out, or that were made from it; the first made first.
        memory_id: of the memory that tells of it; None in a read of the past.
    """

    outcome: TripOutcome
    tags: Sequence[str]
    note: TripNote | None
    fills: Sequence[Fill]
    path: PricePath | None
    decisions: Sequence[Decision]
    memory_id: int | None


def kept_trades(conn: Connection, query: TradesQuery, limit: int, now: datetime) -> KeptTrades:
    """Return the newest trades that fit, with what they came to.

    Args:
        limit: most of them; count.

    Raises:
        InvalidInputError: the report has no such line.
    """
    at = query.as_of
    read_moment(conn, at)
    tags = _tags(conn, at, query.account)
    known = read_trips(conn, at, query.account)
    fitting = [
        trip
        for trip in (known if query.cell is None else _of_cell(conn, query, query.cell, now))
        if (query.since is None or trip.closed_at >= query.since)
        and (query.before is None or (to_micros(trip.closed_at), trip.trip_uid) < query.before)
        and (query.asset is None or asset_of(trip.symbol) == query.asset)
        and (query.tag is None or query.tag in tags.get(trip.trip_uid, ()))
    ]
    outcomes = _measured(conn, fitting[-limit:], known, at, now)
    outcomes.reverse()
    return KeptTrades(outcomes, tags, len(fitting))


def kept_trade(conn: Connection, name: str, as_of: datetime | None, now: datetime) -> KeptTrade:
    """Return one trade with all that belongs to it.

    Args:
        name: of the trade, or the beginning of it.

    Raises:
        NotFoundError: no such trade.
        InvalidInputError: a beginning that several trades have.
    """
    read_moment(conn, as_of)
    trip = named_trip(conn, name, as_of)
    fills = of_trip(conn, trip.trip_uid)
    key = normalise_symbol(trip.symbol)
    carried_out = decisions_carried_out(conn, key, trip.account, fills) if fills else []
    return KeptTrade(
        outcome=_outcome(conn, trip, as_of, now),
        tags=_tags_of(conn, trip, as_of),
        note=note_of(conn, trip, as_of),
        fills=fills,
        path=price_path(StoredPrices(conn, as_of), trip, as_of or now),
        decisions=[
            decision
            for decision in of_trade(conn, trip.trip_uid, carried_out)
            if as_of is None or decision.known_at <= as_of
        ],
        memory_id=None if as_of else memory_of(conn, trip.trip_uid),
    )


def _outcome(conn: Connection, trip: Trip, as_of: datetime | None, now: datetime) -> TripOutcome:
    """Return what became of one trip; the move before it is told over the usual holding time."""
    if as_of is None:
        counts = held_counts(conn, trip, [hours * HOUR_US for hours in TREND_HOURS])
        return measure_trip(StoredPrices(conn), trip, usual_trend_hours(counts), now)
    # The past has no index of its days: all of its trades are read.
    known = [other for other in read_trips(conn, as_of) if other.account == trip.account]
    (outcome,) = _measured(conn, [trip], known, as_of, now)
    return outcome


def _tags_of(conn: Connection, trip: Trip, as_of: datetime | None) -> Sequence[str]:
    if as_of is None:
        return [tag.tag for tag in tags_of(conn, [trip]).get(trip.trip_uid, ())]
    return _tags(conn, as_of, trip.account).get(trip.trip_uid, ())


def _of_cell(conn: Connection, query: TradesQuery, cell: str, now: datetime) -> list[Trip]:
    """Return the trades of a line of the report, by the moment they closed."""
    at = query.as_of
    report, outcomes = kept_report(conn, at or now, query.account, is_past=at is not None)
    trips = [outcome.trip for outcome in trips_of_cell(report, outcomes, cell)]
    return sorted(trips, key=lambda trip: (trip.closed_at, trip.trip_uid))


def _measured(
    conn: Connection,
    trips: Sequence[Trip],
    known: Sequence[Trip],
    as_of: datetime | None,
    now: datetime,
) -> list[TripOutcome]:
    """Return what became of trips, by the moment they closed; alike in every list.

    Args:
        known: all trips of their accounts.
    """
    outcomes = measure_trips(StoredPrices(conn, as_of), trips, as_of or now, known)
    return sorted(outcomes, key=lambda outcome: (outcome.trip.closed_at, outcome.trip.trip_uid))


def _tags(conn: Connection, as_of: datetime | None, account: str | None) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = defaultdict(list)
    for tag in list_tags(conn, as_of, account):
        tags[tag.trip_uid].append(tag.tag)
    return tags
