"""A run of the mirror says what is missing, what it left out, and why it did nothing."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.faulty_server import Reply
from afterword.pipeline.testing.venue_server import PAGE_ROWS, VenueServer, venue_fill

MINE, WHALE = "0x" + "ab" * 20, "0x" + "cd" * 20
MINUTE_MS = 60_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


def did(command: Command, *line: str) -> CommandResult:
    done = command(*line)
    assert done.code == 0, done.err
    return done


def words(result: CommandResult) -> str:
    """Return what a command says, without the breaks of its lines."""
    return " ".join((result.out + result.err).split())


def ago(clock: ManualClock, minutes: int) -> int:
    return (clock() - EPOCH) // timedelta(milliseconds=1) - minutes * MINUTE_MS


def trip(tid: int, at: int) -> list[Reply]:
    closed = {"px": "101.0", "closedPnl": "1.0"}
    return [
        venue_fill(tid, at, "1.0"),
        venue_fill(tid + 1, at + MINUTE_MS, "-1.0", "1.0", **closed),
    ]


def full_page(at: int, **delta: str) -> list[Reply]:
    """Return as many rows of one moment as a page holds."""
    return [
        {"time": at, "hash": f"0x{number}", "delta": delta | {"coin": f"C{number}"}}
        for number in range(PAGE_ROWS)
    ]


def test_trades_that_a_file_tells_otherwise_are_told_with_their_number_and_moment(
    server: VenueServer, command: Command, clock: ManualClock, tmp_path: Path
) -> None:
    rows = [row for place in range(6) for row in trip(2 * place + 1, ago(clock, 90 - 5 * place))]
    server.account(MINE).trade(rows)
    lines = ["time,coin,dir,px,sz,ntl,fee,closedPnl"]
    for place, row in enumerate(rows):
        at, size = EPOCH + timedelta(milliseconds=row["time"]), "2.0" if place < 2 else "1.0"
        profit = float(row["closedPnl"]) * float(size) - 0.01
        values = f"BTC,{row['dir']},{row['px']},{size},{row['px']},0.01,{profit:.2f}"
        lines.append(f"{at:%m/%d/%Y - %H:%M:%S},{values}")
    page = tmp_path / "page.csv"
    page.write_text("\n".join(lines) + "\n")
    read = ("--zone", "UTC", "--time-format", "mdy")
    did(command, "learn", str(page), "--keep", "--account", "main", *read)
    did(command, "account", "add", "main", MINE, "--own")

    told = words(did(command, "sync", "now"))

    first = EPOCH + timedelta(milliseconds=rows[0]["time"])
    assert "main: 12 fills of BTC" in told
    assert f"the first at {first:%Y-%m-%d %H:%M:%S}" in told
    assert "hyperliquid" in told
    assert len(did(command, "trades", "ls", "--json").json) == 6


def test_a_moment_with_more_rows_than_a_page_is_told(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    at, transferred = ago(clock, 30), ago(clock, 40)
    server.account(MINE).trade(trip(1, ago(clock, 60)))
    paid = {"type": "funding", "usdc": "-0.25", "szi": "1.0", "fundingRate": "0.1"}
    server.account(MINE).funding = full_page(at, **paid)
    server.account(MINE).ledger = full_page(transferred, type="deposit", usdc="5.0")
    looked = words(did(command, "learn", MINE))
    assert "more payments than Hyperliquid hands out of one" in looked
    did(command, "account", "add", "main", MINE, "--own")
    told = words(did(command, "sync", "now"))
    assert "main: of 1 moment of payments of funding, the first at" in told
    assert "main: of 1 moment of transfers, the first at" in told
    states = {
        state["source"]: state["whole_since_ms"]
        for state in did(command, "sync", "status", "--json").json["mirrors"]
    }
    assert states == {"transfers": transferred + 1, "funding": at + 1, "perps_fills": 0}


def test_an_account_that_is_not_mirrored_says_why_and_what_to_do(
    server: VenueServer, command: Command
) -> None:
    server.account(MINE)
    server.account(WHALE)
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "account", "add", "whale", WHALE, "--reference")
    did(command, "sync", "pause", "main")
    asked = server.requests

    paused, reference = command("sync", "now", "main"), command("sync", "now", "whale")

    assert (paused.code, reference.code) == (2, 2)
    assert "main is paused" in paused.err and "afterword sync resume main" in paused.err
    assert "--reference" in reference.err and f"afterword learn {WHALE}" in reference.err
    assert "Paused: main" in words(did(command, "sync", "now"))
    assert server.requests == asked


def test_funding_before_the_first_known_fill_is_told_with_its_sum(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    sold = venue_fill(2, ago(clock, 60), "-1.0", "1.0", px="101.0", closedPnl="1.0")
    server.account(MINE).trade([sold, *trip(3, ago(clock, 50))])
    delta = {"type": "funding", "coin": "BTC", "szi": "1.0", "fundingRate": "0.1"}
    server.account(MINE).funding = [
        {"time": ago(clock, minutes), "delta": delta | {"usdc": usdc}}
        for minutes, usdc in ((200, "-0.25"), (140, "-0.5"), (49, "-0.125"))
    ]
    did(command, "account", "add", "main", MINE, "--own")
    did(command, "sync", "now")
    told = words(did(command, "learn"))
    assert "2 payments of funding are of positions that were opened before" in told
    assert "BTC -0.75 USDC (2)" in told
    assert "Together -0.75 USDC" in told
    before = (clock() - timedelta(hours=1)).isoformat()
    assert "payments of funding are" not in words(did(command, "learn", "--as-of", before))


def test_an_account_that_is_added_again_goes_on_from_where_it_was(
    server: VenueServer, command: Command, clock: ManualClock
) -> None:
    at = ago(clock, 300)
    server.account(MINE).trade(trip(1, at))
    for _ in range(2):
        did(command, "account", "add", "main", MINE, "--own")
        did(command, "sync", "now")
        did(command, "account", "rm", "main")
        clock.advance(minutes=1)
    starts = [
        request.body["startTime"] for request in server.asked if request.type == "userFillsByTime"
    ]
    assert starts == [0, at + MINUTE_MS - 60 * MINUTE_MS]
    assert len(did(command, "trades", "ls", "--json").json) == 1
