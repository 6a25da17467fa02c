"""The market around one subject: the series that can tell, its entry, the bars as they count."""

from bisect import bisect_right
from datetime import timedelta
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.outcomes.model import VolatilityTercile
from afterword.pipeline.domain.outcomes.obstacles import (
    OutcomeObstacle,
    jumped,
    no_entry,
    no_exit,
    no_series,
    too_coarse,
    too_few_moves,
)
from afterword.pipeline.domain.prices.book import price_row
from afterword.pipeline.domain.prices.feed import PriceSource, Series, asset_of
from afterword.pipeline.rules.market.classes import class_leader
from afterword.pipeline.rules.market.ladder import Ladder, LadderEntry
from afterword.pipeline.rules.market.market_record import MarketRecord, MissingExit, find_exit
from afterword.pipeline.rules.market.volatility import Spread
from afterword.pipeline.rules.market.week_profile import UsualPace
from afterword.pipeline.rules.market.windows import HOUR_US

MICROSECOND: Final = timedelta(microseconds=1)


class LeaderEntry(NamedTuple):
    """The leader of a class at an entry.

    Args:
        oldest: how old a close of it may be; microseconds.
        known_at: the moment that its beta and its entry are of; microseconds.
    """

    series: Series
    ladder: Ladder
    oldest: int
    entry: LadderEntry
    beta_ppb: int
    known_at: int


class MarketPath(NamedTuple):
    """A market around one subject.

    Args:
        group: see `MeasuredOutcome.asset_class`.
        record: what the market did so far, as first published.
        ladder: the bars as they were known at the entry, and those after it as they were known when
            they counted; that of the record where no bar was revised.
        known: how many bars of the ladder are known.
        first: place of the first bar that its volatility looks at; `entry.last` is the last.
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
    entry: LadderEntry
    spread: Spread
    pace: UsualPace
    tercile: VolatilityTercile | None
    market: LeaderEntry | None


class EntrySpan(NamedTuple):
    """A market from the entry of a decision to its exit; both are prices of one series.

    Args:
        last: place of the bar whose close is the exit.
    """

    path: MarketPath
    last: int


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
        asset = self._assets.get(written)
        if asset is None:
            markets = tuple(map(self._series_market, self._prices.series(written)))
            asset = self._assets[written] = PricedAsset(written, asset_of(written), markets)
        return asset

    def _series_market(self, series: Series) -> SeriesMarket:
        record = self._prices.record(series)
        leader = class_leader(record.ladder.group)
        leads = leader is not None and asset_of(series.symbol) != asset_of(leader)
        leaders = self._prices.series(leader) if leader is not None and leads else ()
        return SeriesMarket(
            series,
            record,
            series.interval // MICROSECOND,
            record.ladder.group or asset_of(series.symbol),
            tuple((lead, self._prices.record(lead)) for lead in leaders),
        )

    def span_of(
        self,
        asset: PricedAsset,
        moment: int,
        hours: int,
        paths: dict[int, MarketPath | OutcomeObstacle],
        due: int | None = None,
    ) -> EntrySpan | OutcomeObstacle:
        """Return the span of the finest series that has both ends, or the finest one's obstacle.

        Args:
            moment: the entry is the first price at or after it; microseconds.
            paths: those found so far of this asset and moment, by place of their series; it grows.
            due: the exit is the first close at or after it; the end of the window if None.
        """
        obstacle: OutcomeObstacle | None = None
        for place, market in enumerate(asset.markets):
            span = self._span(market, place, moment, hours, paths, due)
            if type(span) is EntrySpan:
                return span
            assert isinstance(span, OutcomeObstacle)
            if span.reason == "unexplained_jump":
                return span
            obstacle = obstacle or span  # the finest series explains the outcome
        return obstacle or no_series(asset.written)

    def _span(
        self,
        market: SeriesMarket,
        place: int,
        moment: int,
        hours: int,
        paths: dict[int, MarketPath | OutcomeObstacle],
        due: int | None,
    ) -> EntrySpan | OutcomeObstacle:
        window = hours * HOUR_US
        if market.interval > window:
            return too_coarse(market.series, hours)
        path = paths.get(place)
        if path is None:
            path = paths[place] = self._path_after(market, moment)
        if type(path) is not MarketPath:
            assert isinstance(path, OutcomeObstacle)
            return path
        ladder, series = path.ladder, market.series
        end = path.entry.at + window if due is None else due
        last = find_exit(ladder, end, path.known)
        if isinstance(last, MissingExit):
            return no_exit(series, ladder, end, last, self._known)
        if ladder.jumps and (jump := ladder.jump(path.first, last)) is not None:
            return jumped(series, ladder, jump)
        if ladder.revised:
            known = self._as_known(path, path.entry.at, ladder.closed[last])
            if known is not path:
                if path.entry.is_open:
                    entry = known.ladder.entry(path.entry.at, known.known)
                else:
                    entry = known.ladder.close_entry(path.entry.last - path.first)
                assert entry is not None  # as many bars as were published first
                return EntrySpan(known._replace(entry=entry), last - path.first)
        return EntrySpan(path, last)

    def path_over(
        self, asset: PricedAsset, opened: int, closed: int
    ) -> MarketPath | OutcomeObstacle:
        """Return the path of the best series with prices at the entry of a position.

        A position has prices of its own: the entry here is the last close before it, up to which
        its market was known. Bars may be longer than it was held: a deviation scales to any time.

        Args:
            opened: microseconds; `closed` likewise.
        """
        obstacle: OutcomeObstacle | None = None
        for market in asset.markets:
            path = self._path_before(market, opened)
            if type(path) is MarketPath:
                if market.record.ladder.revised:
                    known = self._as_known(path, opened, closed)
                    entry = known.ladder.close_entry(path.entry.last - path.first)
                    return path if known is path else known._replace(entry=entry)
                return path
            assert isinstance(path, OutcomeObstacle)
            obstacle = obstacle or path
        return obstacle or no_series(asset.written)

    def _path_after(self, market: SeriesMarket, moment: int) -> MarketPath | OutcomeObstacle:
        """Return the path from the first price at or after a moment."""
        ladder = market.record.ladder
        known = self._known_bars(ladder)
        entry = ladder.entry(moment, known)
        if entry is None or entry.at - moment > ladder.oldest:
            return no_entry(market.series, moment, None if entry is None else entry.at)
        return self._path(market, entry, entry.at, known)

    def _path_before(self, market: SeriesMarket, moment: int) -> MarketPath | OutcomeObstacle:
        """Return the path from the last close before a moment."""
        ladder = market.record.ladder
        place = ladder.last_by(moment)
        if place < 0 or moment - ladder.closed[place] > ladder.oldest:
            return no_entry(market.series, moment, ladder.closed[place] if place >= 0 else None)
        known = self._known_bars(ladder)
        return self._path(market, ladder.close_entry(place), moment, known)

    def _known_bars(self, ladder: Ladder) -> int:
        closed = ladder.closed
        if closed and closed[-1] <= self._known:
            return len(closed)
        return bisect_right(closed, self._known)

    def _path(
        self, market: SeriesMarket, entry: LadderEntry, at: int, known: int
    ) -> MarketPath | OutcomeObstacle:
        """Return the path from an entry, with what was known of the market at a moment."""
        series, record, _, group, _ = market
        ladder = record.ladder
        first = ladder.first_recent(at)
        spread = ladder.spread(first, entry.last)
        if spread is None:
            return too_few_moves(series, max(0, entry.last - first + 1))
        return MarketPath(
            series,
            group,
            record,
            ladder,
            known,
            first,
            entry,
            spread,
            record.profile.pace(spread, ladder.closed[entry.last], entry.at),
            record.volatility.tercile(spread.hourly, at),
            _leader(market, entry, at),
        )

    def _as_known(self, path: MarketPath, at: int, until: int) -> MarketPath:
        """Return a path with each bar that counts as it was known when it counted, but its entry.

        Up to the entry that is a moment, after it the end: a correction that came later changes
        nothing.

        Args:
            at: when the entry was; microseconds.
            until: the end.
        """
        record, series = path.record.ladder, path.series
        place = record.last_by(until) + 1
        if not record.is_revised(path.first, place):
            return path
        prices, known_at, end = self._prices, from_micros(at), from_micros(until)
        ladder = Ladder(series.symbol, series.interval, record.splits, prices.classes)
        since = from_micros(path.entry.at) + MICROSECOND
        bars = prices.bars(series, from_micros(record.closed[path.first]), known_at, known_at)
        bars += prices.bars(series, since, end, end)
        if path.known > place:
            proof = from_micros(record.closed[place])
            bars += prices.bars(series, proof, proof, proof)
        ladder.extend(map(price_row, bars))
        last = path.entry.last - path.first
        spread = ladder.spread(0, last)
        assert spread is not None  # as many bars as were published first
        return path._replace(
            ladder=ladder,
            known=len(ladder),
            first=0,
            spread=spread,
            pace=path.record.profile.pace(spread, ladder.closed[last], path.entry.at),
            tercile=path.record.volatility.tercile(spread.hourly, at),
        )


def _leader(own: SeriesMarket, entered: LadderEntry, at: int) -> LeaderEntry | None:
    """Return the leader of a class at an entry, by its first series with a price of then.

    A close counts until it is older than a bar of the own series; an open is of the same moment.
    """
    for series, record in own.leaders:
        ladder = record.ladder
        oldest = min(ladder.oldest, max(own.interval, HOUR_US))
        entry = (
            _open_at(ladder, entered.at)
            if entered.is_open
            else _close_by(ladder, entered.at, oldest)
        )
        if entry is not None:
            beta = own.record.beta(record).beta_ppb(at)
            if beta is not None:
                return LeaderEntry(series, ladder, oldest, entry, beta, at)
    return None


def _open_at(ladder: Ladder, moment: int) -> LadderEntry | None:
    entry = ladder.entry(moment, len(ladder)) if ladder.lead else None
    return entry if entry is not None and entry.at == moment else None


def _close_by(ladder: Ladder, moment: int, oldest: int) -> LadderEntry | None:
    place = ladder.last_by(moment)
    if place < 0 or moment - ladder.closed[place] >= oldest:
        return None
    return ladder.close_entry(place)
