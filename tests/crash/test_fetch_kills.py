"""Processes that fetch prices are killed: each market is complete, each decision judged once."""

import signal
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.prices.bar_gaps import opening
from afterword.pipeline.domain.prices.fetch_gaps import FETCH_KEY
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.ids import random_uid
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.faulty_server import answer, hang
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.roles import HOUR, jagged
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

MARKETS = [f"C{number}" for number in range(12)]
LANES = ("sync", "llm", "quick", "upkeep")


@pytest.fixture
def server() -> Iterator[MarketServer]:
    start = opening(system_clock(), HOUR) - 300 * HOUR
    closes = [Decimal(f"{px:.4f}") for px in jagged(275, [-0.05, *[0.0] * 40])]
    with MarketServer() as server:
        for market in MARKETS:
            bars = (
                Bar(start + hour * HOUR, HOUR, px, px, px, px, Decimal(1))
                for hour, px in enumerate(closes)
            )
            server.trade(market, "1h", bars)
        yield server


def wait_for_prices(host: Any) -> None:
    """Record a decision about each market, and add the job the schedule adds."""
    decided_at = system_clock() - 30 * HOUR
    news = [
        NewDecision("market.spot.momentum", "Buy", {}, name, "long", decided_at=decided_at)
        for name in MARKETS
    ]
    record_decisions(host.store, load_roles(host.home), news, system_clock, random_uid)
    with writing(host.store) as conn:
        add(conn, FETCH_PRICES, {}, system_clock(), key=FETCH_KEY)


def check(host: Any, server: MarketServer) -> None:
    """Each market is there once and without a hole, and was asked for once, or twice for a kill."""
    found = list_series(host.store)
    assert sorted(one.symbol for one in found) == sorted(MARKETS)
    assert {one.gaps for one in found} == {0}
    assert len({(one.bars, one.first, one.last) for one in found}) == 1
    assert {one.state for one in list_decisions(host.store, limit=99)} == {"reflected"}
    assert server.requests <= len(MARKETS) + 1
    host.check()


# The first between two markets, the second with all of them kept and the job not ended.
@pytest.mark.parametrize("point", ["prices.kept:7", "store.finishing"])
def test_a_worker_killed_while_it_fetches_loses_and_doubles_nothing(
    host: Any, server: MarketServer, point: str
):
    priced = {"price_source": "hyperliquid", "hyperliquid_base_url": server.origin}
    wait_for_prices(host)
    host.dispatcher()
    victim = host.worker(crash_at=point, queues=("sync",), threads=1, **priced)
    assert victim.wait(timeout=30) == -signal.SIGKILL

    host.worker(queues=LANES, **priced)
    host.worker(queues=("alone",), threads=1, **priced)
    # The lock of the dead one frees itself after 30 s, and patterns are weighed 30 s later.
    host.drained(120)
    check(host, server)


def test_a_worker_killed_while_it_waits_for_a_reply_leaves_what_it_kept(
    host: Any, server: MarketServer
):
    priced = {"price_source": "hyperliquid", "hyperliquid_base_url": server.origin}
    server.script(*[answer] * 5, hang)
    wait_for_prices(host)
    host.dispatcher()
    victim = host.worker(queues=("sync",), threads=1, **priced)
    wait_until(lambda: server.requests == 6, 30)
    victim.kill()
    assert len(list_series(host.store)) == 5

    host.worker(queues=LANES, **priced)
    host.worker(queues=("alone",), threads=1, **priced)
    host.drained(120)
    check(host, server)
