"""The setup an asset is in now, as the outcomes of decisions class it."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.exact import ppb_of
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow
from afterword.pipeline.rules.market.splits import change
from afterword.pipeline.rules.market.volatility import Costs, Spread
from afterword.pipeline.rules.market.windows import lookback

_MICROSECOND: Final = timedelta(microseconds=1)
_MOST_KNOWN: Final = 1_000
"""Terciles a process keeps, so that it does not read a year of prices for every question."""

_Key = tuple[Series, datetime, int]
_Terciles = dict[_Key, VolatilityTercile | None]
_known_terciles: "WeakKeyDictionary[Store, _Terciles]" = WeakKeyDictionary()


class PresentSetup(NamedTuple):
    """What an asset did up to a moment; None where no price is fresh enough to tell.

    Args:
        trend: its move over one window, by the band of such windows.
        volatility: tercile among that of the past year.
    """

    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None


def present_setup(
    prices: PriceSource,
    asset: str,
    window: timedelta,
    costs: Costs,
    now: datetime,
    store: Store | None = None,
) -> PresentSetup:
    """Return the setup that an outcome of a decision made now would begin with.

    Args:
        asset: in any written form.
        costs: part of the band.
        store: whose present prices these are. A year of prices is read once a day of each of them;
            None reads it again.
    """
    for series in prices.series(asset):
        if series.interval > window:
            continue
        recent = prices.bars(series, now - lookback(series.interval), now, now)
        ladder = Ladder(series.symbol, series.interval, prices.splits(series))
        ladder.extend(map(_closing, recent))
        if not recent or to_micros(now) - ladder.closed[-1] > ladder.oldest:
            continue
        spread = ladder.spread(to_micros(now), len(ladder) - 1)
        if spread is not None:
            trend = _trend(prices, series, recent[-1], window, costs, spread, ladder)
            return PresentSetup(trend, _tercile(prices, series, spread, now, store))
    return PresentSetup()


def _closing(bar: Bar) -> PriceRow:
    """Return a bar with its close alone: nothing here reads how high or low it went."""
    close = plain(bar.close)
    return PriceRow(to_micros(bar.t_open), close, close, close)


def _trend(
    prices: PriceSource,
    series: Series,
    last: Bar,
    window: timedelta,
    costs: Costs,
    spread: Spread,
    ladder: Ladder,
) -> TrendBefore | None:
    start = last.closed_at - window
    before = prices.close_at(series, start, last.closed_at)
    if before is None or (start - before.closed_at) // _MICROSECOND > ladder.oldest:
        return None
    if before.closed_at == last.closed_at or ladder.jumps:
        return None
    moved = ppb_of(change(prices.splits(series), before, last))
    passed = (last.closed_at - before.closed_at) // _MICROSECOND
    if not spread.is_beyond(abs(moved) - ppb_of(costs.round_trip), passed):
        return "flat"
    return "up" if moved > 0 else "down"


def _tercile(
    prices: PriceSource, series: Series, spread: Spread, now: datetime, store: Store | None
) -> VolatilityTercile | None:
    if store is None:
        return prices.record(series).volatility.tercile(spread.hourly, to_micros(now))
    known = _known_terciles.setdefault(store, {})
    key = series, now.replace(hour=0, minute=0, second=0, microsecond=0), spread.hourly
    if key not in known:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[key] = prices.record(series).volatility.tercile(spread.hourly, to_micros(now))
    return known[key]
