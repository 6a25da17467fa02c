"""The setup an asset is in now, as the outcomes of decisions class it."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.rows import SeriesState
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.exact import ppb_of
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow
from afterword.pipeline.rules.market.splits import Split, change
from afterword.pipeline.rules.market.taxonomy import AssetGroup
from afterword.pipeline.rules.market.volatility import Costs, Spread
from afterword.pipeline.rules.market.windows import lookback, oldest

_MICROSECOND: Final = timedelta(microseconds=1)
_MOST_KNOWN: Final = 1_000
"""Setups a process keeps of a store, so that not every question reads a week of prices."""


class PresentSetup(NamedTuple):
    """What an asset did up to a moment; None where no price is fresh enough to tell.

    Args:
        trend: its move over one window, by the band of such windows.
        volatility: tercile among that of the past year.
    """

    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None


class _Basis(NamedTuple):
    """All that the setup of a market depends on."""

    series: Series
    state: SeriesState
    splits: tuple[Split, ...]
    group: AssetGroup | None
    window: timedelta
    costs: Costs


_known: "WeakKeyDictionary[Store, dict[_Basis, PresentSetup]]" = WeakKeyDictionary()


def present_setup(
    prices: StoredPrices,
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
        store: whose present prices these are: while a market has the same bars, its setup is kept.
            None reads the prices again.
    """
    for series in prices.series(asset):
        if series.interval > window:
            continue
        state = prices.state(series, now - lookback(series.interval), now)
        group = prices.classes.group(series.symbol)
        if state.last is None or _is_old(series, group, state.last, now):
            continue
        basis = _Basis(series, state, prices.splits(series), group, window, costs)
        known = {} if store is None else _known.setdefault(store, {})
        if basis not in known:
            setup = _read_setup(prices, basis, now)
            if setup is None:
                continue
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[basis] = setup
        return known[basis]
    return PresentSetup()


def _is_old(series: Series, group: AssetGroup | None, opened: int, now: datetime) -> bool:
    closed = opened + series.interval // _MICROSECOND
    return to_micros(now) - closed > oldest(group, series.interval) // _MICROSECOND


def _read_setup(prices: StoredPrices, basis: _Basis, now: datetime) -> PresentSetup | None:
    """Return the setup of a market with a fresh price; None if it has too few to tell."""
    series = basis.series
    recent = prices.bars(series, now - lookback(series.interval), now, now)
    ladder = Ladder(series.symbol, series.interval, basis.splits, prices.classes)
    ladder.extend(map(_closing, recent))
    spread = ladder.spread(ladder.first_recent(to_micros(now)), len(ladder) - 1)
    if spread is None:
        return None
    trend = _trend(prices, series, recent[-1], basis.window, basis.costs, spread, ladder)
    tercile = prices.record(series).volatility.tercile(spread.hourly, to_micros(now))
    return PresentSetup(trend, tercile)


def _closing(bar: Bar) -> PriceRow:
    """Return a bar with its close alone: nothing here reads how high or low it went."""
    close = plain(bar.close)
    return PriceRow(to_micros(bar.t_open), close, close, close, close)


def _trend(
    prices: StoredPrices,
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
