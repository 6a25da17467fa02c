"""What somebody traded in the last days: mirrored, imported and recorded, each trade once."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import EPOCH, iso
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import Reply
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill

MINE, WHALE = "0x" + "ab" * 20, "0x" + "cd" * 20
MINUTE_MS = 60_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


@pytest.fixture
def agent(writer: Writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle))


@pytest.fixture
def save(tmp_path: Path, clock: ManualClock, command: Command) -> Callable[..., None]:
    """Import rows of the venue's API as an account."""

    def put(rows: Sequence[Reply], account: str = "main") -> None:
        file = tmp_path / "fills.json"
        file.write_text(json.dumps(rows))
        done = command("learn", str(file), "--keep", "--account", account)
        assert done.code == 0, done.err

    return put


def ms(clock: ManualClock, **ago: int) -> int:
    return (clock() - timedelta(**ago) - EPOCH) // timedelta(milliseconds=1)


def did(command: Command, *line: str) -> Any:
    done = command(*line, "--json")
    assert done.code == 0, done.err
    return done.json


def trip(tid: int, at: int, profit: str = "1.0", **changes: Any) -> list[Reply]:
    """Return a purchase of one unit at 100, and its sale a minute later."""
    price = {"px": str(100 + float(profit)), "closedPnl": profit}
    sale = venue_fill(tid + 1, at + MINUTE_MS, "-1.0", "1.0", **price)
    return [venue_fill(tid, at, "1.0") | changes, sale | changes]


def test_fills_that_won_stand_beside_the_round_trips_they_made(
    command: Command, clock: ManualClock, save: Callable[..., None]
) -> None:
    """A loser is closed in one fill, a winner in many: 75 % of fills won, and no trip."""
    at = ms(clock, hours=1)
    sales = [("-1.0", "4.0", "1.0", "101.0"), ("-1.0", "3.0", "1.0", "101.0")]
    sales += [("-1.0", "2.0", "1.0", "101.0"), ("-1.0", "1.0", "-10.0", "90.0")]
    rows = [venue_fill(1, at, "4.0")]
    for place, (size, held, profit, price) in enumerate(sales, 2):
        rows.append(venue_fill(place, at + place, size, held, closedPnl=profit, px=price))
    save(rows)

    perps = did(command, "trades", "profile")["perps"]

    assert (perps["win_rate_fills"], perps["closing_fills"], perps["trade_count"]) == (0.75, 4, 5)
    assert (perps["trips"], perps["trips_won"]) == (1, 0)
    assert perps["trips_net_micro_usd"] == -7_050_000  # after five fees of a cent
    assert perps["realized_pnl_micro_usd"] == -7_000_000
    assert (perps["long_count"], perps["short_count"]) == (5, 0)
    assert perps["top_symbols"] == [{"symbol": "BTC", "count": 5, "volume_micro_usd": 793_000_000}]
    assert perps["average_trade_size_micro_usd"] == 158_600_000
    text = command("trades", "profile").out
    assert "1, 0 won (0 %), net −$7.05" in text
    assert "75 % of 4" in text


def test_mirrored_imported_and_recorded_trades_count_once_each(
    server: VenueServer,
    command: Command,
    clock: ManualClock,
    save: Callable[..., None],
    agent: Agent,
) -> None:
    mirrored = trip(1, ms(clock, hours=3))
    server.account(MINE).trade(mirrored)
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    save(mirrored)
    save(trip(11, ms(clock, hours=2)), account="second")
    same = {"venue": "hyperliquid", "account": "main", "asset": "BTC", "size": "1"}
    agent.trade_record(**same, side="buy", price="100", tid="1")
    new = {"venue": "binance", "account": "elsewhere", "asset": "SOL-PERP", "size": "2"}
    bought = agent.trade_record(**new, side="buy", price="150")
    agent.trade_record(**new, side="sell", price="151", closes=bought.id, realised_usd="1.50")

    perps = agent.trading_profile().perps

    assert (perps.trades, perps.recorded) == (6, 2)
    assert (perps.round_trips, perps.won, perps.net_usd) == (3, 3, "3.46")
    assert (perps.realized_pnl_usd, perps.closing_fills, perps.win_rate_fills) == ("3.5", 3, 1.0)
    assert perps.long_trades == 6
    assert [(top.symbol, top.count) for top in perps.top_symbols] == [("BTC", 4), ("SOL-PERP", 2)]
    assert call(agent, "trading_profile", {"days": 1})["perps"]["trades"] == 6


def test_a_recorded_position_is_a_round_trip_once_it_is_closed(agent: Agent) -> None:
    new = {"venue": "binance", "account": "elsewhere", "asset": "SOL-PERP", "price": "150"}
    bought = agent.trade_record(**new, side="buy", size="2")
    half = agent.trade_record(**new, side="sell", size="1", closes=bought.id, realised_usd="3")
    assert agent.trading_profile().perps.round_trips == 0
    rest = agent.trade_record(**new, side="sell", size="1", closes=bought.id)
    assert agent.trading_profile().perps.round_trips == 0
    agent.trade_outcome(rest.id, "-1")
    perps = agent.trading_profile().perps
    assert (perps.round_trips, perps.won, perps.net_usd) == (1, 1, "2")
    agent.trade_outcome(half.id, "-1")
    assert agent.trading_profile().perps.won == 0


def test_perpetuals_and_spot_stand_apart(
    command: Command, clock: ManualClock, save: Callable[..., None], agent: Agent
) -> None:
    spot = [
        row | {"coin": "@107", "dir": word}
        for row, word in zip(trip(11, ms(clock, hours=2)), ("Buy", "Sell"), strict=True)
    ]
    save([*trip(1, ms(clock, hours=1)), *spot])
    agent.trade_record("hyperliquid", "main", "PURR/USDC", "buy", "1", "0.1")
    agent.trade_record("alpaca", "stocks", "TSLA", "buy", "1", "400")
    profile = did(command, "trades", "profile")
    counts = {group: profile[group]["trade_count"] for group in ("perps", "spot", "other")}
    assert counts == {"perps": 2, "spot": 3, "other": 1}
    assert [profile[group]["trips"] for group in ("perps", "spot")] == [1, 1]


def test_a_reference_account_is_in_no_figure_of_the_owner(
    server: VenueServer, command: Command, clock: ManualClock, agent: Agent
) -> None:
    server.account(WHALE).trade(trip(1, ms(clock, hours=1)))
    did(command, "account", "add", "whale", WHALE, "--reference")
    did(command, "learn", WHALE, "--keep", "--account", "whale")
    clock.advance(minutes=1)
    assert agent.trading_profile().perps.trades == 0
    assert agent.search_user_trades("BTC") == []
    assert did(command, "trades", "stats")["sums"] == []
    # Asked for by its name, it is shown: to compare with it is what it was added for.
    assert did(command, "trades", "profile", "--account", "whale")["perps"]["trips"] == 1


def test_only_the_days_that_are_asked_for_count_and_the_past_stays_as_it_was(
    command: Command, clock: ManualClock, save: Callable[..., None], agent: Agent
) -> None:
    save([*trip(1, ms(clock, days=20)), *trip(11, ms(clock, days=3))])
    before = clock()
    counts = [agent.trading_profile(days).perps.trades for days in (2, 7, 30)]
    assert counts == [0, 2, 4]
    clock.advance(days=29)
    save(trip(21, ms(clock, days=29, hours=12)))  # a late page, of a time before
    assert did(command, "trades", "profile")["perps"]["trade_count"] == 2
    past = did(command, "trades", "profile", "--as-of", iso(before))
    assert past["perps"]["trade_count"] == 4
    for days in ("0", "3661"):
        assert "1 to 3,660" in command("trades", "profile", "--days", days).err


@pytest.mark.parametrize(
    ("coin", "asked"),
    [
        ("BTC", "bitcoin"),
        ("kPEPE", "pepe"),
        ("kPEPE", "kPEPE"),
        ("xyz:TSLA", "TSLA"),
        ("@107", "HYPE"),
        ("@107", "@107"),
        ("SOL", "SOL/USDT"),
    ],
)
def test_trades_of_an_asset_are_found_by_any_of_its_names(
    clock: ManualClock, save: Callable[..., None], agent: Agent, coin: str, asked: str
) -> None:
    save(trip(1, ms(clock, hours=1), coin=coin) + trip(11, ms(clock, hours=2), coin="LTC"))
    assert {trade.symbol for trade in agent.search_user_trades(asked)} == {coin}


def test_fills_and_recorded_trades_of_an_asset_are_one_list(
    command: Command, clock: ManualClock, save: Callable[..., None], agent: Agent
) -> None:
    save(trip(1, ms(clock, hours=1), profit="-3.5"))
    agent.trade_record("hyperliquid", "main", "BTC", "buy", "1", "100", tid="1")  # the same trade
    agent.trade_record("binance", "elsewhere", "BTCUSDT", "sell", "2", "99", realised_usd="-2")
    told = [
        (trade.source, trade.account, trade.side, trade.effect, trade.direction, trade.size_usd,
         trade.price, trade.realized_pnl)
        for trade in agent.search_user_trades("BTC")
    ]  # fmt: skip
    assert told == [
        ("recorded", "elsewhere", "sell", None, None, "198", "99", "-2"),
        ("fill", "main", "sell", "close", "long", "96.5", "96.5", "-3.5"),
        ("fill", "main", "buy", "open", "long", "100", "100", None),
    ]
    text = command("trades", "search", "btc").out
    assert "close long" in text


def test_pages_hold_every_trade_once_though_many_share_a_moment(
    command: Command, clock: ManualClock, save: Callable[..., None], agent: Agent
) -> None:
    at = ms(clock)
    save([venue_fill(tid, at, "1.0", f"{tid}.0") for tid in range(55)])
    for _ in range(5):
        agent.trade_record("binance", "elsewhere", "BTC", "buy", "1", "100")
    clock.advance(minutes=1)
    agent.trade_record("binance", "elsewhere", "BTC", "sell", "1", "100")
    whole = [trade.id for trade in agent.search_user_trades("BTC", 100)]
    assert len(set(whole)) == 61
    for size in (3, 7):  # the first ends with a recorded trade, and the second with a fill
        pages: list[str] = []
        while page := agent.search_user_trades("BTC", size, pages[-1] if pages else None):
            pages += [trade.id for trade in page]
        assert pages == whole
    listed = did(command, "trades", "search", "BTC", "--limit", "3", "--after", whole[2])
    assert [trade["id"] for trade in listed] == whole[3:6]
    assert f"--after {whole[2]}" in command("trades", "search", "BTC", "--limit", "3").out
    with pytest.raises(InvalidInputError, match="after"):
        agent.search_user_trades("BTC", after="x")
