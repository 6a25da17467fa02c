"""The market around one subject: the series that can tell, its entry, the bars as they count."""

from bisect import bisect_left, bisect_right
from datetime import timedelta
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.outcomes.model import VolatilityTercile
from afterword.pipeline.domain.outcomes.obstacles import (
    OutcomeObstacle,
    no_entry,
    no_series,
    too_coarse,
    too_few_moves,
)
from afterword.pipeline.domain.prices.book import price_row
from afterword.pipeline.domain.prices.feed import PriceSource, Series, asset_of
from afterword.pipeline.rules.market.classes import asset_group, class_leader
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.volatility import Spread
from afterword.pipeline.rules.market.week_profile import UsualPace

MICROSECOND: Final = timedelta(microseconds=1)
HOUR_US: Final = 3_600_000_000


class LeaderEntry(NamedTuple):
    """The leader of a class at an entry.

    Args:
        oldest: how old a close of it may be; microseconds.
    """

    series: Series
    ladder: Ladder
    oldest: int
    entry: int
    beta_ppb: int
    decided: int


class MarketPath(NamedTuple):
    """A market around one subject, up to its entry.

    Args:
        group: see `MeasuredOutcome.asset_class`.
        record: what the market did so far, as first published.
        ladder: the bars as the subject knew them, and those after it as they were known when they
            counted; that of the record where no bar was revised.
        known: how many bars of the ladder are known.
        first: place of the first bar that its volatility looks at; `entry` is the last.
        entered_at: close of the entry; microseconds.
        pace: how its usual week goes on from the entry.
        tercile: see `MeasuredOutcome.volatility`.
        market: the leader of its class; None if it has none, or one that cannot be compared.
    """

    series: Series
    group: str
    record: MarketRecord
    ladder: Ladder
    known: int
    first: int
    entry: int
    entered_at: int
    spread: Spread
    pace: UsualPace
    tercile: VolatilityTercile | None
    market: LeaderEntry | None


class SeriesMarket(NamedTuple):
    """A series of an asset.

    Args:
        interval: microseconds.
        group: see `MeasuredOutcome.asset_class`.
        leaders: the series of the leader of its class.
    """

    series: Series
    record: MarketRecord
    interval: int
    group: str
    leaders: tuple[tuple[Series, MarketRecord], ...]


class PricedAsset(NamedTuple):
    """An asset as it is written, with its series in order of preference."""

    written: str
    key: str
    markets: tuple[SeriesMarket, ...]


class MarketPaths:
    """Finds the paths of subjects in one source of prices; what they share is read once.

    Args:
        known: nothing known later is read; microseconds.
        assets: those read before from the same source; it grows.
    """

    def __init__(
        self, prices: PriceSource, known: int, assets: dict[str, PricedAsset] | None = None
    ) -> None:
        self._prices, self._known = prices, known
        self._assets = {} if assets is None else assets

    def asset(self, written: str) -> PricedAsset:
        """Return an asset in any written form, with its series."""
        found = self._assets.get(written)
        if found is None:
            markets = tuple(map(self._series_market, self._prices.series(written)))
            found = self._assets[written] = PricedAsset(written, asset_of(written), markets)
        return found

    def _series_market(self, series: Series) -> SeriesMarket:
        group = asset_group(series.symbol)
        leader = class_leader(group)
        leads = leader is not None and asset_of(series.symbol) != asset_of(leader)
        leaders = self._prices.series(leader) if leader is not None and leads else ()
        return SeriesMarket(
            series,
            self._prices.record(series),
            series.interval // MICROSECOND,
            group or "unknown",
            tuple((one, self._prices.record(one)) for one in leaders),
        )

    def path_of(
        self,
        asset: PricedAsset,
        decided: int,
        hours: int,
        paths: dict[int, MarketPath | OutcomeObstacle],
    ) -> MarketPath | OutcomeObstacle:
        """Return the path of the best series that can tell, or the best one's obstacle.

        Args:
            decided: when the subject was; microseconds.
            paths: those found so far of this asset and moment, by place of their series; it grows.
        """
        obstacle: OutcomeObstacle | None = None
        window = hours * HOUR_US
        for place, market in enumerate(asset.markets):
            found = paths.get(place)
            if market.interval > window:
                found = too_coarse(market.series, hours)
            elif found is None:
                found = paths[place] = self._path(market, decided)
            if type(found) is MarketPath:
                if market.record.ladder.revised:
                    return self._as_known(found, decided, decided + window)
                return found
            assert isinstance(found, OutcomeObstacle)
            obstacle = obstacle or found  # the best series explains the outcome
        return obstacle or no_series(asset.written)

    def path_over(
        self, asset: PricedAsset, opened: int, closed: int
    ) -> MarketPath | OutcomeObstacle:
        """Return the path of the best series with prices at the entry of a position.

        Its bars may be longer than the position was held: a deviation scales to any time.

        Args:
            opened: microseconds; `closed` likewise.
        """
        obstacle: OutcomeObstacle | None = None
        for market in asset.markets:
            found = self._path(market, opened)
            if type(found) is MarketPath:
                if market.record.ladder.revised:
                    return self._as_known(found, opened, closed)
                return found
            assert isinstance(found, OutcomeObstacle)
            obstacle = obstacle or found
        return obstacle or no_series(asset.written)

    def _path(self, market: SeriesMarket, decided: int) -> MarketPath | OutcomeObstacle:
        series, record, _, group, _ = market
        ladder = record.ladder
        closed = ladder.closed
        entry = bisect_right(closed, decided) - 1
        first = bisect_left(closed, decided - ladder.lookback)
        if entry < first or decided - closed[entry] > ladder.oldest:
            return no_entry(series, decided, closed[entry] if entry >= first else None)
        spread = ladder.spread(decided, entry)
        if spread is None:
            return too_few_moves(series, entry - first + 1)
        known = len(ladder) if closed[-1] <= self._known else bisect_right(closed, self._known)
        entered_at = closed[entry]
        return MarketPath(
            series,
            group,
            record,
            ladder,
            known,
            first,
            entry,
            entered_at,
            spread,
            record.profile.pace(spread, entered_at, entered_at),
            record.volatility.tercile(spread.hourly, decided),
            _leader(market, entered_at, decided),
        )

    def _as_known(self, path: MarketPath, decided: int, due: int) -> MarketPath:
        """Return a path with each bar that counts as it was known when it counted.

        Up to the entry that is the decision, after it the due moment: a correction that came later
        changes nothing.
        """
        record, series = path.record.ladder, path.series
        place = record.last_by(due) + 1
        if not record.is_revised(path.first, place):
            return path
        prices, decided_at = self._prices, from_micros(decided)
        ladder = Ladder(series.symbol, series.interval, record.splits)
        until = from_micros(due)
        bars = prices.bars(series, from_micros(record.closed[path.first]), decided_at, decided_at)
        bars += prices.bars(series, from_micros(path.entered_at) + MICROSECOND, until, until)
        if path.known > place:
            proof = from_micros(record.closed[place])
            bars += prices.bars(series, proof, proof, proof)
        ladder.extend(map(price_row, bars))
        entry = path.entry - path.first
        spread = ladder.spread(decided, entry)
        assert spread is not None  # as many bars as were published first
        return path._replace(
            ladder=ladder,
            known=len(ladder),
            first=0,
            entry=entry,
            spread=spread,
            pace=path.record.profile.pace(spread, path.entered_at, path.entered_at),
            tercile=path.record.volatility.tercile(spread.hourly, decided),
        )


def _leader(own: SeriesMarket, entered_at: int, decided: int) -> LeaderEntry | None:
    """Return the leader of a class at an entry, by its first series with a close of then.

    A close counts until it is older than a bar of the own series.
    """
    for series, record in own.leaders:
        ladder = record.ladder
        oldest = min(ladder.oldest, max(own.interval, HOUR_US))
        entry = ladder.last_by(entered_at)
        if entry >= 0 and entered_at - ladder.closed[entry] < oldest:
            beta = own.record.beta(record).beta_ppb(decided)
            if beta is not None:
                return LeaderEntry(series, ladder, oldest, entry, beta, decided)
    return None
