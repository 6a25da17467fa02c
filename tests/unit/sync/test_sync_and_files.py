"""Trades that a mirror and a file both tell of count once, in whatever order they come."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.recorded_trades.record import record_trade
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import Reply
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill, venue_payment

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20
MINUTE_MS = 60_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


def trips(count: int, clock: ManualClock, first_tid: int = 1) -> list[Reply]:
    """Return trips that each buy one coin at 100 and sell it at 101, a minute later."""
    begin = (clock() - EPOCH) // timedelta(milliseconds=1) - 5 * count * MINUTE_MS + 345
    rows = []
    for place in range(count):
        at, tid = begin + 2 * place * MINUTE_MS, first_tid + 2 * place
        rows.append(venue_fill(tid, at, "1.0"))
        sale = venue_fill(tid + 1, at + MINUTE_MS, "-1.0", "1.0", px="101.0", closedPnl="1.0")
        rows.append(sale)
    return rows


def page_of(path: Path, rows: Sequence[Reply]) -> str:
    """Save rows as the page of the venue exports them: to the second, without ids."""
    lines = ["time,coin,dir,px,sz,ntl,fee,closedPnl"]
    for row in rows:
        at = EPOCH + timedelta(milliseconds=row["time"])
        values = (row[name] for name in ("coin", "dir", "px", "sz"))
        worth = float(row["px"]) * float(row["sz"])
        # The page writes a profit after its fee.
        profit = float(row["closedPnl"]) - float(row["fee"])
        lines.append(
            f"{at:%m/%d/%Y - %H:%M:%S},{','.join(values)},{worth},{row['fee']},{profit:.2f}"
        )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def kept(command: Command) -> list[str]:
    trades = command("trades", "ls", "--json").json
    return [trade["trip"]["net"] for trade in trades]


def did(command: Command, *line: str) -> None:
    done = command(*line)
    assert done.code == 0, done.err


@pytest.mark.parametrize("first", ["mirror", "file"])
def test_the_page_of_the_venue_beside_its_mirror_counts_once(
    server: VenueServer, command: Command, clock: ManualClock, tmp_path: Path, first: str
) -> None:
    rows = trips(6, clock)
    server.account(MINE).trade(rows)
    page = page_of(tmp_path / "page.csv", rows)
    did(command, "account", "add", "main", MINE, "--own")
    steps = [
        ("sync", "now"),
        ("learn", page, "--keep", "--account", "main", "--zone", "UTC", "--time-format", "mdy"),
    ]
    for line in steps if first == "mirror" else steps[::-1]:
        did(command, *line)
    assert len(kept(command)) == 6
    clock.advance(minutes=30)
    server.account(MINE).trade(trips(1, clock, first_tid=100))
    did(command, "sync", "now")
    assert len(kept(command)) == 7


def test_the_saved_api_beside_the_mirror_counts_once(
    server: VenueServer, command: Command, clock: ManualClock, tmp_path: Path
) -> None:
    rows = trips(6, clock)
    server.account(MINE).trade(rows)
    file = tmp_path / "fills.json"
    file.write_text(json.dumps(rows))
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    did(command, "learn", str(file), "--keep", "--account", "main")
    did(command, "learn", MINE, "--keep", "--account", "main")
    assert len(kept(command)) == 6


SOURCES = ("mirror", "saved API", "page", "agent")


@pytest.mark.parametrize("order", [*permutations(SOURCES)], ids=", ".join)
def test_four_sources_of_the_same_trades_count_each_once(
    server: VenueServer,
    command: Command,
    clock: ManualClock,
    writer: Writer,
    tmp_path: Path,
    order: tuple[str, ...],
) -> None:
    rows = trips(2, clock)
    server.account(MINE).trade(rows)
    saved = tmp_path / "fills.json"
    saved.write_text(json.dumps(rows))
    learn = ("learn", "--keep", "--account", "main")
    page = page_of(tmp_path / "page.csv", rows)
    lines = {
        "mirror": ("sync", "now"),
        "saved API": (*learn, str(saved)),
        "page": (*learn, page, "--zone", "UTC", "--time-format", "mdy"),
    }
    did(command, "account", "add", "main", MINE, "--own")
    for source in (*order, *order):  # told again, nothing changes
        if source == "agent":
            record(writer, rows)
        else:
            did(command, *lines[source])
    assert kept(command) == ["0.98", "0.98"]
    with reading(writer.store) as conn:
        recorded = recorded_trades(conn)
        fills = conn.exec_driver_sql("SELECT count(*) FROM perps_fills").scalar_one()
    assert (len(recorded), fills) == (len(rows), len(rows))
    # The page has no ids of executions, so what it told first is nobody's fill.
    linked = [fill_id for trade in recorded for fill_id in trade.fill_ids]
    told_first = min(("mirror", "saved API", "page"), key=order.index)
    assert len(set(linked)) == len(linked) == (0 if told_first == "page" else len(rows))


def record(by: Writer, rows: Sequence[Reply]) -> None:
    """Record fills as the agent that traded them."""
    for row in rows:
        record_trade(
            by,
            NewTrade(
                venue="hyperliquid",
                account="main",
                asset=row["coin"],
                side="buy" if row["side"] == "B" else "sell",
                size=row["sz"],
                price=row["px"],
                tid=str(row["tid"]),
                occurred_at=EPOCH + timedelta(milliseconds=row["time"]),
            ),
        )


def test_an_address_is_kept_under_one_name(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    did(command, "learn", MINE, "--keep")
    refused = command("account", "add", "main", MINE, "--own")
    assert refused.code != 0
    assert "hyperliquid" in refused.err
    did(command, "account", "add", "hyperliquid", MINE, "--own")
    did(command, "sync", "now")
    assert len(kept(command)) == 3
    refused = command("learn", MINE, "--keep", "--account", "another")
    assert refused.code != 0
    assert "hyperliquid" in refused.err


def test_two_addresses_are_not_kept_under_one_name(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    server.account(OTHER).trade(trips(3, clock, first_tid=100))
    did(command, "learn", MINE, "--keep")
    refused = command("learn", OTHER, "--keep")
    assert refused.code != 0
    assert MINE in refused.err
    assert len(kept(command)) == 3


def test_a_look_into_the_past_before_the_first_trade_is_empty(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    done = command("learn", MINE, "--as-of", "2020-01-01T00:00:00Z")
    assert done.code == 0, done.err


def test_a_name_of_a_removed_account_is_of_its_address(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    server.account(OTHER).trade(trips(3, clock, first_tid=100))
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    did(command, "account", "rm", "main")
    clock.advance(minutes=1)
    for line in (("main", OTHER), ("second", MINE)):
        refused = command("account", "add", *line, "--own")
        assert refused.code != 0
        assert "main" in refused.err
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    assert len(kept(command)) == 3


def test_a_name_without_trades_is_free_again_and_begins_anew(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE)
    funding = {"type": "funding", "coin": "BTC", "usdc": "-0.25", "szi": "1.0"}
    now_ms = (clock() - EPOCH) // timedelta(milliseconds=1)
    server.account(MINE).funding = [{"time": now_ms, "delta": funding | {"fundingRate": "0.1"}}]
    rows = [row | {"time": row["time"] - 1440 * MINUTE_MS} for row in trips(3, clock)]
    server.account(OTHER).trade(rows)
    server.account(OTHER).funding = [
        {"time": rows[1]["time"], "delta": funding | {"fundingRate": "0.1"}}
    ]
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    did(command, "account", "rm", "main")
    clock.advance(minutes=1)
    did(command, "account", "add", "main", OTHER, "--own")
    did(command, "sync", "now")
    assert kept(command) == ["0.98", "0.98", "0.73"]


@pytest.mark.parametrize("subject", ["main", MINE])
def test_an_account_is_forgotten_with_its_funding_and_its_mirror(
    server: VenueServer, command: Command, clock: ManualClock, subject: str
) -> None:
    rows = trips(3, clock)
    server.account(MINE).trade(rows)
    delta = {"type": "funding", "coin": "BTC", "usdc": "-0.25", "szi": "1.0", "fundingRate": "0.1"}
    server.account(MINE).funding = [{"time": rows[1]["time"], "delta": delta}]
    deposit = {"type": "deposit", "usdc": "5.0"}
    server.account(MINE).ledger = [{"time": rows[0]["time"], "hash": "0x1", "delta": deposit}]
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    done = command("forget", "--subject", subject, "--trades", "--apply", "--yes")
    tables = {"accounts", "account_values", "funding_payments", "perps_fills", "transfers"}
    tables |= {"minara_history_sync_state"} if subject == "main" else set()
    assert {table for table in tables if table in done.out} == tables
    assert "proved" in done.out


@pytest.mark.parametrize(
    "line",
    [
        ("account", "add", "{key}", MINE, "--own"),
        ("account", "add", "main", "0x{key}", "--own"),
        ("account", "show", "{key}"),
        ("account", "rm", "0x{key}"),
        ("sync", "now", "0x{key}"),
        ("sync", "pause", "{key}"),
        ("learn", "{key}"),
        ("learn", "0x{key}"),
    ],
    ids=" ".join,
)
def test_a_key_is_repeated_nowhere(
    server: VenueServer, command: Command, clock: ManualClock, line: tuple[str, ...]
) -> None:
    server.account(MINE)
    server.account(OTHER)
    did(command, "account", "add", "other", OTHER, "--own")
    key = "a1b2" * 16
    done = command(*(word.format(key=key) for word in line))
    assert done.code != 0
    assert key not in done.out + done.err


def test_a_look_at_a_moment_before_a_later_run_shows_what_it_showed_then(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    first, last = trips(1, clock)
    account = server.account(MINE)
    account.trade([first, last | {"sz": "1.5", "startPosition": "1.5"}])
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    clock.advance(minutes=31)
    looks = [
        (*words, "--as-of", f"{clock():%Y-%m-%dT%H:%M:%SZ}", "--json")
        for words in (
            ("trades", "ls"),
            ("account", "ls"),
            ("memory", "read"),
            ("account", "show", "main"),
        )
    ]
    before = [command(*line).out for line in looks]
    clock.advance(minutes=1)
    account.trade([venue_fill(90, first["time"] + 1_000, "0.5", "1.0"), *trips(1, clock, 100)])
    account.funding = [venue_payment(first["time"] + 2_000)]
    did(command, "sync", "now")
    did(command, "sync", "pause", "main")
    assert command("trades", "ls", "--json").out != before[0]
    assert [command(*line).out for line in looks] == before
    did(command, "account", "rm", "main")
    assert [command(*line).out for line in looks] == before


def test_fills_that_come_late_replace_the_memory_and_the_decision_of_their_trip(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    rows = trips(1, clock)
    account = server.account(MINE)
    account.trade(rows)
    role = ("role", "record", "market.spot.momentum", "--from-trips")
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    did(command, *role)
    remembered, decided = memories(command), decisions(command)
    clock.advance(minutes=31)
    # Bought and sold in the middle of it.
    account.trade(
        [
            venue_fill(91, rows[0]["time"] + 2_000, "0.5", "1.0"),
            venue_fill(92, rows[0]["time"] + 3_000, "-0.5", "1.5"),
        ]
    )
    did(command, "sync", "now")
    did(command, *role)
    assert memories(command) != remembered
    assert decisions(command) != decided
    lengths = [len(found) for found in (remembered, decided, memories(command), decisions(command))]
    assert lengths == [1, 1, 1, 1]


def memories(command: Command) -> list[str]:
    """Return what is remembered of trades."""
    found = command("memory", "read", "--category", "trade_outcome", "--json").json
    return [memory["content"] for memory in found]


def decisions(command: Command) -> list[str]:
    """Return the ids of the decisions that stand."""
    found = command("role", "list", "market.spot.momentum", "--json").json
    return [decision["uid"] for decision in found if decision["superseded_at"] is None]
