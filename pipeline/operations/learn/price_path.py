"""The path of a price while a trade was open, for a picture of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.domain.trades.measure import priced_as
from afterword.pipeline.domain.trips.trip import Trip

MOST_BARS: Final = 500
"""Bars of a path: more cannot be told apart in a picture."""


@dataclass(frozen=True, slots=True)
class PricePath:
    """Closes of a market around a trade.

    Args:
        source: whose bars they are; each is `interval_s` long.
        closes: (close of the bar, share that the price moved since the entry), oldest first; the
            first is that of the entry, 0.
    """

    source: str
    interval_s: float
    closes: Sequence[tuple[datetime, float]]


def price_path(prices: PriceSource, trip: Trip, known_by: datetime) -> PricePath | None:
    """Return how the price moved while a trade was open; None where no bars say it.

    The finest bars are taken that are few enough. A path across a split of shares is not drawn.
    """
    if trip.opened_at is None or trip.closed_at > known_by:
        return None
    for series in prices.series(priced_as(trip.symbol, trip.quote)):
        bars = series.interval and (trip.closed_at - trip.opened_at) / series.interval
        if bars and 1 <= bars <= MOST_BARS:
            closes = _closes(prices, series, trip.opened_at, trip.closed_at, known_by)
            if len(closes) > 1:
                return PricePath(series.source, series.interval.total_seconds(), closes)
    return None


def _closes(
    prices: PriceSource, series: Series, opened: datetime, closed: datetime, known_by: datetime
) -> list[tuple[datetime, float]]:
    entry = prices.close_at(series, opened, known_by)
    if entry is None or opened - entry.closed_at > series.interval:
        return []
    if any(opened < split.effective_at <= closed for split in prices.splits(series)):
        return []
    bars = prices.bars(series, opened, closed, known_by)
    moves = [(bar.closed_at, float(bar.close / entry.close) - 1) for bar in bars]
    return [(opened, 0.0), *(move for move in moves if move[0] > opened)]
