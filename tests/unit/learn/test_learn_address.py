"""`afterword learn 0x…` reads what Hyperliquid has of an address, and keeps nothing of it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.sync.venue_fills import REACHABLE_FILLS
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.faulty_server import Reply, refuses
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20
MINUTE_MS = 60_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


def trips(count: int, clock: ManualClock, first_tid: int = 1) -> list[Reply]:
    """Return trips that each buy one coin at 100 and sell it at 101, a minute later."""
    now_ms = (clock() - EPOCH).total_seconds() * 1000
    begin = int(now_ms) - 3 * count * MINUTE_MS
    rows = []
    for place in range(count):
        at, tid = begin + 2 * place * MINUTE_MS, first_tid + 2 * place
        rows.append(venue_fill(tid, at, "1.0"))
        sale = venue_fill(tid + 1, at + MINUTE_MS, "-1.0", "1.0", px="101.0", closedPnl="1.0")
        rows.append(sale)
    return rows


def learnt(command: Command, *line: str) -> CommandResult:
    done = command("learn", *line)
    assert done.code == 0, done.err
    return done


def test_an_address_has_the_report_of_its_saved_file(
    server: VenueServer, command: Command, clock: ManualClock, tmp_path: Path
) -> None:
    rows = trips(30, clock)
    server.account(MINE).trade(rows)
    file = tmp_path / f"hyperliquid-{MINE}.json"
    file.write_text(json.dumps(rows))
    saved, asked = learnt(command, str(file), "--json"), learnt(command, MINE, "--json")
    assert asked.json["trades"] == saved.json["trades"]
    assert asked.json["files"] == saved.json["files"]
    # 30 trips earned 1 before a fee of 0.02: 29.40 in all.
    assert "+29.40 USDC" in learnt(command, MINE).out


def test_funding_is_in_the_result(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    rows = trips(2, clock)
    account = server.account(MINE)
    account.trade(rows)
    delta = {"type": "funding", "coin": "BTC", "usdc": "-0.25", "szi": "1.0", "nSamples": None}
    moment = rows[0]["time"] + 1_000
    account.funding = [{"time": moment, "delta": delta | {"fundingRate": "0.0000125"}}]
    first, second = learnt(command, MINE, "--json").json["outcomes"]
    assert (first["trip"]["funding"], first["trip"]["net"]) == ("-0.25", "0.73")
    assert (second["trip"]["funding"], second["trip"]["net"]) == (None, "0.98")


def test_nothing_is_kept_unless_it_is_asked_for(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    learnt(command, MINE)
    assert not command.home.exists()
    learnt(command, MINE, "--keep", "--account", "main")
    kept = command("trades", "ls", "--json").json
    assert [trade["trip"]["account"] for trade in kept] == ["main"] * 3
    learnt(command, MINE, "--keep", "--account", "main")
    assert len(command("trades", "ls", "--json").json) == 3


def test_several_addresses_stay_apart(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    server.account(OTHER).trade(trips(4, clock, first_tid=1_000))
    report = learnt(command, MINE, OTHER, MINE, "--json").json
    assert report["accounts"] == [f"hyperliquid/{MINE}", f"hyperliquid/{OTHER}"]
    assert len(report["outcomes"]) == 7


def test_what_the_venue_does_not_hand_out_is_told(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    rows = trips(REACHABLE_FILLS // 2 + 10, clock)
    server.account(MINE).trade(rows)
    report = learnt(command, MINE, "--json").json
    assert report["files"][0]["fills"] == REACHABLE_FILLS
    told = " ".join(learnt(command, MINE).out.split())
    first = EPOCH + timedelta(milliseconds=rows[20]["time"])
    assert f"its history is whole from {first:%Y-%m-%d %H:%M} UTC on" in told
    assert "hands out the newest 10,000 fills" in told
    assert "exports at the venue, brings the time before" in told


def test_an_address_that_cannot_hold_trades_is_refused(
    server: VenueServer, command: Command
) -> None:
    server.account(OTHER).role = {"role": "agent", "data": {"user": MINE}}
    assert MINE in command("learn", OTHER).err
    assert "never saw" in command("learn", MINE).err
    server.account(MINE)
    assert "no fill of it" in command("learn", MINE).err
    asked, key = server.requests, "0x" + "a" * 64
    refused = command("learn", key)
    assert "private key" in refused.err
    assert key not in refused.err
    assert server.requests == asked


def test_a_venue_that_fails_leaves_one_plain_error(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    server.account(MINE).trade(trips(3, clock))
    server.script(refuses(500))
    done = command("learn", MINE)
    assert done.code != 0
    assert "try again later" in done.err
    assert not command.home.exists()
