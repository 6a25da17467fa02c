"""SQL over the trades that agents recorded."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.recorded_trades.model import CheckedTrade, Order, TradeRecord

_NEAR_MS: Final = 86_400_000
_ORDERS: Final[dict[str, Order]] = {"B": "buy", "A": "sell"}
_SIDES: Final = {order: side for side, order in _ORDERS.items()}

_TRADE: Final = Codec(
    TradeRecord,
    names={"key": "record_key"},
    moments=("occurred_at", "known_at"),
    amounts=("size", "price", "fee"),
    codings={
        "side": Coding(_ORDERS.__getitem__, _SIDES.__getitem__),
        "id": Coding(int, lambda row_id: row_id or None),  # the store counts them
    },
)
_INSERT: Final = _TRADE.insert("trade_history", otherwise="RETURNING id")
_FIND = text(f"""
SELECT {_TRADE.columns} FROM trade_history WHERE uid = :uid AND superseded_at IS NULL
""")
_KEYED = text(f"""
SELECT {_TRADE.columns} FROM trade_history WHERE record_key = :key AND superseded_at IS NULL
""")
_EXECUTED = text(f"""
SELECT {_TRADE.columns} FROM trade_history
WHERE venue = :venue AND account = :account AND asset_key = :asset_key AND tid = :tid
  AND superseded_at IS NULL
""")
_CLOSERS = text(f"""
SELECT {_TRADE.columns} FROM trade_history WHERE closes_uid = :uid AND superseded_at IS NULL
ORDER BY occurred_at, id
""")
_DECISION = text("SELECT 1 FROM role_memory WHERE uid = :uid")
_SUPERSEDE = text("""
UPDATE trade_history SET superseded_at = :at WHERE id = :id AND superseded_at IS NULL
""")
_CARRIED_OUT = text("""
SELECT DISTINCT decision_uid FROM trade_history
WHERE asset_key = :asset_key AND venue = :venue AND account = :account
  AND occurred_at BETWEEN :since AND :until AND superseded_at IS NULL
  AND decision_uid IS NOT NULL
  AND (tid IN (SELECT value FROM json_each(:tids)) OR oid IN (SELECT value FROM json_each(:oids))
    OR cloid IN (SELECT value FROM json_each(:cloids)))
ORDER BY 1
""")
_RECORDED = text(f"""
SELECT {_TRADE.columns} FROM trade_history
WHERE (:asset_key IS NULL OR asset_key = :asset_key)
  AND ((:as_of IS NULL AND superseded_at IS NULL)
    OR (known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)))
ORDER BY occurred_at DESC, uid DESC LIMIT :most
""")
# By its id of the execution where both have one, else by the order, else by the client's id of it.
# Ids are unique in a market only: the reader compares the asset.
_MIRRORED = text("""
WITH trade AS MATERIALIZED (
  SELECT value ->> 0 AS id, value ->> 1 AS venue, value ->> 2 AS account, value ->> 3 AS side,
    value ->> 4 AS oid, value ->> 5 AS tid, value ->> 6 AS cloid
  FROM json_each(:trades))
SELECT trade.id, fill.id AS fill_id, fill.symbol
FROM trade CROSS JOIN perps_fills AS fill ON fill.id IN (
  SELECT id FROM perps_fills WHERE tid = trade.tid AND sub_account_id = trade.account
  UNION ALL
  SELECT id FROM perps_fills WHERE oid = trade.oid AND oid <> '' AND sub_account_id = trade.account
    AND (tid IS NULL OR trade.tid IS NULL)
  UNION ALL
  SELECT id FROM perps_fills WHERE cloid = trade.cloid AND sub_account_id = trade.account
    AND (tid IS NULL OR trade.tid IS NULL) AND (oid = '' OR trade.oid IS NULL))
WHERE fill.venue = trade.venue AND fill.side = trade.side
  AND (:as_of IS NULL OR fill.created_at <= :as_of)
ORDER BY 1, 2
""")


class MirroredFill(NamedTuple):
    """A fill with an account, a side and an id of a recorded trade.

    Args:
        trade_id: row of the trade.
        symbol: the fill's market, as its venue writes it.
    """

    trade_id: int
    fill_id: int
    symbol: str


def insert_trade(conn: Connection, trade: TradeRecord) -> int:
    """Add a trade, and return the id of its row."""
    row_id: int = conn.exec_driver_sql(_INSERT, _TRADE.write(trade)).scalar_one()
    return row_id


def supersede(conn: Connection, trade_id: int, now: datetime) -> None:
    """End the row of a trade."""
    conn.execute(_SUPERSEDE, {"id": trade_id, "at": to_micros(now)})


def find_trade(conn: Connection, uid: str) -> TradeRecord | None:
    """Return the trade of a uid as it is now."""
    return _record(conn.execute(_FIND, {"uid": uid}).one_or_none())


def recorded_before(conn: Connection, trade: CheckedTrade) -> TradeRecord | None:
    """Return the trade that has the key of this one, or its id of the execution."""
    if trade.key is not None:
        keyed = _record(conn.execute(_KEYED, {"key": trade.key}).one_or_none())
        if keyed is not None:
            return keyed
    if trade.tid is None:
        return None
    return _record(conn.execute(_EXECUTED, _execution(trade)).one_or_none())


def closers(conn: Connection, uid: str) -> list[TradeRecord]:
    """Return the trades that close a trade or a part of it, the earliest first."""
    return [_TRADE.read(row) for row in conn.execute(_CLOSERS, {"uid": uid})]


def is_decision(conn: Connection, uid: str) -> bool:
    """Say whether a decision of a role has this uid."""
    return conn.execute(_DECISION, {"uid": uid}).scalar() is not None


def recorded(
    conn: Connection, asset_key: str | None, as_of: int | None, most: int
) -> list[TradeRecord]:
    """Return the recorded trades, the latest first.

    Args:
        asset_key: of one asset only.
        as_of: as they were known at a moment (microseconds).
        most: how many at most; -1 for all.
    """
    values = {"asset_key": asset_key, "as_of": as_of, "most": most}
    return [_TRADE.read(row) for row in conn.execute(_RECORDED, values)]


def decisions_carried_out(
    conn: Connection, asset_key: str, account: str, fills: Sequence[Fill]
) -> list[str]:
    """Return the decisions that recorded trades of these fills carry out, by uid.

    Args:
        asset_key: of their market.
        fills: of one account, oldest first; one at least.
    """
    values = {
        "asset_key": asset_key,
        "venue": fills[0].venue,
        "account": account,
        # An agent may say another moment than the venue.
        "since": 1_000 * (fills[0].time_ms - _NEAR_MS),
        "until": 1_000 * (fills[-1].time_ms + _NEAR_MS),
        "tids": json.dumps([fill.tid for fill in fills if fill.tid]),
        "oids": json.dumps([fill.oid for fill in fills if fill.oid]),
        "cloids": json.dumps([fill.cloid for fill in fills if fill.cloid]),
    }
    return list(conn.execute(_CARRIED_OUT, values).scalars())


def mirrored_fills(
    conn: Connection, trades: Sequence[TradeRecord], as_of: int | None
) -> list[MirroredFill]:
    """Return the fills that may be the same trades, those known at a moment (microseconds)."""
    named = [
        (one.id, one.venue, one.account, _SIDES[one.side], one.oid, one.tid, one.cloid)
        for one in trades
        if one.oid or one.tid or one.cloid
    ]
    values = {"trades": json.dumps(named), "as_of": as_of}
    return [MirroredFill(*row) for row in conn.execute(_MIRRORED, values)]


def _execution(trade: CheckedTrade) -> dict[str, str | None]:
    names = ("venue", "account", "asset_key", "tid")
    return {name: getattr(trade, name) for name in names}


def _record(row: Any) -> TradeRecord | None:
    return None if row is None else _TRADE.read(row)
