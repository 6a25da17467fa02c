"""SQL over fills and the gaps between them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.history.fill import AccountMarket, Fill, Liquidation
from afterword.pipeline.domain.history.model import is_dollar, to_micro_usd
from afterword.pipeline.domain.history.stretch import (
    Gap,
    MarketSpan,
    StoredFill,
    StoredGap,
    StretchVersion,
)
from afterword.pipeline.rules.market.decimals import plain


class FillColumns(NamedTuple):
    """The columns of a fill that its row of the file tells, in the order of the statement."""

    sub_account_id: str
    oid: str
    tid: str | None
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
    venue: str
    kind: str
    base: str | None
    quote: str
    multiplier: str
    effect: str | None
    cloid: str | None
    liquidation: str | None
    position_side: str
    is_day: bool


class FileFill(NamedTuple):
    """A fill of a file, ready to be stored.

    Args:
        rank: its place among the fills of its market and moment, the oldest first.
        row: its `FillColumns`.
    """

    account: str
    fill_uid: str
    rank: int
    row: tuple[str | int | None, ...]


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


_ONE: Final = Decimal(1)

COLUMNS: Final = """f.sub_account_id, f.oid, f.tid, f.ts_ms, f.symbol, f.side, f.dir, f.size,
  f.price, f.start_position, f.closed_pnl, f.fee, f.fee_token, f.venue, f.kind, f.base, f.quote,
  f.multiplier, f.effect, f.cloid, f.liquidation, f.position_side,
  f.is_day, f.fill_uid"""
"""What `fill_of` reads, the last columns of its row."""

WIDTH: Final = 24

_MARKET: Final = (
    "sub_account_id = :account AND symbol = :symbol AND venue = :venue AND kind = :kind"
    " AND position_side = :position_side"
)

_KNOWN = text("""
SELECT one.key, f.rank_in_ms FROM json_each(:uids) AS one
JOIN perps_fills AS f ON f.sub_account_id = one.value ->> 0 AND f.fill_uid = one.value ->> 1
""")
# The largest rank of all files does not depend on their order; the moment is settled again.
_RAISE_RANKS = text("""
UPDATE perps_fills SET rank_in_ms = one.value ->> 2, order_in_ms = NULL
FROM json_each(:ranks) AS one
WHERE sub_account_id = one.value ->> 0 AND fill_uid = one.value ->> 1
  AND rank_in_ms < one.value ->> 2
""")
_ALL_COLUMNS: Final = (
    *FillColumns._fields,
    *("wallet_address", "fill_uid", "rank_in_ms", "created_at", "layout"),
)
# Only what another import added meanwhile is left out: OR IGNORE would also swallow a row that
# breaks a CHECK.
_INSERT_FILLS: Final = (
    f"INSERT INTO perps_fills ({', '.join(_ALL_COLUMNS)}) "
    f"VALUES ({', '.join('?' * len(_ALL_COLUMNS))}) "
    "ON CONFLICT (sub_account_id, fill_uid) DO NOTHING"
)
_WALLET = text("SELECT wallet_address FROM perps_fills WHERE sub_account_id = :account LIMIT 1")
_SET_WALLET = text("""
UPDATE perps_fills SET wallet_address = :wallet, order_in_ms = NULL
WHERE sub_account_id = :account
""")
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
SELECT f.id, f.order_in_ms, t.left_over, {COLUMNS}
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
SELECT f.id, f.order_in_ms, {COLUMNS} FROM perps_fills AS f
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
SELECT count(order_in_ms), max(id), max(wallet_address), max(rank_in_ms) FROM perps_fills
WHERE {_MARKET} AND ts_ms > :after AND ts_ms <= :upto
""")
_PLACE = text("""
UPDATE perps_fills SET order_in_ms = place.value ->> 1 FROM json_each(:places) AS place
WHERE perps_fills.id = place.value ->> 0
""")
_REPORT_GAPS = text(insert_of("fill_gaps", _GapRow._fields, "known_at"))
_END_GAPS = text("""
UPDATE fill_gaps SET filled_at = :now WHERE id IN (SELECT value FROM json_each(:ids))
""")


def new_fills(conn: Connection, fills: Iterable[FileFill]) -> tuple[list[FileFill], str]:
    """Return each fill once that is not stored yet, and those that stand later in a file now.

    Asked before the insert, so that an import of known fills writes nothing, not even the
    counter of row ids, which an insert that meets a conflict would move.

    Returns:
        The new fills, and what `raise_ranks` takes; empty if no known fill moves.
    """
    once: dict[tuple[str, str], FileFill] = {}
    for fill in fills:
        key = fill[:2]
        if key not in once or once[key].rank < fill.rank:
            once[key] = fill
    keys = list(once)
    known = {row[0]: row[1] for row in conn.execute(_KNOWN, {"uids": json.dumps(keys)})}
    raised = [
        (*keys[index], once[keys[index]].rank)
        for index, rank in known.items()
        if rank < once[keys[index]].rank
    ]
    new = [once[key] for index, key in enumerate(keys) if index not in known]
    return new, json.dumps(raised) if raised else ""


def raise_ranks(conn: Connection, ranks: str) -> None:
    """Move known fills to the place that they have in a new file; see `new_fills`."""
    conn.execute(_RAISE_RANKS, {"ranks": ranks})


def columns_of(fill: Fill, raw: str) -> FillColumns:
    """Return the columns of a fill.

    Args:
        raw: the row of the file, its secrets masked.
    """
    in_dollars = is_dollar(fill.quote)
    gross = to_micro_usd(fill.closed_pnl) if in_dollars and fill.closed_pnl else 0
    is_quote = fill.fee_token is None or fill.fee_token == fill.quote
    fee = to_micro_usd(fill.fee) if in_dollars and is_quote else 0
    forced = fill.liquidation
    return FillColumns(
        sub_account_id=fill.account,
        oid=fill.oid or "",
        tid=fill.tid,
        ts_ms=fill.time_ms,
        symbol=fill.symbol,
        side=fill.side,
        dir=fill.dir,
        size=plain(fill.sz),
        price=plain(fill.px),
        start_position="" if fill.start_position is None else plain(fill.start_position),
        closed_pnl="" if fill.closed_pnl is None else plain(fill.closed_pnl),
        fee=plain(fill.fee),
        fee_token=fill.fee_token,
        gross_micro_usd=gross,
        fee_micro_usd=fee,
        net_micro_usd=gross - fee,
        raw_json=raw,
        venue=fill.venue,
        kind=fill.kind,
        base=fill.base,
        quote=fill.quote,
        multiplier=plain(fill.multiplier),
        effect=fill.effect,
        cloid=fill.cloid,
        liquidation=json.dumps([forced.liquidated_user, forced.method]) if forced else None,
        position_side=fill.position_side,
        is_day=fill.is_day,
    )


def insert_fills(
    conn: Connection,
    fills: Iterable[FileFill],
    wallets: Mapping[str, str | None],
    now: int,
    layout: str = "",
) -> int:
    """Add fills in the order given, known from now on (microseconds); return how many were new.

    Args:
        wallets: the address of every account.
        layout: of the file they are in; empty where there is none.
    """
    rows = [(*one.row, wallets[one.account], one.fill_uid, one.rank, now, layout) for one in fills]
    # The driver's own executemany: half the time of rows given as JSON.
    return conn.exec_driver_sql(_INSERT_FILLS, rows).rowcount


def wallet_of(conn: Connection, account: str) -> str | None:
    """Return the address stored with an account's fills; all of them have the same."""
    return conn.execute(_WALLET, {"account": account}).scalar()


def set_wallet(conn: Connection, account: str, wallet: str) -> None:
    """Store an account's address with all its fills, and have them settled again.

    One statement, so that all have the same: a second for every 200,000 fills, once.
    """
    conn.execute(_SET_WALLET, {"account": account, "wallet": wallet})


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


def place(conn: Connection, places: Sequence[tuple[int, int]]) -> None:
    """Give fills (row ids) their order in the millisecond."""
    conn.execute(_PLACE, {"places": json.dumps(places)})


def report_gaps(conn: Connection, gaps: Iterable[Gap], now: int) -> None:
    """Add gaps, known from now on (microseconds)."""
    conn.execute(_REPORT_GAPS, {"rows": json.dumps([_gap_row(gap) for gap in gaps]), "now": now})


def end_gaps(conn: Connection, gap_ids: Sequence[int], now: int) -> None:
    """Mark gaps as filled."""
    conn.execute(_END_GAPS, {"ids": json.dumps(gap_ids), "now": now})


def fill_of(row: Any, raw: str = "") -> Fill:
    """Return the fill in a row with `COLUMNS`; the raw text is read where somebody shows it."""
    # By place, of a bare tuple: reading a row by names, or a part of it, takes as long as the rest.
    columns = tuple(row)[-WIDTH:]
    account, oid, tid, ts_ms, symbol, side, word, size, price, start, pnl, *rest = columns
    fee, token, venue, kind, base, quote, multiplier, effect, cloid, forced, held, is_day, uid = (
        rest
    )
    return Fill(
        venue=venue,
        account=account,
        symbol=symbol,
        kind=kind,
        side=side,
        px=Decimal(price),
        sz=Decimal(size),
        quote=quote,
        time_ms=ts_ms,
        raw=raw,
        base=base,
        multiplier=_ONE if multiplier == "1" else Decimal(multiplier),
        fee=Decimal(fee),
        fee_token=token,
        oid=oid or None,
        tid=tid,
        effect=effect,
        position_side=held,
        start_position=Decimal(start) if start else None,
        closed_pnl=Decimal(pnl) if pnl else None,
        dir=word,
        cloid=cloid,
        liquidation=Liquidation(*json.loads(forced)) if forced else None,
        is_day=bool(is_day),
        uid=uid,
    )


def _stored(row: Any) -> StoredFill:
    return StoredFill(row[0], row[1], fill_of(row))


def _gap_row(gap: Gap) -> _GapRow:
    earlier, later = gap.earlier.fill, gap.later.fill
    return _GapRow(
        sub_account_id=earlier.account,
        symbol=earlier.symbol,
        earlier_fill_id=gap.earlier.id,
        later_fill_id=gap.later.id,
        from_ms=earlier.time_ms,
        to_ms=later.time_ms,
        expected_position=plain(gap.expected),
        found_position=plain(gap.found),
    )
