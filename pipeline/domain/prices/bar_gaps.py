"""Which bars are missing for waiting decisions, and when to ask again if none came."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.domain.prices.wanted import MarketFeed, Need
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.windows import lookback, oldest

LONGEST_REST: Final = timedelta(hours=6)
"""Longest pause for bars a source does not have: an unlisted market, or bars before its listing."""

SHORTEST_REST: Final = timedelta(minutes=1)
"""Shortest pause: a bar may come some seconds after its close."""

FAILED_REST: Final = timedelta(minutes=30)
"""Pause of one market whose request failed while the source answered others."""


class KeptSpan(NamedTuple):
    """When the first and the last stored bar opened; bars between them are not asked for."""

    first: datetime
    last: datetime


class BarNeed(NamedTuple):
    """Bars of a market that decisions need: those that open from `start` to before `end`.

    Args:
        kept: the oldest bar the source still has of any market.
    """

    start: datetime
    end: datetime
    kept: datetime


@dataclass(frozen=True, slots=True)
class BarRequest:
    """Bars of a series to be asked for, adjacent to the stored ones, so that no gap is left.

    Args:
        side: `before` the stored bars, or `since` the last of them.
        start, end: bars that open from `start` to before `end`.
        last: when the last stored bar opened; None if there is none.
    """

    series: Series
    side: Literal["before", "since"]
    start: datetime
    end: datetime
    last: datetime | None

    @property
    def key(self) -> str:
        """Key of the job that asks for it again after a pause."""
        source, symbol, interval = self.series.source, self.series.symbol, self.series.interval
        return f"{source} {symbol} {write_interval(interval)} {self.side}"

    def requests(self, page: int) -> int:
        """Return how many requests of `page` bars it takes."""
        return -((self.start - self.end) // (self.series.interval * page))

    def rests_until(self, now: datetime) -> datetime:
        """Return when to ask again after a request without new bars.

        The pause is as long as the bar is late already, within the two bounds.
        """
        if self.side == "before" or self.last is None:
            return now + LONGEST_REST
        late = now - (self.last + 2 * self.series.interval)
        return now + min(LONGEST_REST, max(SHORTEST_REST, late))


def opening(moment: datetime, interval: timedelta) -> datetime:
    """Return the opening of the bar that is open at a moment."""
    return EPOCH + (moment - EPOCH) // interval * interval


def wanted(
    needs: Iterable[Need],
    feed: MarketFeed,
    interval: timedelta,
    now: datetime,
    classes: StatedClasses = NOTHING_STATED,
) -> dict[Series, BarNeed]:
    """Return the needed bars of each series; closed ones only.

    They reach from the lookback before the oldest decision until the last outcome is sure to be
    known: its entry may be as late as a price may be, and its exit again (see
    `market_record.find_exit`). Bars that the feed no longer has are left out.
    """
    closed = opening(now, interval)
    kept = closed - feed.keeps * interval
    needed: dict[Series, BarNeed] = {}
    for need in needs:
        market = feed.market_of(need.asset)
        if market is None:
            continue
        start = need.first - max(lookback(interval), need.back) - interval
        end = need.due + 2 * oldest(classes.group(market), interval) + interval
        bars = BarNeed(
            max(opening(start, interval), kept), min(opening(end, interval), closed), kept
        )
        if bars.start < bars.end:
            series = Series(feed.source, market, interval)
            other = needed.get(series, bars)
            needed[series] = BarNeed(min(bars.start, other.start), max(bars.end, other.end), kept)
    return needed


def missing(wanted: Mapping[Series, BarNeed], spans: Mapping[Series, KeptSpan]) -> list[BarRequest]:
    """Return the bars to ask for, the oldest need first.

    A series fetched up to now comes last, so that no market waits for the others.
    """
    stretches = [
        stretch
        for series, need in wanted.items()
        for stretch in _of_series(series, need, spans.get(series))
    ]
    return sorted(stretches, key=lambda stretch: (stretch.start, stretch.key))


def _of_series(series: Series, wanted: BarNeed, span: KeptSpan | None) -> Iterable[BarRequest]:
    if span is None:
        yield BarRequest(series, "since", wanted.start, wanted.end, None)
        return
    if wanted.start < span.first:
        yield BarRequest(series, "before", wanted.start, span.first, span.last)
    if span.last + series.interval < wanted.end:
        # The last bar is asked for again: a source may revise it.
        yield BarRequest(series, "since", max(span.last, wanted.kept), wanted.end, span.last)
