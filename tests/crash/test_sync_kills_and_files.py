"""A mirror that is killed at any step, and a file of the same trades: each counts once."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.testing.process import environment_of
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill

pytestmark = pytest.mark.crash

MINE = "0x" + "ab" * 20
MINUTE_MS = 60_000
RUN = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


def run(home: Path, server: VenueServer, *line: str, dies_at: str = "") -> str:
    """Run a line in a process of its own, which may be killed at an event."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, dies_at, "--home", str(home), *line],
        env=environment_of(hyperliquid_base_url=server.origin),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == (-signal.SIGKILL if dies_at else 0), done.stderr
    return done.stdout


@pytest.mark.parametrize("point", ["history.stored", "history.imported"])
def test_a_file_counts_no_trade_twice_that_a_killed_mirror_has(
    home: Path, server: VenueServer, tmp_path: Path, point: str
) -> None:
    begin = (datetime.now(UTC) - timedelta(hours=2) - EPOCH) // timedelta(seconds=1) * 1_000
    page = ["time,coin,dir,px,sz,ntl,fee,closedPnl"]
    for place in range(6):
        at = begin + 2 * place * MINUTE_MS
        rows = [
            venue_fill(2 * place + 1, at, "1.0"),
            venue_fill(2 * place + 2, at + MINUTE_MS, "-1.0", "1.0", px="101.0", closedPnl="1.0"),
        ]
        server.account(MINE).trade(rows)
        for row in rows:
            moment = EPOCH + timedelta(milliseconds=row["time"])
            profit = float(row["closedPnl"]) - 0.01  # the page writes it after its fee
            values = f"{row['coin']},{row['dir']},{row['px']},1.0,{row['px']},0.01,{profit:.2f}"
            page.append(f"{moment:%m/%d/%Y - %H:%M:%S},{values}")
    file = tmp_path / "page.csv"
    file.write_text("\n".join(page) + "\n")
    run(home, server, "account", "add", "main", MINE, "--own")

    run(home, server, "sync", "now", dies_at=point)
    read = ("--zone", "UTC", "--time-format", "mdy")
    run(home, server, "learn", str(file), "--keep", "--account", "main", *read)
    run(home, server, "sync", "now")

    assert len(json.loads(run(home, server, "trades", "ls", "--json"))) == 6
    profile = json.loads(run(home, server, "trades", "profile", "--json"))
    assert profile["perps"]["trade_count"] == 12
