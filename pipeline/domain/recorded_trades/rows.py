"""SQL over the trades that agents recorded."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.recorded_trades.checks import CheckedTrade
from afterword.pipeline.domain.recorded_trades.model import Order, TradeRecord
from afterword.pipeline.rules.market.decimals import plain

_NEW: Final = (
    *("uid", "record_key", "session_id", "decision_uid", "closes_uid", "venue", "account"),
    *("asset", "asset_key", "side", "size", "price", "fee", "fee_token", "oid", "tid", "cloid"),
    *("realised_micro_usd", "occurred_at", "known_at"),
)
_COLUMNS: Final = f"id, {', '.join(_NEW)}"
_ORDERS: Final[dict[str, Order]] = {"B": "buy", "A": "sell"}
_SIDES: Final = {order: side for side, order in _ORDERS.items()}

_INSERT = text(f"""
INSERT INTO trade_history ({", ".join(_NEW)})
VALUES ({", ".join(f":{name}" for name in _NEW)}) RETURNING id
""")
_FIND = text(f"SELECT {_COLUMNS} FROM trade_history WHERE uid = :uid AND superseded_at IS NULL")
_KEYED = text(f"""
SELECT {_COLUMNS} FROM trade_history WHERE record_key = :key AND superseded_at IS NULL
""")
_EXECUTED = text(f"""
SELECT {_COLUMNS} FROM trade_history
WHERE venue = :venue AND account = :account AND asset_key = :asset_key AND tid = :tid
  AND superseded_at IS NULL
""")
_CLOSERS = text(f"""
SELECT {_COLUMNS} FROM trade_history WHERE closes_uid = :uid AND superseded_at IS NULL
ORDER BY occurred_at, id
""")
_DECISION = text("SELECT 1 FROM role_memory WHERE uid = :uid")
_SUPERSEDE = text("""
UPDATE trade_history SET superseded_at = :at WHERE id = :id AND superseded_at IS NULL
""")
_RECORDED = text(f"""
SELECT {_COLUMNS} FROM trade_history
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


def insert_trade_row(
    conn: Connection, uid: str, session_id: str | None, trade: CheckedTrade, at: int, now: int
) -> int:
    """Add a trade of a moment, known from now on (both microseconds); return its row id."""
    values = asdict(trade) | {
        "uid": uid,
        "record_key": trade.key,
        "session_id": session_id,
        "side": _SIDES[trade.side],
        "size": plain(trade.size),
        "price": plain(trade.price),
        "fee": None if trade.fee is None else plain(trade.fee),
        "occurred_at": at,
        "known_at": now,
    }
    row_id: int = conn.execute(_INSERT, values).scalar_one()
    return row_id


def renew(conn: Connection, trade_id: int, realised_micro_usd: int, now: int) -> int:
    """Supersede a row by one with another result (microseconds); return the new row's id."""
    row = conn.execute(
        text(f"SELECT {_COLUMNS} FROM trade_history WHERE id = :id"), {"id": trade_id}
    ).one()
    values = dict(row._mapping) | {"realised_micro_usd": realised_micro_usd, "known_at": now}
    conn.execute(_SUPERSEDE, {"id": trade_id, "at": now})
    row_id: int = conn.execute(_INSERT, values).scalar_one()
    return row_id


def find_trade(conn: Connection, uid: str) -> TradeRecord | None:
    """Return the trade of a uid as it is now."""
    return _one(conn.execute(_FIND, {"uid": uid}).one_or_none())


def recorded_before(conn: Connection, trade: CheckedTrade) -> TradeRecord | None:
    """Return the trade that has the key of this one, or its id of the execution."""
    if trade.key is not None:
        found = _one(conn.execute(_KEYED, {"key": trade.key}).one_or_none())
        if found is not None:
            return found
    if trade.tid is None:
        return None
    return _one(conn.execute(_EXECUTED, _execution(trade)).one_or_none())


def closers(conn: Connection, uid: str) -> list[TradeRecord]:
    """Return the trades that close a trade or a part of it, the earliest first."""
    return [_trade(row) for row in conn.execute(_CLOSERS, {"uid": uid})]


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
    return [_trade(row) for row in conn.execute(_RECORDED, values)]


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


def _one(row: Any) -> TradeRecord | None:
    return None if row is None else _trade(row)


def _trade(row: Any) -> TradeRecord:
    return TradeRecord(
        id=row.id,
        uid=row.uid,
        key=row.record_key,
        session_id=row.session_id,
        decision_uid=row.decision_uid,
        closes_uid=row.closes_uid,
        venue=row.venue,
        account=row.account,
        asset=row.asset,
        asset_key=row.asset_key,
        side=_ORDERS[row.side],
        size=Decimal(row.size),
        price=Decimal(row.price),
        fee=None if row.fee is None else Decimal(row.fee),
        fee_token=row.fee_token,
        oid=row.oid,
        tid=row.tid,
        cloid=row.cloid,
        realised_micro_usd=row.realised_micro_usd,
        occurred_at=from_micros(row.occurred_at),
        known_at=from_micros(row.known_at),
    )
