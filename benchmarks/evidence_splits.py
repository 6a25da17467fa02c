"""Raw prices of stocks that split, of which nobody tells the program."""

from datetime import timedelta
from pathlib import Path
from typing import Final

from afterword.pipeline.domain.prices.feed import Series
from benchmarks.evidence_made import (
    BEGIN,
    DAY,
    STOCKS,
    MadeMarkets,
    bar_of,
    daily,
    made_roles,
)
from benchmarks.evidence_worlds import Chance

WEEKS: Final = 130
FIRST: Final = 130
"""Days before the first decision: a market that closes tells its deviation from ninety."""

SIGMA: Final = 0.015
"""Deviation of a day."""

APART: Final = 200
"""Days between two splits of a stock, on average."""

RATIOS: Final = (1.5, 2.0, 3.0, 7.0, 0.125)
"""New units of an old one; the first is too small a jump to be seen as a split."""


def splits(folder: Path, runs: int) -> dict[str, float]:
    """Count roles without skill that are told of a pattern on raw prices with splits."""
    del folder  # every price is made
    return made_roles("splits", runs, _markets)


def _markets(chance: Chance) -> MadeMarkets:
    days = WEEKS * 7
    bars = {}
    for stock in STOCKS:
        price, found = 100.0, []
        for day in range(days + 10):
            if chance.random() < 1 / APART:
                price /= RATIOS[int(chance.integers(len(RATIOS)))]
            if day % 7 < 5:
                first, price = price, price * (1 + float(chance.normal(0, SIGMA)))
                found.append(bar_of(BEGIN + timedelta(days=day), DAY, first, price))
        bars[Series("bench", stock, DAY)] = found
    return MadeMarkets(bars, daily(FIRST, days, weekdays=True), 24)
