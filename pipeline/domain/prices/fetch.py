"""Fetch bars of one series from a feed, on from the last stored one."""

from datetime import datetime, timedelta

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.prices import rows
from afterword.pipeline.domain.prices.bar_gaps import opening
from afterword.pipeline.domain.prices.feed import PriceFeed, Series
from afterword.pipeline.domain.prices.keep import OnNewPrices, keep_bars
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.errors import InvalidInputError


def fetch_bars(
    store: Store,
    feed: PriceFeed,
    symbol: str,
    interval: timedelta,
    clock: Clock,
    since: datetime | None = None,
    arrived: OnNewPrices | None = None,
) -> PriceCounts:
    """Fetch the closed bars of a market that are not stored yet, and store them.

    The last known bar is asked for again: a source may revise it. No transaction is open while
    the feed is asked.

    Args:
        symbol: the market as the feed writes it.
        since: where to begin; None goes on from the last known bar.
        arrived: called in each transaction that changed something.

    Raises:
        InvalidInputError: nothing is stored yet and `since` is None, or an unknown market.
        UnavailableError: the feed gave no usable reply; stored bars stay.
    """
    series = Series(feed.source, symbol, interval)
    start = since or _last_open(store, series, clock())
    if start is None:
        accepted = "the moment to begin at, such as 2026-01-05T00:00:00Z"
        raise InvalidInputError("since", f"is missing: nothing of {symbol} is kept yet", accepted)
    now = clock()
    bars = feed.fetch(symbol, interval, opening(start, interval), now)
    # The newest candle is still open: its close is not the close.
    closed = [bar for bar in bars if bar.closed_at <= now]
    return keep_bars(store, series, closed, clock, arrived)


def _last_open(store: Store, series: Series, now: datetime) -> datetime | None:
    with reading(store) as conn:
        row_id = rows.series_id(conn, series)
        if row_id is None:
            return None
        last = rows.last_bar(conn, row_id, series, now, rows.VisibleRevisions(rows.LATEST_US))
    return None if last is None else last.t_open
