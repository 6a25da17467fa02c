"""A fleet keeps an account at an exchange current, while another venue is away."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.accounts.nudge import ask_for_sync
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.exchange_markets import okx_fill
from afterword.pipeline.testing.exchange_server import ExchangeServer
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context

MINE = "0x" + "ab" * 20
KEY = "key-of-the-owner"


@pytest.fixture
def exchange(clock: ManualClock) -> Iterator[ExchangeServer]:
    with ExchangeServer(clock) as server:
        yield server


@pytest.fixture
def hyperliquid() -> Iterator[VenueServer]:
    with VenueServer() as server:
        server.account(MINE)
        yield server


@pytest.fixture
def up(
    home: Path, clock: ManualClock, exchange: ExchangeServer, hyperliquid: VenueServer
) -> Iterator[Up]:
    """A dispatcher and a worker in this process, with an account at OKX and one at Hyperliquid."""
    settings = load(
        home=home,
        synchronous="NORMAL",
        hyperliquid_base_url=hyperliquid.origin,
        exchange_base_url={"okx": exchange.origin},
        exchange_keys={"MAIN_KEY": KEY, "MAIN_SECRET": "secret", "MAIN_PASSWORD": "phrase"},
        shutdown_grace_s=0.2,
    )
    context = build_context(settings, clock=clock)
    store = context.stores.group("main", create=True)
    exchange.account(KEY)
    add_exchange_account(store, context.exchanges, "okx", "main", [], clock)
    add_account(store, context.venue, "hl", MINE, "own", clock)
    up = Up(context, threads=2)
    yield up
    up.stop()


def test_a_trade_is_mirrored_while_an_exchange_is_left_alone(
    up: Up, exchange: ExchangeServer, hyperliquid: VenueServer, clock: ManualClock
) -> None:
    exchange.failing["/api/v5/public/time"] = refuses(429, Retry_After="3000")
    up.start()
    store = up.context.stores.group("main")

    def waits() -> bool:
        clock.advance(seconds=20)
        with reading(store) as conn:
            return bool(conn.exec_driver_sql("SELECT 1 FROM jobs WHERE key = 'rest'").first())

    wait_until(waits, 60)
    began = clock()
    clock.advance(minutes=6)  # no mirror rests any more
    now_ms = (clock() - EPOCH) // timedelta(milliseconds=1)
    hyperliquid.account(MINE).trade([venue_fill(1, now_ms, "1.0")])
    with writing(store) as conn:
        ask_for_sync(conn, clock())

    def is_mirrored() -> bool:
        clock.advance(seconds=1)
        with reading(store) as conn:
            return bool(conn.exec_driver_sql("SELECT 1 FROM perps_fills").first())

    wait_until(is_mirrored, 60)
    assert clock() - began < timedelta(minutes=25)  # neither the usual run, nor OKX was waited for


def test_an_exchange_is_mirrored_while_hyperliquid_is_away(
    up: Up, exchange: ExchangeServer, hyperliquid: VenueServer, clock: ManualClock
) -> None:
    hyperliquid.script(*[refuses(503)] * 100)
    up.start()
    exchange.account(KEY).fills = [okx_fill(1, exchange.now_ms - 60_000, "3")]
    store = up.context.stores.group("main")

    def is_mirrored() -> bool:
        clock.advance(minutes=1)
        with reading(store) as conn:
            rows = conn.exec_driver_sql("SELECT sub_account_id, multiplier FROM perps_fills").all()
        return [tuple(row) for row in rows] == [("main", "0.01")]

    wait_until(is_mirrored, 60)
    with reading(store) as conn:
        failures = conn.exec_driver_sql(
            "SELECT DISTINCT consecutive_failures FROM minara_history_sync_state"
        ).scalars()
        assert list(failures) == [0]
