"""When prices come back after a long pause: what was no longer tried for want of them is due again.

Live, whoever writes new prices says so. A replay has all of them in its file before its first pass.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from afterword.pipeline.domain.decisions.ladder import PATIENCE_US
from afterword.pipeline.domain.prices.stored import StoredPrices


class PriceReturn(NamedTuple):
    """The first close of a market after a pause longer than `PATIENCE_US`; microseconds."""

    at: int
    symbol: str


def price_returns(prices: StoredPrices, symbols: Iterable[str], after: int) -> list[PriceReturn]:
    """Return where prices come back after a moment, by time.

    Args:
        symbols: one of each asset.
        after: microseconds.
    """
    returns = []
    for symbol in symbols:
        for series in prices.series(symbol):
            closed = prices.record(series).ladder.closed
            known = max(0, bisect_right(closed, after) - 1)
            for last, first in pairwise(closed[known:]):
                if first - last > PATIENCE_US:
                    returns.append(PriceReturn(first, symbol))
    return sorted(returns)
