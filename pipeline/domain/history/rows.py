"""SQL over fills and the gaps between them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.history.model import Fill, to_micro_usd
from afterword.pipeline.domain.history.parse import parse_fills
from afterword.pipeline.domain.history.round_trips import QUOTE
from afterword.pipeline.domain.history.stretch import (
    Gap,
    MarketSpan,
    StoredFill,
    StoredGap,
    StretchVersion,
)
from afterword.pipeline.rules.market.decimals import plain


class _FillRow(NamedTuple):
    """The columns of a fill, in the order the statement takes them."""

    sub_account_id: str
    wallet_address: str | None
    oid: str
    tid: int | None
    ts_ms: int
    symbol: str
    side: str
    dir: str
    size: str
    price: str
    start_position: str
    closed_pnl: str
    fee: str
    fee_token: str | None
    gross_micro_usd: int
    fee_micro_usd: int
    net_micro_usd: int
    raw_json: str
    fill_uid: str


class _GapRow(NamedTuple):
    """The columns of a gap, in the order the statement takes them."""

    sub_account_id: str
    symbol: str
    earlier_fill_id: int
    later_fill_id: int
    from_ms: int
    to_ms: int
    expected_position: str
    found_position: str


def insert_of(table: str, columns: Sequence[str], moment: str) -> str:
    """Return an INSERT of rows given as a JSON array, which costs a fifth of an executemany.

    Args:
        columns: what a row's array holds, in this order.
        moment: the column that takes `:now`.
    """
    values = ", ".join(f"value ->> {index}" for index in range(len(columns)))
    return (
        f"INSERT INTO {table} ({', '.join(columns)}, {moment}) "
        f"SELECT {values}, :now FROM json_each(:rows) WHERE true"
    )


_NEW = text("""
SELECT key FROM json_each(:uids) WHERE NOT EXISTS (
  SELECT 1 FROM perps_fills WHERE sub_account_id = value ->> 0 AND fill_uid = value ->> 1)
ORDER BY key
""")
# Only what another import added meanwhile is left out: OR IGNORE would also swallow a row that
# breaks a CHECK.
_INSERT_FILLS = text(
    insert_of("perps_fills", _FillRow._fields, "created_at")
    + " ON CONFLICT (sub_account_id, fill_uid) DO NOTHING"
)
_WALLET = text("SELECT wallet_address FROM perps_fills WHERE sub_account_id = :account LIMIT 1")
_SET_WALLET = text("""
UPDATE perps_fills SET wallet_address = :wallet, order_in_ms = NULL
WHERE sub_account_id = :account
""")
# Left to choose, SQLite reads every fill there is, through the index of their order.
_UNPLACED = text("""
SELECT sub_account_id, symbol, ts_ms FROM perps_fills INDEXED BY perps_fills_unplaced
WHERE order_in_ms IS NULL
ORDER BY sub_account_id, symbol, ts_ms LIMIT 1
""")
_LAST_PLACED = text("""
SELECT id, order_in_ms, raw_json FROM perps_fills
WHERE sub_account_id = :account AND symbol = :coin AND ts_ms < :before
ORDER BY ts_ms DESC, order_in_ms DESC LIMIT 1
""")
# A trip that ends in the middle of a millisecond does not count: a new fill may come before it.
_LAST_TRIP_END = text("""
SELECT f.id, f.order_in_ms, f.raw_json
FROM round_trips AS t JOIN perps_fills AS f ON f.id = t.last_fill_id
WHERE t.sub_account_id = :account AND t.symbol = :coin AND t.superseded_at IS NULL
  AND t.closed_at < 1000 * :before AND NOT EXISTS (
    SELECT 1 FROM perps_fills AS later
    WHERE later.sub_account_id = :account AND later.symbol = :coin
      AND later.ts_ms = f.ts_ms AND later.order_in_ms > f.order_in_ms)
ORDER BY t.closed_at DESC LIMIT 1
""")
_FILLS = text("""
SELECT id, order_in_ms, raw_json, ts_ms FROM perps_fills
WHERE sub_account_id = :account AND symbol = :coin AND ts_ms > :after
ORDER BY ts_ms, order_in_ms IS NULL, order_in_ms, id LIMIT :most
""")
_GAPS = text("""
SELECT gap.id, earlier.fill_uid, later.fill_uid FROM fill_gaps AS gap
JOIN perps_fills AS earlier ON earlier.id = gap.earlier_fill_id
JOIN perps_fills AS later ON later.id = gap.later_fill_id
WHERE gap.sub_account_id = :account AND gap.symbol = :coin AND gap.filled_at IS NULL
  AND gap.to_ms > :after AND gap.to_ms <= :upto
""")
_MARK = text("""
SELECT count(order_in_ms), max(id), max(wallet_address) FROM perps_fills
WHERE sub_account_id = :account AND symbol = :coin AND ts_ms > :after AND ts_ms <= :upto
""")
_PLACE = text("""
UPDATE perps_fills SET order_in_ms = place.value ->> 1 FROM json_each(:places) AS place
WHERE perps_fills.id = place.value ->> 0
""")
_REPORT_GAPS = text(insert_of("fill_gaps", _GapRow._fields, "known_at"))
_END_GAPS = text("""
UPDATE fill_gaps SET filled_at = :now WHERE id IN (SELECT value FROM json_each(:ids))
""")


def new_fills(conn: Connection, fills: Iterable[Fill]) -> list[Fill]:
    """Return each fill once that is not stored yet.

    Asked before the insert, so that an import of known fills writes nothing, not even the
    counter of row ids, which an insert that meets a conflict would move.
    """
    once: dict[tuple[str, str], Fill] = {}
    for fill in fills:
        once.setdefault((fill.account, fill.fill_uid), fill)
    found = list(once.values())
    new = conn.execute(_NEW, {"uids": json.dumps(list(once))}).scalars()
    return [found[index] for index in new]


def fill_rows(fills: Iterable[Fill], wallets: Mapping[str, str | None]) -> str:
    """Return fills as `insert_fills` takes them, so that no transaction waits for it.

    Args:
        wallets: the address of every account.
    """
    return json.dumps([_fill_row(fill, wallets[fill.account]) for fill in fills])


def insert_fills(conn: Connection, rows: str, now: int) -> int:
    """Add fills in the order given, known from now on (microseconds); return how many were new."""
    return conn.execute(_INSERT_FILLS, {"rows": rows, "now": now}).rowcount


def wallet_of(conn: Connection, account: str) -> str | None:
    """Return the address stored with an account's fills; all of them have the same."""
    return conn.execute(_WALLET, {"account": account}).scalar()


def set_wallet(conn: Connection, account: str, wallet: str) -> None:
    """Store an account's address with all its fills, and have them settled again.

    One statement, so that all have the same: a second for every 200,000 fills, once.
    """
    conn.execute(_SET_WALLET, {"account": account, "wallet": wallet})


def first_unplaced(conn: Connection) -> tuple[str, str, int] | None:
    """Return account, coin and time (ms) of the first fill of a market that is not settled."""
    row = conn.execute(_UNPLACED).one_or_none()
    return None if row is None else (row[0], row[1], row[2])


def last_placed(conn: Connection, account: str, coin: str, before_ms: int) -> StoredFill | None:
    """Return the last fill before a moment."""
    values = {"account": account, "coin": coin, "before": before_ms}
    return next(iter(_stored(conn.execute(_LAST_PLACED, values).all(), account)), None)


def last_trip_end(conn: Connection, account: str, coin: str, before_ms: int) -> StoredFill | None:
    """Return the last fill before a moment that ended both a trip and its millisecond."""
    values = {"account": account, "coin": coin, "before": before_ms}
    return next(iter(_stored(conn.execute(_LAST_TRIP_END, values).all(), account)), None)


def fills_after(
    conn: Connection, account: str, coin: str, after_ms: int, most: int
) -> tuple[tuple[StoredFill, ...], bool]:
    """Return some fills after a moment in whole milliseconds, and whether these are all.

    Args:
        most: fills returned at most; none are if the first millisecond has more.
    """
    values = {"account": account, "coin": coin, "after": after_ms, "most": most + 1}
    rows = conn.execute(_FILLS, values).all()
    is_end = len(rows) <= most
    whole = rows if is_end else [row for row in rows if row.ts_ms < rows[-1].ts_ms]
    return _stored(whole, account), is_end


def open_gaps(conn: Connection, span: MarketSpan) -> tuple[StoredGap, ...]:
    """Return the gaps before the fills of a span of time."""
    return tuple(StoredGap(*row) for row in conn.execute(_GAPS, span._asdict()))


def mark(conn: Connection, span: MarketSpan) -> StretchVersion:
    """Return the version of a span, to detect changes by another process."""
    return StretchVersion(*conn.execute(_MARK, span._asdict()).one())


def place(conn: Connection, places: Sequence[tuple[int, int]]) -> None:
    """Give fills (row ids) their order in the millisecond."""
    conn.execute(_PLACE, {"places": json.dumps(places)})


def report_gaps(conn: Connection, gaps: Iterable[Gap], now: int) -> None:
    """Add gaps, known from now on (microseconds)."""
    conn.execute(_REPORT_GAPS, {"rows": json.dumps([_gap_row(gap) for gap in gaps]), "now": now})


def end_gaps(conn: Connection, gap_ids: Sequence[int], now: int) -> None:
    """Mark gaps as filled."""
    conn.execute(_END_GAPS, {"ids": json.dumps(gap_ids), "now": now})


def _stored(rows: Sequence[Any], account: str) -> tuple[StoredFill, ...]:
    fills = parse_fills([json.loads(row.raw_json) for row in rows], account, "perps_fills")
    return tuple(
        StoredFill(row.id, row.order_in_ms, fill) for row, fill in zip(rows, fills, strict=True)
    )


def _fill_row(fill: Fill, wallet: str | None) -> _FillRow:
    gross = to_micro_usd(fill.closed_pnl)
    fee = to_micro_usd(fill.fee) if (fill.fee_token or QUOTE) == QUOTE else 0
    return _FillRow(
        sub_account_id=fill.account,
        wallet_address=wallet,
        oid=str(fill.oid),
        tid=fill.tid,
        ts_ms=fill.time_ms,
        symbol=fill.coin,
        side=fill.side,
        dir=fill.dir,
        size=plain(fill.sz),
        price=plain(fill.px),
        start_position=plain(fill.start_position),
        closed_pnl=plain(fill.closed_pnl),
        fee=plain(fill.fee),
        fee_token=fill.fee_token,
        gross_micro_usd=gross,
        fee_micro_usd=fee,
        net_micro_usd=gross - fee,
        raw_json=fill.raw,
        fill_uid=fill.fill_uid,
    )


def _gap_row(gap: Gap) -> _GapRow:
    earlier, later = gap.earlier.fill, gap.later.fill
    return _GapRow(
        sub_account_id=earlier.account,
        symbol=earlier.coin,
        earlier_fill_id=gap.earlier.id,
        later_fill_id=gap.later.id,
        from_ms=earlier.time_ms,
        to_ms=later.time_ms,
        expected_position=plain(earlier.end_position),
        found_position=plain(later.start_position),
    )
