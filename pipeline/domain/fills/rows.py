"""SQL over fills: stored, given their order, and read back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.fills.model import Fill, Liquidation
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
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
    fee_is_known: bool
    file_line: int | None


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


_ONE: Final = Decimal(1)

FILL_COLUMNS: Final = """f.sub_account_id, f.oid, f.tid, f.ts_ms, f.symbol, f.side, f.dir, f.size,
  f.price, f.start_position, f.closed_pnl, f.fee, f.fee_token, f.venue, f.kind, f.base, f.quote,
  f.multiplier, f.effect, f.cloid, f.liquidation, f.position_side,
  f.is_day, f.fee_is_known, f.fill_uid"""
"""What `fill_of` reads, the last columns of its row."""

WIDTH: Final = 25


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
_OTHER_NAME = text("""
SELECT sub_account_id FROM perps_fills
WHERE wallet_address = :wallet AND sub_account_id <> :account LIMIT 1
""")
_SET_WALLET = text("""
UPDATE perps_fills SET wallet_address = :wallet, order_in_ms = NULL
WHERE sub_account_id = :account
""")
_UNPLACE = text("""
UPDATE perps_fills SET order_in_ms = NULL
WHERE sub_account_id = :account AND venue = :venue AND symbol = :symbol AND ts_ms >= :from_ms
""")
_UNPLACE_MARKETS = text("""
UPDATE perps_fills SET order_in_ms = NULL WHERE symbol = :symbol AND ts_ms >= :from_ms
""")
_PLACE = text("""
UPDATE perps_fills SET order_in_ms = place.value ->> 1 FROM json_each(:places) AS place
WHERE perps_fills.id = place.value ->> 0
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
        fee_is_known=fill.fee_is_known,
        file_line=fill.line or None,
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


def other_name_of(conn: Connection, wallet: str, account: str) -> str | None:
    """Return another account than this one whose fills have this address."""
    values = {"wallet": wallet, "account": account}
    name: str | None = conn.execute(_OTHER_NAME, values).scalar()
    return name


def set_wallet(conn: Connection, account: str, wallet: str) -> None:
    """Store an account's address with all its fills, and have them settled again.

    One statement, so that all have the same: a second for every 200,000 fills, once.
    """
    conn.execute(_SET_WALLET, {"account": account, "wallet": wallet})


def unplace(conn: Connection, account: str, venue: str, symbol: str, from_ms: int) -> None:
    """Have the fills of a market from a moment on settled again; UTC milliseconds."""
    values = {"account": account, "venue": venue, "symbol": symbol, "from_ms": from_ms}
    conn.execute(_UNPLACE, values)


def unplace_markets(conn: Connection, symbol: str, from_ms: int) -> None:
    """Have the fills of a symbol in every account settled again; see `unplace`."""
    conn.execute(_UNPLACE_MARKETS, {"symbol": symbol, "from_ms": from_ms})


def place(conn: Connection, places: Sequence[tuple[int, int]]) -> None:
    """Give fills (row ids) their order in the millisecond."""
    conn.execute(_PLACE, {"places": json.dumps(places)})


def fill_of(row: Any, raw: str = "") -> Fill:
    """Return the fill in a row with `FILL_COLUMNS`; its raw text is read where it is shown."""
    # By place, of a bare tuple: reading a row by names, or a part of it, takes as long as the rest.
    columns = tuple(row)[-WIDTH:]
    account, oid, tid, ts_ms, symbol, side, word, size, price, start, pnl, *rest = columns
    fee, token, venue, kind, base, quote, multiplier, effect, cloid, forced, held, *last = rest
    is_day, fee_is_known, uid = last
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
        fee_is_known=bool(fee_is_known),
        uid=uid,
    )
