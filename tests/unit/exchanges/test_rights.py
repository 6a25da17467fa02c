"""Only a key that reads is used, and the account is whose the venue says it is."""

import sys
from collections.abc import Callable

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.accounts.read import list_accounts, show_account
from afterword.pipeline.domain.accounts.remove import remove_account
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.model import COVERED_EXCHANGES
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.exchange_server import ExchangeServer
from afterword.pipeline.testing.faulty_server import changed, says
from tests.unit.exchanges.conftest import KEY

POWERS = {
    "binance": "enableSpotAndMarginTrading",
    "bybit": "Order",
    "okx": "withdraw",
    "kraken": "withdraw-funds",
}


@pytest.mark.parametrize("venue", COVERED_EXCHANGES)
def test_a_key_that_reads_is_taken_and_its_number_is_the_address(
    venue: str, exchanges: Exchanges, store: Store, clock: ManualClock
) -> None:
    added = add_exchange_account(store, exchanges, venue, venue, [], clock)
    assert added.account.address == f"{venue}:4711"
    assert show_account(store, venue) == added.account


@pytest.mark.parametrize(("venue", "power"), POWERS.items())
def test_a_key_that_may_do_more_than_read_is_refused(
    venue: str,
    power: str,
    server: ExchangeServer,
    exchanges: Exchanges,
    store: Store,
    clock: ManualClock,
) -> None:
    server.account(KEY).powers = (power,)
    with pytest.raises(InvalidInputError, match=rf"must only read, .*{power}") as refused:
        add_exchange_account(store, exchanges, venue, venue, [], clock)
    assert KEY not in str(refused.value)
    assert list_accounts(store) == []


@pytest.mark.parametrize(
    "forget",
    [
        lambda reply: reply.pop("enableReading"),
        lambda reply: reply.update(enableReading="yes"),
        lambda reply: reply.update(enableReading=False),
        lambda reply: reply.clear(),
    ],
)
def test_what_says_nothing_of_the_rights_is_not_taken_for_a_key_that_reads(
    forget: Callable[..., object],
    server: ExchangeServer,
    exchanges: Exchanges,
    store: Store,
    clock: ManualClock,
) -> None:
    server.script(says(b'{"serverTime": %d}' % server.now_ms), changed(forget))
    with pytest.raises(UnavailableError):
        add_exchange_account(store, exchanges, "binance", "binance", [], clock)
    assert list_accounts(store) == []


def test_a_power_that_is_not_known_yet_counts_as_one(
    server: ExchangeServer, exchanges: Exchanges, store: Store, clock: ManualClock
) -> None:
    server.account(KEY).powers = ("enableTeleport",)
    with pytest.raises(InvalidInputError, match="enableTeleport"):
        add_exchange_account(store, exchanges, "binance", "binance", [], clock)


def test_a_second_key_of_an_account_is_the_same_account(
    server: ExchangeServer, exchanges: Exchanges, store: Store, clock: ManualClock
) -> None:
    add_exchange_account(store, exchanges, "okx", "main", [], clock)
    again = add_exchange_account(store, exchanges, "okx", "main", [], clock)
    assert not again.is_new
    with pytest.raises(InvalidInputError, match="is the own account main"):
        add_exchange_account(store, exchanges, "okx", "second", [], clock)
    assert [account.name for account in list_accounts(store)] == ["main"]


def test_a_key_that_was_exchanged_for_that_of_another_account_mirrors_nothing(
    server: ExchangeServer,
    exchanges: Exchanges,
    parts: MirrorParts,
    clock: ManualClock,
) -> None:
    add_exchange_account(parts.store, exchanges, "okx", "main", [], clock)
    server.account(KEY).uid = "4712"
    report = sync_accounts(parts, no_hyperliquid(clock), SyncPauses())
    assert {source.source for source in report.sources} == {"funding", "perps_fills"}
    assert all("must be of okx:4711" in (source.error or "") for source in report.sources)


def test_a_key_that_is_given_more_rights_later_is_not_used_any_more(
    server: ExchangeServer, exchanges: Exchanges, parts: MirrorParts, clock: ManualClock
) -> None:
    add_exchange_account(parts.store, exchanges, "bybit", "main", [], clock)
    server.account(KEY).powers = ("Order",)
    report = sync_accounts(parts, no_hyperliquid(clock), SyncPauses())
    assert all("must only read" in (source.error or "") for source in report.sources)
    assert server.asked_at("/v5/execution/list") == []


def test_markets_are_named_where_the_venue_needs_it_and_stay_as_they_were(
    server: ExchangeServer, exchanges: Exchanges, store: Store, clock: ManualClock
) -> None:
    with pytest.raises(InvalidInputError, match="must not be named for OKX"):
        add_exchange_account(store, exchanges, "okx", "okx", ["BTC/USDT"], clock)
    with pytest.raises(InvalidInputError, match="such as BTC/USDT"):
        add_exchange_account(store, exchanges, "binance", "main", ["BTCUSDT"], clock)
    added = add_exchange_account(store, exchanges, "binance", "main", ["eth/usdt"], clock)
    assert added.account.markets == ("ETH/USDT",)
    with pytest.raises(InvalidInputError, match="afterword account rm main"):
        add_exchange_account(store, exchanges, "binance", "main", [], clock)
    remove_account(store, "main", clock)
    assert add_exchange_account(store, exchanges, "binance", "main", [], clock).is_new


def test_a_market_that_the_venue_does_not_know_is_refused(
    server: ExchangeServer, exchanges: Exchanges, store: Store, clock: ManualClock
) -> None:
    unknown = says(b'{"code": -1121, "msg": "Invalid symbol."}', status=400)
    server.failing["/api/v3/myTrades"] = unknown
    with pytest.raises(InvalidInputError, match="market: is unknown to Binance"):
        add_exchange_account(store, exchanges, "binance", "main", ["NO/SUCH"], clock)
    assert list_accounts(store) == []


def test_a_venue_that_is_not_covered_is_refused_with_those_that_are(command: Command) -> None:
    done = command("account", "add", "main", "--venue", "mtgox", "--own")
    assert done.code == 2
    assert "hyperliquid, binance, bybit, okx, kraken" in done.err


def test_an_account_is_named_by_an_address_or_by_a_venue(command: Command) -> None:
    assert "address: must be given" in command("account", "add", "main", "--own").err
    both = command("account", "add", "main", "0x" + "a" * 40, "--venue", "okx", "--own")
    assert "address: must not be given for 'okx'" in both.err
    reference = command("account", "add", "main", "--venue", "okx", "--reference")
    assert "reference: must have a public address" in reference.err


def test_without_ccxt_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
    exchange_settings: Callable[..., Settings],
    instance: Store,
    store: Store,
    clock: ManualClock,
) -> None:
    monkeypatch.setitem(sys.modules, "ccxt.kraken", None)  # as if it were not there
    exchanges = Exchanges(exchange_settings("main"), instance, clock)
    with pytest.raises(InvalidInputError, match=r"pip install 'afterword\[exchanges\]'"):
        add_exchange_account(store, exchanges, "kraken", "main", [], clock)


def no_hyperliquid(clock: ManualClock) -> HyperliquidInfo:
    """The way to Hyperliquid, which no account here needs."""
    return HyperliquidInfo("http://127.0.0.1:9", 1, clock)
