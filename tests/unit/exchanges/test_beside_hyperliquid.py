"""What only Hyperliquid tells of an account is asked of no exchange, and said of none."""

import json
from collections.abc import Iterator

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.capital.read import read_capital
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.exchange_markets import binance_income, binance_trade
from afterword.pipeline.testing.exchange_server import ExchangeServer
from afterword.pipeline.testing.venue_server import (
    VenueServer,
    perp_state,
    spot_balance,
    venue_trip,
)
from tests.unit.exchanges.conftest import KEY, SECRET

MINE = "0x" + "ab" * 20
DAY = 86_400_000


@pytest.fixture
def hyperliquid(monkeypatch: pytest.MonkeyPatch, server: ExchangeServer) -> Iterator[VenueServer]:
    """Hyperliquid with an address, and Binance with the key of the account `bot`."""
    with VenueServer() as venue:
        venue.account(MINE).hold(spot_balance(0, "USDC", "40.5"))
        venue.account(MINE).states[""] = perp_state("100.25")
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", venue.origin)
        origins = json.dumps({"binance": server.origin})
        monkeypatch.setenv("AFTERWORD_EXCHANGE_BASE_URL", origins)
        monkeypatch.setenv("AFTERWORD_EXCHANGE_BOT_KEY", KEY)
        monkeypatch.setenv("AFTERWORD_EXCHANGE_BOT_SECRET", SECRET)
        yield venue


@pytest.fixture
def bot(hyperliquid: VenueServer, command: Command) -> None:
    """An account at Binance."""
    added = command("account", "add", "bot", "--venue", "binance", "--own")
    assert added.code == 0, added.err


@pytest.fixture
def main(hyperliquid: VenueServer, command: Command) -> None:
    """An account at Hyperliquid."""
    assert command("account", "add", "main", MINE, "--own").code == 0


@pytest.mark.usefixtures("main", "bot")
def test_a_capital_is_that_at_hyperliquid_and_names_what_it_leaves_out(
    command: Command, writer: Writer
) -> None:
    done = command("capital", "refresh", "--json")
    assert done.code == 0, done.err
    assert {part["account"] for part in done.json["capital"]["parts"]} == {"main"}
    assert done.json["missing"] == []
    assert "Not counted: bot (binance)" in " ".join(command("capital", "show").out.split())
    assert command("capital", "show", "--json").json["uncounted"] == ["bot"]
    capital = Agent(Door(writer, begin_session(writer).handle)).capital()
    assert capital is not None
    assert (capital.capital_total_usd, capital.uncounted_accounts) == ("140.75", 1)


@pytest.mark.usefixtures("bot")
def test_with_an_account_at_an_exchange_only_there_is_no_capital(
    command: Command, hyperliquid: VenueServer, store: Store
) -> None:
    assert command("capital", "refresh", "--json").json == {"capital": None, "missing": []}
    assert hyperliquid.requests == 0
    with reading(store) as conn:
        assert read_capital(conn) is None


@pytest.mark.usefixtures("bot")
def test_new_fills_at_an_exchange_ask_for_no_capital(
    command: Command, server: ExchangeServer, store: Store
) -> None:
    at_ms = server.now_ms - DAY
    server.account(KEY).futures = [binance_trade(1, at_ms, "0.002")]
    server.account(KEY).income = [binance_income(1, at_ms, "COMMISSION", "-0.02")]
    done = command("sync", "now", "--json").json
    assert {source["source"]: source["new"] for source in done["sources"]} == {
        "funding": 0,
        "perps_fills": 1,
    }
    with reading(store) as conn:
        kinds = conn.exec_driver_sql("SELECT kind FROM jobs").scalars().all()
    assert "refresh_capital" not in kinds


@pytest.mark.usefixtures("main", "bot")
def test_what_an_account_at_an_exchange_is_worth_is_refused_and_left_out(
    command: Command, clock: ManualClock
) -> None:
    assert command("sync", "now").code == 0
    clock.advance(hours=1)
    assert command("sync", "now").code == 0
    refused = command("history", "reconcile", "bot")
    assert refused.code == 2
    assert "account: must be at Hyperliquid: binance is not asked what bot is worth" in refused.err
    told = command("history", "reconcile", "--json").json
    assert [(each["account"], each["values"]) for each in told] == [("main", 2)]


@pytest.mark.usefixtures("bot")
def test_the_name_of_an_account_at_an_exchange_is_not_taken_for_an_address(
    command: Command, hyperliquid: VenueServer, server: ExchangeServer
) -> None:
    hyperliquid.account(MINE).trade(venue_trip(1, server.now_ms - DAY))
    refused = command("learn", MINE, "--account", "bot", "--keep")
    assert refused.code == 2
    assert "bot is of binance:4711" in " ".join(refused.err.split())
