"""SQL over closed trades: positions that a venue reports without their fills."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import EXACT, ClosedTrade
from afterword.pipeline.domain.trips.ledger import closed_flags, is_of_other_units, trip_uid_of
from afterword.pipeline.domain.trips.row_values import amount_of, names_of, number_of
from afterword.pipeline.domain.trips.trip import Trip

NEAR_MS: Final = 60_000
"""How far a fill may lie from the exit that a venue reports, which may count in minutes."""


class FileTrade(NamedTuple):
    """A closed trade of a file, ready to be stored.

    Args:
        row: what the columns of the trade hold, as a JSON array.
    """

    account: str
    trade_uid: str
    row: str


_TRADE: Final = Codec(
    ClosedTrade,
    names={"account": "sub_account_id", "raw": "raw_json"},
    given=("line",),
    moments=("opened_at", "closed_at"),
    amounts=(
        *("size", "multiplier", "entry_px", "exit_px"),
        *("gross", "fees", "funding", "net"),
    ),
    flags=("is_day",),
)
_UID_PARTS: Final = ("venue", "kind", "symbol", "direction", "opened_at", "closed_at")
_NEW = text("""
SELECT key FROM json_each(:uids) WHERE NOT EXISTS (
  SELECT 1 FROM closed_trades WHERE sub_account_id = value ->> 0 AND trade_uid = value ->> 1)
ORDER BY key
""")
_INSERT: Final = _TRADE.insert(
    "closed_trades",
    *("trade_uid", "trip_uid", "known_at"),
    otherwise="ON CONFLICT (sub_account_id, trade_uid) DO NOTHING",
)
_NEWLY_COVERED = text(f"""
SELECT t.id FROM closed_trades AS t
WHERE t.covered_at IS NULL AND EXISTS (
  SELECT 1 FROM perps_fills AS f
  WHERE f.sub_account_id = t.sub_account_id AND f.symbol = t.symbol AND f.venue = t.venue
    AND f.kind = t.kind AND f.position_side IN ('', 'long', 'short')
    AND f.side = iif(t.direction = 'long', 'A', 'B')
    AND f.ts_ms BETWEEN t.closed_at / 1000 - {NEAR_MS} AND t.closed_at / 1000 + {NEAR_MS})
ORDER BY t.id
""")
_MEMORIES = text("""
SELECT memories.id FROM closed_trades AS t JOIN memories ON memories.id = t.memory_id
WHERE t.covered_at IS NULL AND t.id IN (SELECT value FROM json_each(:ids))
  AND memories.superseded_at IS NULL AND memories.deleted_at IS NULL
ORDER BY memories.id
""")
_COVER = text("""
UPDATE closed_trades SET covered_at = :now
WHERE covered_at IS NULL AND id IN (SELECT value FROM json_each(:ids))
""")
_UNSETTLED = text("""
SELECT * FROM closed_trades WHERE settled_at IS NULL AND covered_at IS NULL
ORDER BY id LIMIT :most
""")
_STILL = text("""
SELECT id FROM closed_trades
WHERE settled_at IS NULL AND covered_at IS NULL AND id IN (SELECT value FROM json_each(:ids))
""")
_SETTLE = text("""
UPDATE closed_trades SET settled_at = :now, memory_id = pair.value ->> 1
FROM json_each(:pairs) AS pair WHERE closed_trades.id = pair.value ->> 0
""")
_TRIPS = text(f"""
SELECT * FROM closed_trades
WHERE {of_account()}
  AND (:at IS NULL OR known_at <= :at)
  AND (covered_at IS NULL OR covered_at > :at)
""")
_COVERED = text(f"""
SELECT * FROM closed_trades
WHERE {of_account()}
  AND covered_at IS NOT NULL AND (:at IS NULL OR covered_at <= :at)
""")
_NAMED = text("""
SELECT * FROM closed_trades
WHERE trip_uid IN (SELECT value FROM json_each(:names)) AND (:at IS NULL OR known_at <= :at)
""")


def closed_row(trade: ClosedTrade) -> tuple[str, int, str]:
    """Return a closed trade's uid, its time (ms) and its columns as a JSON array.

    The uid of one without an id ends with `#`: how many equal ones stand before it is added.
    Ids of back-tests count from 1 in every file, and one position may close in parts under one id,
    so time, size and prices belong to the uid of all.
    """
    values = dict(zip(_TRADE.names, _TRADE.write(trade), strict=True))
    parts = [values[name] for name in _UID_PARTS]
    prices = (values["size"], values["entry_px"] or "", values["exit_px"] or "", values["net"])
    uid = ":".join(map(str, (*parts, *prices, trade.trade_id or "#")))
    return uid, values["closed_at"] // 1_000, json.dumps(list(values.values()))


def new_trades(conn: Connection, trades: Iterable[FileTrade]) -> list[FileTrade]:
    """Return each closed trade once that is not stored yet."""
    once = {trade[:2]: trade for trade in trades}
    keys = list(once)
    new = conn.execute(_NEW, {"uids": json.dumps(keys)}).scalars()
    return [once[keys[index]] for index in new]


def insert_trades(conn: Connection, trades: Sequence[FileTrade], now: int) -> int:
    """Add closed trades, known from now on (microseconds); return how many were new."""
    rows = [
        (*json.loads(row), trade_uid, trip_uid_of(account, trade_uid), now)
        for account, trade_uid, row in trades
    ]
    return conn.exec_driver_sql(_INSERT, rows).rowcount


def newly_covered(conn: Connection) -> list[int]:
    """Return the row ids of closed trades that count although fills lie at their exit."""
    return list(conn.execute(_NEWLY_COVERED).scalars())


def cover(conn: Connection, trade_ids: Sequence[int], now: int) -> tuple[int, list[int]]:
    """Let the fills count in place of closed trades.

    Returns:
        How many were covered, and the ids of the memories that told of them.
    """
    ids = json.dumps(trade_ids)
    memory_ids = list(conn.execute(_MEMORIES, {"ids": ids}).scalars())
    return conn.execute(_COVER, {"ids": ids, "now": now}).rowcount, memory_ids


def unsettled(conn: Connection, most: int) -> list[tuple[int, Trip]]:
    """Return closed trades that are not remembered yet, with their row ids."""
    return [(row.id, _trip(row)) for row in conn.execute(_UNSETTLED, {"most": most})]


def still_unsettled(conn: Connection, trade_ids: Sequence[int]) -> set[int]:
    """Return those of the closed trades that nobody settled meanwhile."""
    return set(conn.execute(_STILL, {"ids": json.dumps(trade_ids)}).scalars())


def settle_trades(conn: Connection, pairs: Sequence[tuple[int, int]], now: int) -> None:
    """Mark closed trades (row ids) as remembered by memories."""
    conn.execute(_SETTLE, {"pairs": json.dumps(pairs), "now": now})


def read_trips(conn: Connection, at: int | None, account: str | None) -> list[Trip]:
    """Return the closed trades that count, since no fills cover them.

    Args:
        at: as known at a moment (microseconds); now if None.
        account: of one account; of all if None.
    """
    return [_trip(row) for row in conn.execute(_TRIPS, {"at": at, "account": account})]


def covered_trips(conn: Connection, at: int | None, account: str | None) -> list[Trip]:
    """Return the closed trades that fills cover; see `read_trips`."""
    return [_trip(row) for row in conn.execute(_COVERED, {"at": at, "account": account})]


def trips_named(conn: Connection, names: Sequence[str], at: int | None) -> list[Trip]:
    """Return the closed trades of these names that there are, in no order.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    return list(map(_trip, conn.execute(_NAMED, {"names": json.dumps(names), "at": at})))


def _trip(row: Any) -> Trip:
    size, multiplier = amount_of(row.size), amount_of(row.multiplier)
    entry_px, units = number_of(row.entry_px), EXACT.multiply(size, multiplier)
    trip = Trip(
        trip_uid=row.trip_uid,
        **names_of(row),
        opened_at=None if row.opened_at is None else from_micros(row.opened_at),
        closed_at=from_micros(row.closed_at),
        entry_px=entry_px,
        exit_px=number_of(row.exit_px),
        size=size,
        multiplier=multiplier,
        notional=None if entry_px is None else EXACT.multiply(entry_px, units),
        gross=number_of(row.gross),
        fees=number_of(row.fees),
        other_fees=(),
        funding=number_of(row.funding),
        net=Decimal(row.net),
        fills=0,
        losing_adds=0,
        is_incomplete=False,
        is_liquidated=False,
        flags=(),
    )
    flags = closed_flags(trip, row.net_is_after)
    if "ledger_disagrees" in flags and is_of_other_units(trip):
        trip = replace(trip, notional=None)
    return replace(trip, flags=("days_only", *flags) if row.is_day else flags)
