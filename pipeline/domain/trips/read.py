"""Read trips, and positions that are still open, as rooms above know them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.balances import rows as balance_rows
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.read import fills_of
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS
from afterword.pipeline.domain.trips import closed_rows, open_rows, rows
from afterword.pipeline.domain.trips.ledger import TradeCheck, compare
from afterword.pipeline.domain.trips.model import Chain, OpenPosition
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.trips.share_splits import held_splits
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.domain.trips.unheld_funding import UnheldFunding, unheld_funding
from afterword.pipeline.rules.market.splits import Split

_FROM_TRIP: Final = """
FROM round_trips AS t
JOIN perps_fills AS first ON first.id = t.first_fill_id
JOIN perps_fills AS last ON last.id = t.last_fill_id
JOIN perps_fills AS f ON f.sub_account_id = t.sub_account_id AND f.symbol = t.symbol
  AND f.venue = t.venue AND f.kind = t.kind AND f.position_side = last.position_side
  AND (f.ts_ms, f.order_in_ms) >= (first.ts_ms, first.order_in_ms)
  AND (f.ts_ms, f.order_in_ms) <= (last.ts_ms, last.order_in_ms)
WHERE t.trip_uid = :uid AND t.superseded_at IS NULL
ORDER BY f.ts_ms, f.order_in_ms
"""
_OF_TRIP = text(f"SELECT f.raw_json, {FILL_COLUMNS} {_FROM_TRIP}")
_IDS_OF_TRIP = text(f"SELECT f.id {_FROM_TRIP}")


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
    known = [*rows.read_trips(conn, at, account), *closed_rows.read_trips(conn, at, account)]
    return sorted(
        _with_whole_funding(conn, known, at), key=lambda trip: (trip.closed_at, trip.trip_uid)
    )


def trip(conn: Connection, trip_uid: str) -> Trip | None:
    """Return the trip of this name as it is known now; None if there is none."""
    return next(iter(trips_named(conn, [trip_uid])), None)


def trips_named(conn: Connection, names: Sequence[str], at: int | None = None) -> list[Trip]:
    """Return the trips of these names, in their order.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    known = [*closed_rows.trips_named(conn, names, at), *rows.trips_named(conn, names, at)]
    by_name = {trip.trip_uid: trip for trip in known}
    return _with_whole_funding(conn, [by_name[name] for name in names if name in by_name], at)


def _with_whole_funding(
    conn: Connection, known: Sequence[Trip], at: int | None = None
) -> list[Trip]:
    """Return trips, with no funding as 0 where the mirror has every payment of their time.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    spans = balance_rows.whole_spans(conn, at) if known else {}
    return [
        replace(trip, funding=Decimal(0)) if _is_unfunded(trip, spans) else trip for trip in known
    ]


def _is_unfunded(trip: Trip, spans: Mapping[tuple[str, str], tuple[int, int]]) -> bool:
    span = spans.get((trip.account, trip.venue))
    if trip.funding is not None or trip.kind != "perp" or trip.opened_at is None or span is None:
        return False
    since_ms, upto_ms = span
    is_after = to_micros(trip.opened_at) >= since_ms * 1_000
    return is_after and to_micros(trip.closed_at) <= upto_ms * 1_000


def of_trip(conn: Connection, trip_uid: str) -> list[Fill]:
    """Return the fills of a trip in the order they executed in; none of a closed trade."""
    return fills_of(conn.execute(_OF_TRIP, {"uid": trip_uid}))


def fill_ids_of_trip(conn: Connection, trip_uid: str) -> list[int]:
    """Return the row ids of `of_trip`."""
    return list(conn.execute(_IDS_OF_TRIP, {"uid": trip_uid}).scalars())


def open_positions(
    conn: Connection, at: datetime, as_of: datetime | None = None, account: str | None = None
) -> list[OpenPosition]:
    """Return the positions that no fill has closed: they are in no trip.

    Args:
        at: what executed later is not read.
        as_of: as known at that moment; now if None.
        account: of one account; of all if None.

    Returns:
        By market.
    """
    known_by = None if as_of is None else to_micros(as_of)
    until = to_micros(at)
    tails = open_rows.tails(conn, known_by, until, account)
    splits = held_splits(conn, until, known_by)
    return [position for tail in tails for position in _unclosed(tail, splits) if not position.lost]


def lost_positions(
    conn: Connection, at: datetime, as_of: datetime | None = None, account: str | None = None
) -> list[OpenPosition]:
    """Return the positions whose end no file holds, though the market is known to be flat later.

    Their units were sent away, or closed by fills that are missing. They are in no trip and are
    not open; see `open_positions`.
    """
    known_by = None if as_of is None else to_micros(as_of)
    until = to_micros(at)
    between = open_rows.between(conn, known_by, until, account)
    tails = open_rows.tails(conn, known_by, until, account)
    splits = held_splits(conn, until, known_by)
    return [
        *(position for run in between for position in _unclosed(run, splits)),
        *(position for tail in tails for position in _unclosed(tail, splits) if position.lost),
    ]


def _unclosed(
    tail: open_rows.Tail, splits: Mapping[str, Sequence[Split]]
) -> tuple[OpenPosition, ...]:
    market = (tail.before or tail.fills[0]).market
    of_market = splits.get(market.symbol, ())
    chain = Chain(market, tail.fills, ())
    return round_trips(chain, None, tail.before, tail.left, of_market).unclosed


def funding_in_no_trip(
    conn: Connection, until: datetime, as_of: datetime | None = None, account: str | None = None
) -> list[UnheldFunding]:
    """Return what was paid for positions before their first known fill; see `unheld_funding`.

    Args:
        until: of trips that closed by then.
        as_of: as known at that moment; now if None.
        account: of one account; of all if None.
    """
    at = None if as_of is None else to_micros(as_of)
    return unheld_funding(conn, to_micros(until), at, account)


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
    return compare(reported, rows.read_trips(conn, at, account) if reported else [])
