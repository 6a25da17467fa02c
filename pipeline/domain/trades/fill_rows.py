"""SQL of fills, read only: for the trading profile."""

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_millis, to_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.rules.market.decimals import plain


class FillRow(NamedTuple):
    """A stored fill, as far as a profile needs it.

    Args:
        side: `B` buys, `A` sells.
        start_position: signed units before it; None where no venue says it.
        closed_pnl: before fees, in the quote; None where no venue says it.
    """

    account: str
    venue: str
    symbol: str
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
_SINCE: Final = text(f"""
SELECT {_FILL.columns} FROM perps_fills
WHERE ts_ms > :since AND ts_ms <= :until AND kind IN ('perp', 'future')
  AND created_at <= :as_of AND {of_account()}
ORDER BY ts_ms, order_in_ms, id
""")
_MARKETS: Final = text("SELECT DISTINCT symbol FROM perps_fills ORDER BY symbol")
_LATEST: Final = text(f"""
SELECT {_FILL.columns} FROM perps_fills
WHERE symbol IN (SELECT value FROM json_each(:symbols)) AND created_at <= :as_of
ORDER BY ts_ms DESC, order_in_ms DESC, id DESC LIMIT :limit
""")


def fills_since(
    conn: Connection, since_ms: int, until_ms: int, as_of: int | None, account: str | None
) -> list[FillRow]:
    """Return the fills of perpetuals and futures after a moment, in order of time.

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
    return [_FILL.read(row) for row in conn.execute(_SINCE, values)]


def markets(conn: Connection) -> list[str]:
    """Return the markets that have fills, as their venues name them."""
    return list(conn.execute(_MARKETS).scalars())


def latest_fills(
    conn: Connection, symbols: Sequence[str], as_of: int | None, limit: int
) -> list[FillRow]:
    """Return the newest fills of some markets, the newest first."""
    values = {
        "symbols": json.dumps(list(symbols)),
        "as_of": _ALWAYS if as_of is None else as_of,
        "limit": limit,
    }
    return [_FILL.read(row) for row in conn.execute(_LATEST, values)]
