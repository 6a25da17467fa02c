"""What the owner's trades of the last 30 days say, beside what the owner declared."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.domain.profile import observed_rows
from afterword.pipeline.domain.profile.observed_rows import TradeWindow
from afterword.pipeline.rules.market.windows import DAY_US
from afterword.pipeline.rules.user_tags.compared import TagComparison, compared
from afterword.pipeline.rules.user_tags.observed import OBSERVED_DAYS, TradesOfMonth, observed_tags
from afterword.pipeline.rules.user_tags.traded_markets import traded_market

_FIRST_DAY: Final = OBSERVED_DAYS - 1
"""Days before today that the window begins with: today is one of its days."""


def comparisons(
    conn: Connection, now: datetime, as_of: int | None, declared: Mapping[str, str]
) -> list[TagComparison]:
    """Return what the trades say of each dimension that they can say something of.

    Args:
        now: the end of the window.
        as_of: as known at that moment (microseconds); now if None.
        declared: what the owner declared, as it is stored, by dimension.
    """
    observed = observed_tags(trades_of_month(conn, now, as_of))
    return [compared(tag, declared.get(tag.dimension)) for tag in observed]


def trades_of_month(conn: Connection, now: datetime, as_of: int | None) -> TradesOfMonth:
    """Count the owner's trades of the last 30 days (UTC), today among them."""
    trades = trades_until(conn, now, as_of)
    days = observed_rows.by_day(conn, trades)
    counts = observed_rows.trip_counts(conn, trades)
    classes = classes_at(conn, as_of)
    markets = {symbol: traded_market(symbol, classes) for symbol in {day.symbol for day in days}}
    by_market: Counter[str] = Counter()
    for day in days:
        market = markets[day.symbol]
        if market is not None:
            by_market[market] += day.fills
    return TradesOfMonth(
        days=_covered_days(conn, trades),
        traded_days=len({day.day for day in days}),
        trades=counts.trades,
        by_market=by_market,
        leveraged=counts.leveraged,
        liquidated=counts.liquidated,
        added_to_loser=counts.added_to_loser,
    )


def trades_until(conn: Connection, now: datetime, as_of: int | None) -> TradeWindow:
    """Return the owner's trades of the last 30 days (UTC), today among them."""
    until = to_micros(now)
    since = (until // DAY_US - _FIRST_DAY) * DAY_US
    return observed_rows.window(conn, since, until, as_of)


def _covered_days(conn: Connection, trades: TradeWindow) -> int:
    """Return how many days of the window the trades that are kept reach over."""
    first = observed_rows.first_at(conn, trades)
    if first is None or first > trades.until:
        return 0
    return trades.until // DAY_US - max(first, trades.since) // DAY_US + 1
