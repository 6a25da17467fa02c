"""Candles over real HTTP: pages, the open candle, and every way a venue can fail."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from time import monotonic
from typing import Any

import pytest

from afterword.pipeline.domain.prices.build import build_hyperliquid
from afterword.pipeline.domain.prices.fetch import fetch_bars
from afterword.pipeline.domain.prices.hyperliquid import PAGE_CANDLES, HyperliquidCandles
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.errors import CircuitOpenError, InvalidInputError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import AskFailedError, RefusedError, SetupError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    cut,
    drip,
    drip_body,
    flood,
    hang,
    refuses,
    reset,
    says,
)
from afterword.pipeline.testing.market_server import MarketServer

HOUR = timedelta(hours=1)
NOW = datetime(2026, 1, 5, tzinfo=UTC)
START = NOW - 10 * HOUR


def walk(count: int, start: datetime = START, close: object = "1.3e-06") -> list[Bar]:
    price = Decimal(str(close))
    return [
        Bar(start + place * HOUR, HOUR, price, price, price, price, Decimal("0.1"))
        for place in range(count)
    ]


@pytest.fixture
def server() -> Iterator[MarketServer]:
    with MarketServer() as server:
        yield server


@pytest.fixture
def feed(server: MarketServer, clock: ManualClock) -> Iterator[HyperliquidCandles]:
    with closing(HyperliquidCandles(HyperliquidInfo(server.origin, 30, clock))) as feed:
        yield feed


@pytest.fixture
def hasty(server: MarketServer, clock: ManualClock) -> Iterator[HyperliquidCandles]:
    with closing(HyperliquidCandles(HyperliquidInfo(server.origin, 0.3, clock))) as feed:
        yield feed


def failed(feed: HyperliquidCandles, server: MarketServer, fault: Behaviour) -> AskFailedError:
    server.trade("SOL", "1h", walk(5))
    server.script(fault)
    with pytest.raises(AskFailedError) as failure:
        feed.fetch("SOL", HOUR, START, NOW)
    return failure.value


def changed(**fields: Any) -> Behaviour:
    """Answer with candles whose first one has other fields."""

    def act(turn: Any) -> None:
        candles = turn.work()
        candles[0] = candles[0] | fields
        turn.send(200, json.dumps(candles).encode())

    return act


def test_candles_arrive_exact_and_in_order(server, feed):
    server.trade("SOL", "1h", walk(5))

    assert feed.fetch("SOL", HOUR, START, NOW) == walk(5)
    assert "authorization" not in server.asked[0].headers


def test_a_long_stretch_is_asked_page_by_page_without_a_bar_twice(server, feed):
    start = NOW - (2 * PAGE_CANDLES + 5) * HOUR
    server.trade("SOL", "1h", walk(2 * PAGE_CANDLES + 5, start))

    assert feed.fetch("SOL", HOUR, start, NOW) == walk(2 * PAGE_CANDLES + 5, start)
    assert server.requests == 3


def test_candles_open_at_the_ends_of_the_stretch_are_left_out(server, feed):
    server.trade("SOL", "1h", walk(5))

    minute = timedelta(minutes=1)
    assert feed.fetch("SOL", HOUR, START + 2 * HOUR - minute, NOW) == walk(5)[2:]
    assert feed.fetch("SOL", HOUR, START, START + 2 * HOUR) == walk(5)[:2]


def test_a_market_nobody_knows_has_no_candles(server, feed):
    assert feed.fetch("NOPE", HOUR, START, NOW) == []


def test_an_interval_the_venue_does_not_have_is_refused(server, feed):
    with pytest.raises(InvalidInputError, match="interval"):
        feed.fetch("SOL", 7 * HOUR, START, NOW)
    assert server.requests == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"c": 1.3},
        {"c": "NaN"},
        {"c": "Infinity"},
        {"c": "-1"},
        {"c": "0"},
        {"c": None},
        {"h": "0.0000001"},
        {"l": "9"},
        {"t": "1"},
        {"t": True},
        {"t": 10**18},
        {"s": "BTC"},
        {"i": "1d"},
    ],
)
def test_a_reply_with_one_candle_that_does_not_fit_is_no_reply(server, feed, fields):
    assert "Hyperliquid sent" in str(failed(feed, server, changed(**fields)))


@pytest.mark.parametrize(
    "body", [b"", b"null", b"<html>", b'{"a": 1}', b"[1]", b"[" * 100_000, b"\xff", b"[{}]"]
)
def test_a_body_that_is_no_list_of_candles_is_no_reply(server, feed, body):
    assert "Hyperliquid sent" in str(failed(feed, server, says(body)))


@pytest.mark.parametrize("fault", [hang, drip, drip_body])
def test_a_whole_page_has_one_deadline(server, hasty, fault):
    began = monotonic()

    assert "within 0.3 s" in str(failed(hasty, server, fault))
    assert monotonic() - began < 5


@pytest.mark.parametrize("fault", [cut, reset, flood])
def test_a_broken_or_endless_reply_is_no_reply(server, feed, fault):
    assert failed(feed, server, fault)


def test_a_pause_the_venue_asks_for_is_told(server, feed):
    assert failed(feed, server, refuses(429, Retry_After="7")).retry_after_s == 7
    assert failed(feed, server, refuses(500)).retry_after_s is None


def test_a_wrong_address_and_a_refused_request_are_told_apart(server, feed):
    assert isinstance(failed(feed, server, refuses(404)), SetupError)
    server.script(refuses(422))
    with pytest.raises(RefusedError):
        feed.fetch("SOL", HOUR, START, NOW)


def test_a_venue_that_is_not_there_was_not_asked(clock):
    with closing(HyperliquidCandles(HyperliquidInfo("http://127.0.0.1:9", 5, clock))) as feed:
        with pytest.raises(NotSentError, match="AFTERWORD_HYPERLIQUID_BASE_URL"):
            feed.fetch("SOL", HOUR, START, NOW)


def test_a_venue_that_asks_for_a_pause_is_left_alone(server, stores, clock):
    settings = load(home=stores.home, hyperliquid_base_url=server.origin)
    server.script(refuses(429, Retry_After="60"))
    with closing(build_hyperliquid(settings, stores.instance, clock)) as feed:
        for _ in range(2):
            with pytest.raises(CircuitOpenError):
                feed.fetch("SOL", HOUR, START, NOW)
        assert server.requests == 1
        clock.advance(seconds=61)
        assert feed.fetch("SOL", HOUR, START, NOW) == []


def test_fetching_goes_on_from_the_last_known_bar_and_leaves_the_open_one(
    server, feed, store, clock
):
    clock.set(NOW + timedelta(minutes=30))
    server.trade("SOL", "1h", walk(11))  # the eleventh opened at NOW and is still open

    with pytest.raises(InvalidInputError, match="since"):
        fetch_bars(store, feed, "SOL", HOUR, clock)
    assert fetch_bars(store, feed, "SOL", HOUR, clock, START + timedelta(minutes=5)) == PriceCounts(
        10
    )

    clock.advance(hours=1)
    server.trade("SOL", "1h", walk(12))
    assert fetch_bars(store, feed, "SOL", HOUR, clock) == PriceCounts(bars_new=1, bars_known=1)
    assert list_series(store)[0].gaps == 0


def test_a_candle_the_venue_corrects_is_a_revision(server, feed, store, clock):
    server.trade("SOL", "1h", walk(10))
    fetch_bars(store, feed, "SOL", HOUR, clock, START)
    server.trade("SOL", "1h", walk(1, START + 9 * HOUR, close=2))

    assert fetch_bars(store, feed, "SOL", HOUR, clock) == PriceCounts(bars_revised=1)


def test_a_page_that_fails_leaves_what_is_kept(server, feed, store, clock):
    server.trade("SOL", "1h", walk(10))
    fetch_bars(store, feed, "SOL", HOUR, clock, START)
    server.script(cut)

    with pytest.raises(AskFailedError):
        fetch_bars(store, feed, "SOL", HOUR, clock)
    assert list_series(store)[0].bars == 10
