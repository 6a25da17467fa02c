"""Fetch the prices that trades lack, where their owner allows it."""

from contextlib import closing
from datetime import timedelta
from typing import Final

from afterword.pipeline.domain.prices.build import build_hyperliquid
from afterword.pipeline.domain.prices.fetch import fetch_bars
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.trips.settle_fills import ShowProgress
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.operations.learn.gaps import price_gaps
from afterword.pipeline.operations.learn.place import LearnPlace, prices_of
from afterword.pipeline.operations.learn.report import UnreadLine

_INTERVAL: Final = timedelta(hours=1)


def fetch_missing(
    place: LearnPlace, account: str | None, told: ShowProgress
) -> tuple[UnreadLine, ...]:
    """Fetch hourly candles of Hyperliquid for markets without prices; say which it does not have.

    A market that cannot be fetched leaves the report as it would be without this.
    """
    with prices_of(place, None) as (conn, prices):
        now = place.clock()
        every = [trip for trip in trips(conn, None, account) if trip.closed_at <= now]
        gaps = [gap for gap in price_gaps(measure_trips(prices, every, now), now) if gap.fetched_as]
    failed: list[str] = []
    with closing(build_hyperliquid(place.settings, place.stores.instance, place.clock)) as feed:
        for number, gap in enumerate(gaps, start=1):
            try:
                fetch_bars(
                    place.store,
                    feed,
                    gap.fetched_as,
                    _INTERVAL,
                    place.clock,
                    gap.since,
                    place.arrived,
                )
            except PipelineError as error:
                failed.append(f"{gap.symbol} ({error})")
            told("fetch prices", number, len(gaps))
    if not failed:
        return ()
    return (UnreadLine("markets without prices at Hyperliquid", len(failed), tuple(failed[:5])),)
