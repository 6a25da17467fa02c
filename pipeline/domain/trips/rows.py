"""SQL over derived round trips and their memories."""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.domain.trips.model import INCOMPLETE, RoundTrip, StoredTrip
from afterword.pipeline.domain.trips.row_values import (
    amount_of,
    amounts_of,
    flags_of,
    names_of,
    number_of,
)
from afterword.pipeline.domain.trips.stretch import MarketSpan
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.decimals import plain

_STORED: Final = Codec(StoredTrip, amounts=("left",))
_TRIPS = text("""
SELECT t.id, t.trip_uid, t.digest, t.direction, t.first_fill_uid, f.fill_uid, t.memory_id,
  t.left_over
FROM round_trips AS t JOIN perps_fills AS f ON f.id = t.last_fill_id
WHERE t.sub_account_id = :account AND t.symbol = :symbol AND t.venue = :venue AND t.kind = :kind
  AND f.position_side = :position_side AND t.superseded_at IS NULL
  AND t.closed_at > 1000 * :after AND t.opened_at <= 1000 * :upto
""")
_END = text("""
UPDATE round_trips SET superseded_at = :now WHERE id IN (SELECT value FROM json_each(:ids))
""")
_VISIBLE = text(f"""
SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(:ids)) AND {VISIBLE}
""")

_READ = text(f"""
SELECT * FROM round_trips
WHERE {of_account()}
  AND (:at IS NULL OR known_at <= :at)
  AND (superseded_at IS NULL OR superseded_at > :at)
""")
_NAMED = text("""
SELECT * FROM round_trips
WHERE trip_uid IN (SELECT value FROM json_each(:names)) AND (:at IS NULL OR known_at <= :at)
  AND (superseded_at IS NULL OR superseded_at > :at)
""")


def read_trips(conn: Connection, at: int | None, account: str | None) -> list[Trip]:
    """Return the trips that fills add up to.

    Args:
        at: as known at a moment (microseconds); now if None.
        account: of one account; of all if None.
    """
    return [_trip(row) for row in conn.execute(_READ, {"at": at, "account": account})]


def trips_over(conn: Connection, span: MarketSpan) -> tuple[StoredTrip, ...]:
    """Return the trips that opened by the end of a span and closed after its beginning."""
    return tuple(_STORED.read(row) for row in conn.execute(_TRIPS, span._asdict()))


def insert_trips(
    conn: Connection,
    trips: Iterable[tuple[RoundTrip, tuple[int, int], int | None]],
    now: int,
) -> None:
    """Add trips, known from now on (microseconds).

    Args:
        trips: each with the row ids of its first and last fill, and the id of its memory.
    """
    rows = [_columns(trip, ends, memory_id) | {"known_at": now} for trip, ends, memory_id in trips]
    if rows:
        places = ", ".join(f":{name}" for name in rows[0])
        insert = f"INSERT INTO round_trips ({', '.join(rows[0])}) VALUES ({places})"
        conn.exec_driver_sql(insert, rows)


def end_trips(conn: Connection, trip_ids: Sequence[int], now: int) -> None:
    """Mark trips as superseded."""
    conn.execute(_END, {"ids": json.dumps(trip_ids), "now": now})


def visible_memories(conn: Connection, memory_ids: Sequence[int | None]) -> set[int]:
    """Return those of the memories that are visible."""
    return set(conn.execute(_VISIBLE, {"ids": json.dumps(memory_ids)}).scalars())


def _columns(
    trip: RoundTrip, ends: tuple[int, int], memory_id: int | None
) -> dict[str, str | int | None]:
    """Return what the columns of a trip hold, by column."""
    return {
        "trip_uid": trip.trip_uid,
        "digest": trip.digest,
        "sub_account_id": trip.market.account,
        "symbol": trip.market.symbol,
        "direction": trip.direction,
        "first_fill_id": ends[0],
        "first_fill_uid": trip.fill_uids[0],
        "last_fill_id": ends[1],
        "fills": len(trip.fill_uids),
        "opened_at": to_micros(trip.opened_at),
        "closed_at": to_micros(trip.closed_at),
        "entry_px": _text(trip.entry_px),
        "exit_px": plain(trip.exit_px),
        "max_size": plain(trip.max_size),
        "gross_micro_usd": trip.gross_micro_usd,
        "fee_micro_usd": trip.fees_micro_usd,
        "funding_micro_usd": trip.funding_micro_usd,
        "net_micro_usd": trip.net_micro_usd,
        "liquidated": trip.liquidated,
        "flags": json.dumps(trip.flags),
        "memory_id": memory_id,
        "venue": trip.market.venue,
        "kind": trip.market.kind,
        "quote": trip.quote,
        "multiplier": plain(trip.multiplier),
        "notional": plain(trip.entry_notional),
        "gross": _text(trip.gross_pnl),
        "venue_gross": _text(trip.venue_gross),
        "fees": plain(trip.fees),
        "other_fees": json.dumps([(token, plain(amount)) for token, amount in trip.other_fees]),
        "funding": _text(trip.funding),
        "net": plain(trip.net_pnl),
        "losing_adds": trip.losing_adds,
        "left_over": plain(trip.left),
        "first_notional": plain(trip.first_notional),
    }


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


def trips_named(conn: Connection, names: Sequence[str], at: int | None) -> list[Trip]:
    """Return the trips of these names that there are, in no order.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    return list(map(_trip, conn.execute(_NAMED, {"names": json.dumps(names), "at": at})))


def _trip(row: Any) -> Trip:
    flags = flags_of(row.flags)
    size, multiplier = amount_of(row.max_size), amount_of(row.multiplier)
    entry_px = number_of(row.entry_px)
    notional = number_of(row.notional)
    gross, fees, net = number_of(row.gross), number_of(row.fees), number_of(row.net)
    if fees is None or net is None:  # written before the exact amounts were kept
        gross, fees, net = (
            Decimal(micro_usd).scaleb(-6)
            for micro_usd in (row.gross_micro_usd, row.fee_micro_usd, row.net_micro_usd)
        )
        notional = None if entry_px is None else EXACT.multiply(entry_px, size)
    return Trip(
        trip_uid=row.trip_uid,
        **names_of(row),
        opened_at=from_micros(row.opened_at),
        closed_at=from_micros(row.closed_at),
        entry_px=entry_px,
        exit_px=number_of(row.exit_px),
        size=size,
        multiplier=multiplier,
        notional=None if entry_px is None else notional,
        gross=gross,
        fees=None if "fees_unknown" in flags else fees,
        other_fees=amounts_of(row.other_fees),
        funding=number_of(row.funding),
        net=net,
        fills=row.fills,
        losing_adds=row.losing_adds,
        is_incomplete=not INCOMPLETE.isdisjoint(flags),
        is_liquidated=bool(row.liquidated),
        flags=flags,
        first_notional=None if entry_px is None else number_of(row.first_notional),
        venue_gross=number_of(row.venue_gross),
    )
