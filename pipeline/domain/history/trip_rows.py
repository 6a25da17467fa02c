"""SQL over derived round trips and their memories."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.history.model import KnownTrip, RoundTrip
from afterword.pipeline.domain.history.rows import insert_of
from afterword.pipeline.domain.history.stretch import MarketSpan, StoredTrip
from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.rules.market.decimals import plain


class _TripRow(NamedTuple):
    """The columns of a trip, in the order the statement takes them."""

    trip_uid: str
    digest: str
    sub_account_id: str
    symbol: str
    direction: str
    first_fill_id: int
    first_fill_uid: str
    last_fill_id: int
    fills: int
    opened_at: int
    closed_at: int
    entry_px: str | None
    exit_px: str
    max_size: str
    gross_micro_usd: int
    fee_micro_usd: int
    net_micro_usd: int
    liquidated: bool
    flags: str
    memory_id: int | None


_TRIPS = text("""
SELECT t.id, t.trip_uid, t.digest, t.direction, t.first_fill_uid, f.fill_uid AS last_fill_uid,
  t.memory_id
FROM round_trips AS t JOIN perps_fills AS f ON f.id = t.last_fill_id
WHERE t.sub_account_id = :account AND t.symbol = :coin AND t.superseded_at IS NULL
  AND t.closed_at > 1000 * :after AND t.opened_at <= 1000 * :upto
""")
_INSERT = text(insert_of("round_trips", _TripRow._fields, "known_at"))
_END = text("""
UPDATE round_trips SET superseded_at = :now WHERE id IN (SELECT value FROM json_each(:ids))
""")
_VISIBLE = text(f"""
SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(:ids)) AND {VISIBLE}
""")


def trips_over(conn: Connection, span: MarketSpan) -> tuple[StoredTrip, ...]:
    """Return the trips that opened by the end of a span and closed after its beginning."""
    return tuple(
        StoredTrip(
            id=row.id,
            known=KnownTrip(row.trip_uid, row.digest, row.direction, row.first_fill_uid),
            last_fill_uid=row.last_fill_uid,
            memory_id=row.memory_id,
        )
        for row in conn.execute(_TRIPS, span._asdict())
    )


def insert_trips(
    conn: Connection,
    trips: Iterable[tuple[RoundTrip, tuple[int, int], int | None]],
    now: int,
) -> None:
    """Add trips, known from now on (microseconds).

    Args:
        trips: each with the row ids of its first and last fill, and the id of its memory.
    """
    rows = json.dumps([_row(trip, ends, memory_id) for trip, ends, memory_id in trips])
    conn.execute(_INSERT, {"rows": rows, "now": now})


def end_trips(conn: Connection, trip_ids: Sequence[int], now: int) -> None:
    """Mark trips as superseded."""
    conn.execute(_END, {"ids": json.dumps(trip_ids), "now": now})


def visible_memories(conn: Connection, memory_ids: Sequence[int | None]) -> set[int]:
    """Return those of the memories that are visible."""
    return set(conn.execute(_VISIBLE, {"ids": json.dumps(memory_ids)}).scalars())


def _row(trip: RoundTrip, ends: tuple[int, int], memory_id: int | None) -> _TripRow:
    return _TripRow(
        trip_uid=trip.trip_uid,
        digest=trip.digest,
        sub_account_id=trip.account,
        symbol=trip.coin,
        direction=trip.direction,
        first_fill_id=ends[0],
        first_fill_uid=trip.fill_uids[0],
        last_fill_id=ends[1],
        fills=len(trip.fill_uids),
        opened_at=to_micros(trip.opened_at),
        closed_at=to_micros(trip.closed_at),
        entry_px=None if trip.entry_px is None else plain(trip.entry_px),
        exit_px=plain(trip.exit_px),
        max_size=plain(trip.max_size),
        gross_micro_usd=trip.gross_micro_usd,
        fee_micro_usd=trip.fees_micro_usd,
        net_micro_usd=trip.net_micro_usd,
        liquidated=trip.liquidated,
        flags=json.dumps(trip.flags),
        memory_id=memory_id,
    )
