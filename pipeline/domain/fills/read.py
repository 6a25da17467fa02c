"""Read stored fills: the latest, one by its name, and their prices."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS, fill_of

_LATEST = text(f"""
SELECT f.raw_json, {FILL_COLUMNS} FROM perps_fills AS f
WHERE {of_account("f.sub_account_id")}
  AND (:symbol IS NULL OR f.symbol = :symbol) AND f.ts_ms >= :since
ORDER BY f.ts_ms DESC, f.order_in_ms DESC, f.fill_uid DESC LIMIT :most
""")
_UNSTATED = text("""
SELECT DISTINCT sub_account_id, symbol, venue, kind FROM perps_fills
WHERE start_position = '' AND position_side = '' AND kind IN ('perp', 'future')
""")
_BY_UID = text(f"""
SELECT f.raw_json, {FILL_COLUMNS} FROM perps_fills AS f WHERE f.fill_uid = :uid
ORDER BY f.sub_account_id
""")
_BY_ID = text(f"SELECT f.raw_json, {FILL_COLUMNS} FROM perps_fills AS f WHERE f.id = :id")
_PRICES = text("""
SELECT symbol, ts_ms, price FROM perps_fills WHERE price <> '0'
ORDER BY symbol, ts_ms, order_in_ms, sub_account_id, fill_uid
""")


class FillPrice(NamedTuple):
    """The price at which somebody traded a market at a moment."""

    symbol: str
    at: datetime
    price: Decimal


def prices(conn: Connection) -> Iterator[FillPrice]:
    """Yield the price of each fill, by market and in the order of time; not those of nothing."""
    for symbol, ts_ms, price in conn.execute(_PRICES):
        yield FillPrice(symbol, from_millis(ts_ms), Decimal(price))


def unstated_markets(conn: Connection) -> list[tuple[str, ...]]:
    """Return (account, symbol, venue, kind) of markets in which fills do not say what was held."""
    return [tuple(row) for row in conn.execute(_UNSTATED)]


def latest(
    conn: Connection, account: str | None, symbol: str | None, since: datetime | None, most: int
) -> list[Fill]:
    """Return the fills that executed last, newest first, each with its row of the file.

    Args:
        account, symbol: only of these; of all if None.
        since: the earliest moment; None means from the first fill on.
    """
    since_ms = 0 if since is None else to_micros(since) // 1_000
    values = {"account": account, "symbol": symbol, "since": since_ms, "most": most}
    return fills_of(conn.execute(_LATEST, values))


def by_uid(conn: Connection, uid: str) -> list[Fill]:
    """Return the fill of this name; of each of its accounts, where two share a match."""
    return fills_of(conn.execute(_BY_UID, {"uid": uid}))


def by_id(conn: Connection, row_id: int) -> list[Fill]:
    """Return the fill of this row."""
    return fills_of(conn.execute(_BY_ID, {"id": row_id}))


def fills_of(rows: Iterable[Any]) -> list[Fill]:
    """Return the fills of stored rows, in their order."""
    return [fill_of(row, row.raw_json) for row in rows]
