"""A fleet keeps an account at an exchange current, while another venue is away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.exchange_markets import okx_fill
from afterword.pipeline.testing.exchange_server import ExchangeServer
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.venue_server import VenueServer
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
def up(home: Path, clock: ManualClock, exchange: ExchangeServer) -> Iterator[Up]:
    """A dispatcher and a worker in this process, with an account at OKX and one at Hyperliquid."""
    with VenueServer() as hyperliquid:
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
        hyperliquid.account(MINE)
        add_account(store, context.venue, "hl", MINE, "own", clock)
        hyperliquid.script(*[refuses(503)] * 100)
        up = Up(context, threads=2)
        up.start()
        yield up
        up.stop()


def test_an_exchange_is_mirrored_while_hyperliquid_is_away(
    up: Up, exchange: ExchangeServer, clock: ManualClock
) -> None:
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
