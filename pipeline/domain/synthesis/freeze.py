"""Whether a market is under stress: the synthesis then graduates nothing and changes no doubt.

In a crash everything moves together, and what did well may have done so for one reason only.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from math import fsum, log, sqrt
from typing import Final, NamedTuple

from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.rules.market.splits import change
from afterword.pipeline.rules.market.taxonomy import AssetGroup

MAJORS: Final[dict[AssetGroup, tuple[str, ...]]] = {"crypto": ("BTC", "ETH"), "stock": ("SPY",)}
"""The markets whose stress freezes a group; the other groups have no common market."""

SPAN: Final = 7
"""Days over which volatility and drawdown are taken."""

PERCENTILE: Final = 0.95
"""The volatility of stress: beyond this share of the past year's."""

DRAWDOWN: Final = 0.20
"""The fall from the highest close of the span that is stress by itself."""

YEAR: Final = 365
FEWEST: Final = 60
"""Days of history below which nothing is said of volatility."""


class MarketStress(NamedTuple):
    """What the closes of a market show.

    Args:
        volatility: realised over the last 7 days, a share a day; None with too few closes.
        limit: the 95th percentile of the same over the past year; None likewise.
        drawdown: fall from the highest close of the last 7 days; a share.
    """

    volatility: float | None
    limit: float | None
    drawdown: float

    @property
    def is_stress(self) -> bool:
        """Whether one of both limits is passed."""
        too_wild = self.volatility is not None and self.limit is not None
        beyond = too_wild and self.volatility > self.limit  # type: ignore[operator]
        return beyond or self.drawdown > DRAWDOWN


def market_stress(closes: Sequence[float]) -> MarketStress:
    """Measure the stress of a market.

    Args:
        closes: one for each day of the past year, the last one's last; above 0.
    """
    moves = [log(after / before) for before, after in pairwise(closes)]
    spans = [
        sqrt(fsum(move * move for move in moves[end - SPAN : end]) / SPAN)
        for end in range(SPAN, len(moves) + 1)
    ]
    recent = closes[-SPAN - 1 :]
    drawdown = 1 - recent[-1] / max(recent) if recent else 0.0
    if len(closes) < FEWEST:
        return MarketStress(None, None, drawdown)
    past = sorted(spans[:-1])
    return MarketStress(spans[-1], past[min(int(PERCENTILE * len(past)), len(past) - 1)], drawdown)


def frozen_groups(
    prices: StoredPrices, groups: Iterable[AssetGroup], now: datetime
) -> dict[str, str]:
    """Return the groups of assets whose majors are under stress, and why.

    A market without fresh prices is not under stress: nothing is known of it.
    """
    found: dict[str, str] = {}
    for group in sorted(set(groups)):
        for asset in MAJORS.get(group, ()):
            closes = daily_closes(prices, asset, now)
            stress = market_stress(closes)
            if closes and stress.is_stress:
                found[group] = _words(asset, stress)
                break
    return found


def daily_closes(prices: StoredPrices, asset: str, now: datetime) -> list[float]:
    """Return the last close of each day of the past year, the first one as 1; empty if stale.

    Adjusted for splits.
    """
    for series in prices.series(asset):
        if not timedelta(0) < series.interval <= timedelta(days=1):
            continue
        bars = prices.bars(series, now - timedelta(days=YEAR + SPAN), now, now)
        if not bars or now - bars[-1].closed_at > timedelta(days=4):
            continue
        days = list({bar.t_open.date(): bar for bar in bars}.values())
        splits = prices.splits(series)
        moves = (float(change(splits, *pair)) for pair in pairwise(days))
        return list(accumulate(moves, lambda level, move: level * (1 + move), initial=1.0))
    return []


def _words(asset: str, stress: MarketStress) -> str:
    if stress.drawdown > DRAWDOWN:
        return f"{asset} fell {stress.drawdown:.0%} within {SPAN} days"
    assert stress.volatility is not None and stress.limit is not None
    return (
        f"{asset} moved {stress.volatility:.1%} a day over {SPAN} days; 95 % of the past year's "
        f"weeks stayed below {stress.limit:.1%}"
    )
