"""Do the job `fetch_prices`: ask for what waiting decisions lack, a bounded part of it at a time.

    needs → missing → ask (no transaction is open) → keep (one short write a market) → rest, go on

Bars are kept as they come, so a killed run loses none it kept, and the next one asks for the rest.
What brought nothing rests: it gets a job of its own for later, and is not asked for before.
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
from afterword.pipeline.domain.prices.keep import CHUNK, OnNewPrices, keep_bars
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

KEY: Final = "prices.fetch"
"""Key of the job that goes on where a run ended: the one its schedule entry adds."""

MOST_REQUESTS: Final = 30
"""Requests of one run: a venue that weighs 1,200 a minute for an address takes 33 full ones."""

PACE: Final = timedelta(minutes=1)
"""How long after a run the next one begins where something is left."""

LONGEST_RUN_S: Final = FETCH_PRICES.deadline_s / 2
"""No question is begun later in a run: a slow source must not take it to its deadline; seconds."""

Needs = Callable[[Connection], list[Need]]
"""Reads what is waited for; the areas that wait are not known here."""


@dataclass(slots=True)
class FetchCounts:
    """What a run did.

    Args:
        resting: until when stretches are left alone.
        left: stretches that were not asked for.
        held: why no more was asked for; None where the run came to its end or its bound.
    """

    asked: int = 0
    kept: PriceCounts = field(default_factory=PriceCounts)
    resting: dict[str, datetime] = field(default_factory=dict)
    left: int = 0
    held: UnavailableError | PostponedError | None = None

    def again_at(self, now: datetime) -> datetime:
        """Return when what is left is gone on with."""
        if isinstance(self.held, PostponedError) and self.held.reopens_at is not None:
            return self.held.reopens_at
        return now + PACE


@dataclass(frozen=True, slots=True)
class Fetcher:
    """What a run works with.

    Args:
        interval: length of the bars asked for.
        arrived: told, in the write that keeps them, where bars are new.
    """

    store: Store
    feed: MarketFeed
    interval: timedelta
    clock: Clock
    monotonic: Monotonic
    arrived: OnNewPrices

    def run(self, stretches: Sequence[BarRequest]) -> FetchCounts:
        """Ask for stretches in their order, and keep what comes; stop where nobody answers."""
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
                # What it says of itself holds for every market.
                done.left, done.held = len(stretches) - place, error
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
        chunks = [bars[start : start + CHUNK] for start in range(0, len(bars), CHUNK)]
        if stretch.side == "before":
            chunks.reverse()  # next to what is kept first: a kill between two leaves no hole
        kept = PriceCounts()
        for chunk in chunks:
            kept += keep_bars(self.store, stretch.series, chunk, self.clock, self.arrived)
        return kept


def fetch_prices(fetcher: Fetcher, leases: Leases, needs: Needs) -> FetchCounts:
    """Fetch what is missing, the oldest need first; the rest is the next run's.

    Raises:
        PostponedError: the source is left alone, and nothing was asked.
        UnavailableError: it does not answer, and nothing was asked before.
        LeaseLostError: the job runs elsewhere by now; what was kept stays.
    """
    done = fetcher.run(_to_ask(fetcher, leases, needs))
    if done.held is not None and not done.asked:
        raise done.held
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
    """Return what is missing and does not rest; these jobs' own rest is over."""
    feed, interval, now = fetcher.feed, fetcher.interval, fetcher.clock()
    ours = {lease.payload.get("stretch") for lease in leases}
    with reading(fetcher.store) as conn:
        needed = needs(conn)
        others = fetch_rows.with_a_job(conn) - ours
    series = wanted(needed, feed, interval, now)
    with reading(fetcher.store) as conn:
        spans = fetch_rows.spans(conn, series)
    return [stretch for stretch in missing(series, spans) if stretch.key not in others]


def _go_on(conn: Connection, done: FetchCounts, now: datetime) -> None:
    """Let stretches rest in jobs of their own, and what is left go on in the schedule's."""
    for key, until in done.resting.items():
        add(conn, FETCH_PRICES, {"stretch": key}, now, key=key, run_at=until)
    if done.left:
        add(conn, FETCH_PRICES, {}, now, key=KEY, run_at=done.again_at(now))
