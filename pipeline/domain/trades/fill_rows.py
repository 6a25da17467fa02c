"""SQL of fills, read only: for the trading profile, and to search trades."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import MarketKind
from afterword.pipeline.rules.market.decimals import plain


class FillRow(NamedTuple):
    """A stored fill, as far as a profile needs it.

    Args:
        id: of the row.
        order_in_ms: its place among the fills of its moment; None until it is settled.
        side: `B` buys, `A` sells.
        start_position: signed units before it; None where no venue says it.
        closed_pnl: before fees, in the quote; None where no venue says it.
    """

    id: int
    order_in_ms: int | None
    account: str
    venue: str
    symbol: str
    kind: MarketKind
    side: str
    effect: str | None
    start_position: Decimal | None
    size: Decimal
    price: Decimal
    multiplier: Decimal
    quote: str
    closed_pnl: Decimal | None
    at: datetime


def _known(number: str) -> Decimal | None:
    """Return a stored number; empty text where no venue says it."""
    return Decimal(number) if number else None


def _millis(moment: datetime) -> int:
    return to_micros(moment) // 1_000


_FILL: Final = Codec(
    FillRow,
    names={"account": "sub_account_id", "at": "ts_ms"},
    amounts=("size", "price", "multiplier"),
    codings={
        **dict.fromkeys(("start_position", "closed_pnl"), Coding(_known, plain)),
        "at": Coding(from_millis, _millis),
    },
)
_ALWAYS: Final = (1 << 63) - 1
_READ_AT_ONCE: Final = 1_000
_SINCE: Final = text(f"""
SELECT {_FILL.columns} FROM perps_fills
WHERE ts_ms > :since AND ts_ms <= :until AND created_at <= :as_of AND {of_account()}
ORDER BY ts_ms, order_in_ms, id
""")
_MARKETS: Final = text("SELECT DISTINCT symbol FROM perps_fills ORDER BY symbol")
_LATEST: Final = text(f"""
SELECT {_FILL.columns} FROM perps_fills
WHERE symbol IN (SELECT value FROM json_each(:symbols)) AND created_at <= :as_of
  AND (ts_ms, coalesce(order_in_ms, -1), id) < (:at_ms, :order, :row)
  AND sub_account_id NOT IN (SELECT value FROM json_each(:others))
  AND substr(sub_account_id, 1, instr(sub_account_id, '/') - 1) NOT IN
    (SELECT value FROM json_each(:others))
ORDER BY ts_ms DESC, coalesce(order_in_ms, -1) DESC, id DESC LIMIT :limit
""")


def fills_since(
    conn: Connection, since_ms: int, until_ms: int, as_of: int | None, account: str | None
) -> Iterator[FillRow]:
    """Yield the fills after a moment, in order of time.

    Args:
        as_of: as known at a moment (microseconds); now if None.
        account: of one account; of all if None.
    """
    values = {
        "since": since_ms,
        "until": until_ms,
        "as_of": _ALWAYS if as_of is None else as_of,
        "account": account,
    }
    for rows in conn.execute(_SINCE, values).partitions(_READ_AT_ONCE):
        yield from map(_FILL.read, rows)


def markets(conn: Connection) -> list[str]:
    """Return the markets that have fills, as their venues name them."""
    return list(conn.execute(_MARKETS).scalars())


def latest_fills(
    conn: Connection,
    symbols: Sequence[str],
    as_of: int | None,
    limit: int,
    before: tuple[int, int, int],
    others: Collection[str],
) -> list[FillRow]:
    """Return the newest fills of some markets, the newest first.

    Args:
        before: moment (milliseconds), order in it, and row of a fill: only those before it.
        others: accounts that are left out, with those that a file names below them.
    """
    at_ms, order, row = before
    values = {
        "symbols": json.dumps(list(symbols)),
        "as_of": _ALWAYS if as_of is None else as_of,
        "limit": limit,
        "at_ms": at_ms,
        "order": order,
        "row": row,
        "others": json.dumps(sorted(others)),
    }
    return [_FILL.read(row) for row in conn.execute(_LATEST, values)]
