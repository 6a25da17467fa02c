"""Do the job `fetch_prices`: fetch the bars that waiting decisions lack, a bounded part per run.

    needs → missing → ask (no transaction is open) → keep (one short write a market) → pause, go on

Bars are stored as they come, so the next run after a kill asks only for the rest. A request without
new bars is paused: it gets a job of its own for later, and is not sent before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.prices import fetch_rows
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.prices.bar_gaps import (
    FAILED_REST,
    LONGEST_REST,
    BarRequest,
    missing,
    wanted,
)
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.domain.prices.keep import WRITE_BARS, OnNewPrices, keep_bars
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.prices.wanted import MarketFeed, Need
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.rules.market.bars import Bar

FETCH_KEY: Final = "prices.fetch"
"""Key of the job that continues a run: the same that the schedule entry adds."""

MOST_REQUESTS: Final = 30
"""Requests of one run: a venue that weighs 1,200 a minute for an address takes 33 full ones."""

PACE: Final = timedelta(minutes=1)
"""How long after a run the next one begins if something is left."""

LONGEST_RUN_S: Final = FETCH_PRICES.deadline_s / 2
"""No request begins later in a run, so that a slow source does not exceed its deadline; seconds."""

Needs = Callable[[Connection], list[Need]]
"""Reads the prices that are needed, in any area."""


@dataclass(slots=True)
class FetchCounts:
    """The result of one run.

    Args:
        asked: requests for a stretch; count.
        kept: bars by result.
        resting: paused stretches, each with the end of its pause.
        left: stretches that were not asked for; count.
        stopped_by: the error that ended the run early; None if it came to its end or bound.
    """

    asked: int = 0
    kept: PriceCounts = field(default_factory=PriceCounts)
    resting: dict[str, datetime] = field(default_factory=dict)
    left: int = 0
    stopped_by: UnavailableError | PostponedError | None = None

    def again_at(self, now: datetime) -> datetime:
        """Return when the next run continues."""
        if isinstance(self.stopped_by, PostponedError) and self.stopped_by.reopens_at is not None:
            return self.stopped_by.reopens_at
        return now + PACE


@dataclass(frozen=True, slots=True)
class Fetcher:
    """What a run works with.

    Args:
        interval: length of the bars asked for.
        arrived: called in each write that stores new bars.
    """

    store: Store
    feed: MarketFeed
    interval: timedelta
    clock: Clock
    monotonic: Monotonic
    arrived: OnNewPrices

    def run(self, stretches: Sequence[BarRequest]) -> FetchCounts:
        """Fetch and store stretches in their order; stop if the source does not answer."""
        done, requests, began = FetchCounts(), 0, self.monotonic()
        for place, stretch in enumerate(stretches):
            requests += stretch.requests(self.feed.page)
            is_late = self.monotonic() - began > LONGEST_RUN_S
            if place and (requests > MOST_REQUESTS or is_late):
                done.left = len(stretches) - place
                break
            try:
                self._ask(stretch, done)
            except (BusyError, SetupError, NotSentError, PostponedError) as error:
                # The error concerns the source, so every other market too.
                done.left, done.stopped_by = len(stretches) - place, error
                break
            done.asked += 1
        return done

    def _ask(self, stretch: BarRequest, done: FetchCounts) -> None:
        series = stretch.series
        try:
            bars = self.feed.fetch(series.symbol, series.interval, stretch.start, stretch.end)
        except (BusyError, SetupError):
            raise
        except RefusedError:
            done.resting[stretch.key] = self.clock() + LONGEST_REST
            return
        except AskFailedError as error:
            emit("prices.failed", level="WARNING", symbol=series.symbol, error=str(error))
            done.resting[stretch.key] = self.clock() + FAILED_REST
            return
        kept = self._keep(stretch, bars)
        done.kept += kept
        if not kept.bars_new:
            done.resting[stretch.key] = stretch.rests_until(self.clock())

    def _keep(self, stretch: BarRequest, bars: Sequence[Bar]) -> PriceCounts:
        chunks = [bars[start : start + WRITE_BARS] for start in range(0, len(bars), WRITE_BARS)]
        if stretch.side == "before":
            chunks.reverse()  # the chunk next to the stored bars first: a kill leaves no gap
        counts = PriceCounts()
        for chunk in chunks:
            counts += keep_bars(self.store, stretch.series, chunk, self.clock, self.arrived)
        return counts


def fetch_prices(fetcher: Fetcher, leases: Leases, needs: Needs) -> FetchCounts:
    """Fetch missing bars, the oldest need first; the next run does the rest.

    Raises:
        PostponedError: the circuit of the source is open, and nothing was asked.
        UnavailableError: the source does not answer, and nothing was asked before.
        LeaseLostError: the job runs elsewhere by now; stored bars stay.
    """
    done = fetcher.run(_to_ask(fetcher, leases, needs))
    if done.stopped_by is not None and not done.asked:
        raise done.stopped_by
    with writing(fetcher.store, finishing=leases) as conn:
        _go_on(conn, done, fetcher.clock())
    emit(
        "prices.fetched",
        source=fetcher.feed.source,
        stretches=done.asked,
        bars=done.kept.bars_new,
        resting=len(done.resting),
        left=done.left,
    )
    return done


def _to_ask(fetcher: Fetcher, leases: Leases, needs: Needs) -> list[BarRequest]:
    """Return the missing stretches that are not paused; the pause of these jobs is over."""
    feed, interval, now = fetcher.feed, fetcher.interval, fetcher.clock()
    ours = {lease.payload.get("stretch") for lease in leases}
    with reading(fetcher.store) as conn:
        needed, classes = needs(conn), classes_at(conn)
        others = fetch_rows.with_a_job(conn) - ours
    series = wanted(needed, feed, interval, now, classes)
    with reading(fetcher.store) as conn:
        spans = fetch_rows.spans(conn, series)
    return [stretch for stretch in missing(series, spans) if stretch.key not in others]


def _go_on(conn: Connection, done: FetchCounts, now: datetime) -> None:
    """Add a job for each paused stretch, and one that continues with the rest."""
    for key, until in done.resting.items():
        add(conn, FETCH_PRICES, {"stretch": key}, now, key=key, run_at=until)
    if done.left:
        add(conn, FETCH_PRICES, {}, now, key=FETCH_KEY, run_at=done.again_at(now))
