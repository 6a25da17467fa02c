"""SQL over the fills of a stretch, and the gaps between them."""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.model import AccountMarket
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS, fill_of
from afterword.pipeline.domain.trips.stretch import (
    Gap,
    MarketSpan,
    StoredFill,
    StoredGap,
    StretchVersion,
)

_GAP: Final = Codec(
    Gap,
    names={
        "account": "sub_account_id",
        "expected": "expected_position",
        "found": "found_position",
    },
    amounts=("expected", "found"),
)
_MARKET: Final = (
    "sub_account_id = :account AND symbol = :symbol AND venue = :venue AND kind = :kind"
    " AND position_side = :position_side"
)
# Left to choose, SQLite reads every fill there is, through the index of their order.
_UNPLACED = text("""
SELECT sub_account_id, symbol, venue, kind, position_side, ts_ms
FROM perps_fills INDEXED BY perps_fills_unplaced
WHERE order_in_ms IS NULL
ORDER BY sub_account_id, symbol, venue, kind, ts_ms LIMIT 1
""")
# A trip that ends in the middle of a millisecond does not count: a new fill may come before it.
# Nor does one whose last order may go on: units that no known fill opened are one trip by order.
_LAST_TRIP_END = text(f"""
SELECT f.id, f.order_in_ms, t.left_over, {FILL_COLUMNS}
FROM round_trips AS t JOIN perps_fills AS f ON f.id = t.last_fill_id
WHERE t.sub_account_id = :account AND t.symbol = :symbol AND t.venue = :venue AND t.kind = :kind
  AND f.position_side = :position_side
  AND t.superseded_at IS NULL AND t.closed_at < 1000 * :before AND NOT EXISTS (
    SELECT 1 FROM perps_fills
    WHERE {_MARKET} AND ts_ms = f.ts_ms AND order_in_ms > f.order_in_ms)
  AND NOT EXISTS (
    SELECT 1 FROM perps_fills
    WHERE {_MARKET} AND ts_ms = :before AND order_in_ms IS NULL AND oid = f.oid
      AND f.oid <> '' AND (f.start_position = '' OR f.kind IN ('spot', 'stock')))
ORDER BY t.closed_at DESC, t.id DESC LIMIT 1
""")
_FILLS: Final = f"""
SELECT f.id, f.order_in_ms, {FILL_COLUMNS} FROM perps_fills AS f
WHERE {_MARKET} AND ts_ms > :after
ORDER BY ts_ms, rank_in_ms, length(fill_uid), fill_uid LIMIT :most
"""
_GAPS = text("""
SELECT gap.id, earlier.fill_uid, later.fill_uid FROM fill_gaps AS gap
JOIN perps_fills AS earlier ON earlier.id = gap.earlier_fill_id
JOIN perps_fills AS later ON later.id = gap.later_fill_id
WHERE gap.sub_account_id = :account AND gap.symbol = :symbol AND gap.filled_at IS NULL
  AND gap.to_ms > :after AND gap.to_ms <= :upto
  AND later.venue = :venue AND later.kind = :kind AND later.position_side = :position_side
""")
_MARK = text(f"""
SELECT count(order_in_ms), max(id), max(wallet_address), max(rank_in_ms),
  (SELECT count(*) FROM funding_payments AS paid
    WHERE paid.sub_account_id = :account AND paid.venue = :venue AND paid.symbol = :symbol
      AND paid.ts_ms > :after AND paid.ts_ms <= :upto),
  (SELECT max(id) FROM price_splits WHERE symbol = :symbol)
FROM perps_fills
WHERE {_MARKET} AND ts_ms > :after AND ts_ms <= :upto
""")
_REPORT_GAPS: Final = _GAP.insert("fill_gaps", "known_at")
_END_GAPS = text("""
UPDATE fill_gaps SET filled_at = :now WHERE id IN (SELECT value FROM json_each(:ids))
""")


def first_unplaced(conn: Connection) -> tuple[AccountMarket, int] | None:
    """Return the market and the time (ms) of the first fill that is not settled."""
    row = conn.execute(_UNPLACED).one_or_none()
    if row is None:
        return None
    return AccountMarket(*row[:5]), row[5]


def last_trip_end(
    conn: Connection, market: AccountMarket, before_ms: int
) -> tuple[StoredFill | None, Decimal]:
    """Return the last fill before a moment that ended both a trip and its millisecond.

    Returns:
        The fill, and the signed units that it left for the next position.
    """
    values = {**market._asdict(), "before": before_ms}
    row = conn.execute(_LAST_TRIP_END, values).one_or_none()
    return (None, Decimal(0)) if row is None else (_stored(row), Decimal(row.left_over))


def fills_after(
    conn: Connection, market: AccountMarket, after_ms: int, most: int
) -> tuple[tuple[StoredFill, ...], bool]:
    """Return some fills after a moment in whole milliseconds, and whether these are all.

    Args:
        most: fills returned at most; none are if the first millisecond has more.
    """
    values = {**market._asdict(), "after": after_ms, "most": most + 1}
    # A row of SQLAlchemy takes as long as all that is read from it.
    fills = tuple(map(_stored, driver_cursor(conn).execute(_FILLS, values) or ()))
    if len(fills) <= most:
        return fills, True
    last_ms = fills[-1].fill.time_ms
    return tuple(stored for stored in fills if stored.fill.time_ms < last_ms), False


def open_gaps(conn: Connection, span: MarketSpan) -> tuple[StoredGap, ...]:
    """Return the gaps before the fills of a span of time."""
    return tuple(StoredGap(*row) for row in conn.execute(_GAPS, span._asdict()))


def mark(conn: Connection, span: MarketSpan) -> StretchVersion:
    """Return the version of a span, to detect changes by another process."""
    return StretchVersion(*conn.execute(_MARK, span._asdict()).one())


def report_gaps(conn: Connection, gaps: Iterable[Gap], now: int) -> None:
    """Add gaps, known from now on (microseconds)."""
    rows = [(*_GAP.write(gap), now) for gap in gaps]
    if rows:
        conn.exec_driver_sql(_REPORT_GAPS, rows)


def end_gaps(conn: Connection, gap_ids: Sequence[int], now: int) -> None:
    """Mark gaps as filled."""
    conn.execute(_END_GAPS, {"ids": json.dumps(gap_ids), "now": now})


def _stored(row: Any) -> StoredFill:
    return StoredFill(row[0], row[1], fill_of(row))
