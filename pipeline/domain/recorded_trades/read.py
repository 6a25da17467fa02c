"""Read the trades that agents recorded, and which of them are mirrored too."""

from collections import defaultdict
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.recorded_trades import rows
from afterword.pipeline.domain.recorded_trades.model import LinkedTrade
from afterword.pipeline.rules.market.symbols import normalise_symbol

_ALL: Final = -1


def recorded_trades(
    conn: Connection,
    as_of: datetime | None = None,
    *,
    asset_key: str | None = None,
    most: int = _ALL,
) -> list[LinkedTrade]:
    """Return the recorded trades with the mirrored fills that are the same trade, latest first.

    The link is found at each read, so it does not matter whether the trade or its fills came first.

    Args:
        as_of: trades, outcomes and fills as they were known at this moment.
        asset_key: of one asset only.
        most: how many at most; -1 for all.

    Raises:
        InvalidInputError: a moment that was purged.
    """
    moment = read_moment(conn, as_of)
    trades = rows.recorded(conn, asset_key, moment, most)
    assets = {trade.id: trade.asset_key for trade in trades}
    fills: defaultdict[int, list[int]] = defaultdict(list)
    for fill in rows.mirrored_fills(conn, trades, moment):
        if normalise_symbol(fill.symbol) == assets[fill.trade_id]:
            fills[fill.trade_id].append(fill.fill_id)
    return [LinkedTrade(trade, tuple(fills[trade.id])) for trade in trades]
