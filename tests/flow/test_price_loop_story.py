"""The loop closes alone: a decision is made, its market is asked for prices, and it is judged."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.roles import HOUR, jagged
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context

ROLE = "market.spot.momentum"

Start = Callable[..., Up]


@pytest.fixture
def server(clock: ManualClock) -> Iterator[MarketServer]:
    """A venue where SOL goes nowhere for days, then falls by 5 % and stays there."""
    with MarketServer() as server:
        opened = clock() - 300 * HOUR
        closes = [Decimal(f"{px:.4f}") for px in jagged(300, [-0.05, *[0.0] * 99])]
        server.trade(
            "SOL",
            "1h",
            (
                Bar(opened + hour * HOUR, HOUR, px, px, px, px, Decimal(1))
                for hour, px in enumerate(closes)
            ),
        )
        yield server


@pytest.fixture
def start(home: Path, clock: ManualClock, server: MarketServer) -> Iterator[Start]:
    """Start a dispatcher and a worker in this process, with the schedule of every installation."""
    started: list[Up] = []

    def start(**settings: object) -> Up:
        given = {"hyperliquid_base_url": server.origin, "shutdown_grace_s": 0.2} | settings
        context = build_context(load(home=home, synchronous="NORMAL", **given), clock=clock)
        context.stores.group("main", create=True)
        one = Up(context, threads=2)
        started.append(one)
        one.start()
        return one

    yield start
    for one in started:
        if one.is_alive():
            one.stop()


def decide(up: Up, asset: str = "SOL") -> None:
    """Let an agent decide in a session of its own."""
    store, runtime = up.context.stores.group("main"), up.context.runtime
    clock, ids = runtime.clock, runtime.ids
    by = Writer(store, clock, ids)
    agent = Agent(Door(by, begin_session(by).handle, roles=up.context.decisions.roles))
    agent.role_record(ROLE, f"Buy {asset}, it is strong", asset=asset, direction="long")


def decision(up: Up) -> Decision:
    (found,) = list_decisions(up.context.stores.group("main"))
    return found


def runs(up: Up, outcome: str = "done") -> int:
    """Return how many jobs that fetch prices have ended so."""
    query = text("SELECT sum(jobs) FROM job_stats WHERE kind = 'fetch_prices' AND outcome = :o")
    with reading(up.context.stores.group("main")) as conn:
        return int(conn.scalar(query, {"o": outcome}) or 0)


def time_passes(up: Up, clock: ManualClock, until: Callable[[], object]) -> None:
    """Let two minutes pass at each look, while nothing is to be done, until something is so."""

    def looked() -> object:
        if is_idle(up):
            clock.advance(minutes=2)
        return until()

    wait_until(looked, 60)


def is_idle(up: Up) -> bool:
    """Return whether no job is to be done, nor half done."""
    busy = text("SELECT count(*) FROM jobs WHERE state IN ('ready', 'sent', 'running')")
    with reading(up.context.stores.group("main")) as conn:
        return not conn.scalar(busy)


def test_a_decision_is_held_against_its_price_without_a_person(
    start: Start, server: MarketServer, clock: ManualClock
) -> None:
    up = start(price_source="hyperliquid")
    decided_at = clock()
    decide(up)

    time_passes(up, clock, lambda: decision(up).state == "reflected")

    judged = decision(up)
    assert judged.verdict is not None
    assert judged.verdict.outcome == "wrong"
    assert judged.verdict.measured["entry"]["symbol"] == "SOL"
    assert judged.verdict.narrative.startswith("long: ")
    assert judged.lesson is None  # one wrong decision alone teaches nothing
    # It asked from the lookback before the decision on, and for nothing else.
    assert {asked.coin for asked in server.asked} == {"SOL"}
    first = min(asked.start_ms for asked in server.asked)
    assert first == (decided_at - 169 * HOUR).timestamp() * 1000

    # Its job may still be ending.
    wait_until(lambda: is_idle(up), 60)
    # No decision waits any more: an hour of slots adds no job and asks nobody.
    asked, done, hour_later = server.requests, runs(up), clock() + timedelta(hours=1)
    time_passes(up, clock, lambda: clock() > hour_later)
    assert (server.requests, runs(up)) == (asked, done)


def test_without_a_source_nobody_is_asked_and_the_decision_waits(
    start: Start, server: MarketServer, clock: ManualClock
) -> None:
    up = start()
    decide(up)

    time_passes(up, clock, lambda: decision(up).state == "parked")
    hour_later = clock() + timedelta(hours=1)
    time_passes(up, clock, lambda: clock() > hour_later)

    assert decision(up).reason == "no price"
    assert (server.requests, runs(up)) == (0, 0)


def test_a_source_that_asks_for_a_pause_gets_it_and_the_job_says_so(
    start: Start, server: MarketServer, clock: ManualClock
) -> None:
    server.script(refuses(429, Retry_After=str(3 * 3600)))
    up = start(price_source="hyperliquid")
    decide(up)
    store = up.context.stores.group("main")

    def held() -> list[str]:
        with reading(store) as conn:
            jobs = listing(conn, kind="fetch_prices", limit=10)
        return [job.waits_for for job in jobs if job.waits_for is not None]

    time_passes(up, clock, held)
    (said,) = held()
    assert said.startswith("circuit:hyperliquid")
    reopens_at = up.context.gates.breakers["prices"].circuit().reopens_at
    assert reopens_at is not None
    assert reopens_at > clock()

    time_passes(up, clock, lambda: server.requests == 2)
    assert clock() >= reopens_at
    time_passes(up, clock, lambda: decision(up).state == "reflected")
