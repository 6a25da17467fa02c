"""Whether a market is under stress: the synthesis then graduates nothing and changes no doubt.

In a crash everything moves together, and what did well may have done so for one reason only.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from math import fsum, log, sqrt
from typing import Final, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.splits import units
from afterword.pipeline.rules.market.taxonomy import AssetGroup
from afterword.pipeline.rules.market.windows import DAY_US

MAJORS: Final[dict[AssetGroup, tuple[str, ...]]] = {"crypto": ("BTC", "ETH"), "stock": ("SPY",)}
"""The markets whose stress freezes a group; the other groups have no common market."""

SPAN: Final = 7
"""Days over which volatility and drawdown are taken."""

PERCENTILE: Final = 0.95
"""The volatility of stress: beyond this share of the past year's."""

DRAWDOWN: Final = 0.20
"""The fall from the highest close of the span that is stress by itself."""

YEAR: Final = 365
_FEWEST_DAYS: Final = 60
"""Days of history below which nothing is said of volatility."""

STALE_US: Final = 4 * DAY_US
"""Age of the last close from which on nothing is known of a market: longer than a long weekend."""


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
    squares = [squared_move(*pair) for pair in pairwise(closes)]
    spans = [volatility(squares[end - SPAN : end]) for end in range(SPAN, len(squares) + 1)]
    return stress_of(closes[-SPAN - 1 :], sorted(spans[:-1]), spans[-1] if spans else None)


def squared_move(before: float, after: float) -> float:
    """Return the square of the move from one close to the next one."""
    move = log(after / before)
    return move * move


def volatility(squares: Sequence[float]) -> float:
    """Return the volatility of a span from the squares of its moves; a share a day."""
    return sqrt(fsum(squares) / SPAN)


def stress_of(recent: Sequence[float], past: Sequence[float], now: float | None) -> MarketStress:
    """Return the stress of a market.

    Args:
        recent: the closes of the last span, its first day's before.
        past: the volatilities of all spans before the last one, ascending.
        now: that of the last one; None with fewer days.
    """
    drawdown = 1 - recent[-1] / max(recent) if recent else 0.0
    if now is None or len(past) + SPAN + 1 < _FEWEST_DAYS:
        return MarketStress(None, None, drawdown)
    return MarketStress(now, past[min(int(PERCENTILE * len(past)), len(past) - 1)], drawdown)


def frozen_groups(
    prices: PriceSource,
    groups: Iterable[AssetGroup],
    now: datetime,
    measure: Callable[[PriceSource, str, datetime], MarketStress | None] | None = None,
) -> dict[str, str]:
    """Return the groups of assets whose majors are under stress, and why.

    A market without fresh prices is not under stress: nothing is known of it.

    Args:
        measure: measures a market; None for `stress_at`.
    """
    reasons: dict[str, str] = {}
    for group in sorted(set(groups)):
        for asset in MAJORS.get(group, ()):
            stress = (measure or stress_at)(prices, asset, now)
            if stress is not None and stress.is_stress:
                reasons[group] = _words(asset, stress)
                break
    return reasons


def stress_at(prices: PriceSource, asset: str, now: datetime) -> MarketStress | None:
    """Return the stress of a market at a moment; None without fresh prices."""
    closes = daily_closes(prices, asset, now)
    return market_stress(closes) if closes else None


def daily_closes(prices: PriceSource, asset: str, now: datetime) -> list[float]:
    """Return the last close of each day of the past year; empty if stale.

    Adjusted for splits; in units of its own, for only ratios count.
    """
    for series in daily_series(prices, asset):
        ladder = prices.record(series).ladder
        places = day_places(ladder, to_micros(now))
        if not places:
            continue
        if is_revised(ladder, places):
            return _revised_closes(prices, series, now)
        return [ladder.closes[place] for place in places]
    return []


def daily_series(prices: PriceSource, asset: str) -> list[Series]:
    """Return the series of an asset that have a close for each day, the preferred one first."""
    day = timedelta(days=1)
    return [series for series in prices.series(asset) if timedelta(0) < series.interval <= day]


def day_places(ladder: Ladder, now: int) -> list[int]:
    """Return the place of the last bar of each day of the past year; empty if stale.

    A bar belongs to the UTC date on which it opened.

    Args:
        now: microseconds.
    """
    place = ladder.last_by(now)
    if place < 0 or now - ladder.closed[place] > STALE_US:
        return []
    first = first_of_year(ladder, now)
    places = []
    while place >= first:
        places.append(place)
        place = bisect_left(ladder.closed, day_start(ladder, place), first, place) - 1
    places.reverse()
    return places


def first_of_year(ladder: Ladder, now: int) -> int:
    """Return the place of the first bar that a look back from a moment (microseconds) reads."""
    return bisect_left(ladder.closed, now - (YEAR + SPAN) * DAY_US)


def day_start(ladder: Ladder, place: int) -> int:
    """Return when the first possible bar of a bar's day closes; microseconds."""
    return (ladder.closed[place] - ladder.interval) // DAY_US * DAY_US + ladder.interval


def is_revised(ladder: Ladder, places: Iterable[int]) -> bool:
    """Say whether one of these bars was revised later; the ladder has what was published first."""
    return bool(ladder.revised) and not set(ladder.revised).isdisjoint(places)


def _revised_closes(prices: PriceSource, series: Series, now: datetime) -> list[float]:
    """Return the closes as they were known then."""
    bars = prices.bars(series, now - timedelta(days=YEAR + SPAN), now, now)
    days = list({bar.t_open.date(): bar for bar in bars}.values())
    splits = prices.splits(series)
    return [float(Fraction(bar.close) * units(splits, days[0], bar)) for bar in days]


def _words(asset: str, stress: MarketStress) -> str:
    if stress.drawdown > DRAWDOWN:
        return f"{asset} fell {stress.drawdown:.0%} within {SPAN} days"
    assert stress.volatility is not None and stress.limit is not None
    return (
        f"{asset} moved {stress.volatility:.1%} a day over {SPAN} days; 95 % of the past year's "
        f"weeks stayed below {stress.limit:.1%}"
    )
