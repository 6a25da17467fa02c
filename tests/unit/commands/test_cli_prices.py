"""Prices on the command line: import, fetch, list."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.market_server import MarketServer

HOUR = timedelta(hours=1)
START = datetime(2026, 1, 4, tzinfo=UTC)
T = int(START.timestamp() * 1000)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "SOLUSDT_2026_1h.csv"
    rows = [f"{T + place * 3_600_000},10,12,9,11,5" for place in (0, 1, 2, 4)]
    file.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows]))
    return file


@pytest.fixture
def server() -> Iterator[MarketServer]:
    with MarketServer() as server:
        yield server


def test_a_file_is_kept_once_and_listed_with_its_gap(command, file):
    line = ("prices", "import", str(file), "--json")

    assert command(*line).json["bars_new"] == 4
    assert command(*line).json == {
        "bars_new": 0,
        "bars_known": 4,
        "bars_revised": 0,
        "splits_new": 0,
        "splits_gone": 0,
    }
    (listed,) = command("prices", "ls", "sol", "--json").json
    assert (listed["asset"], listed["interval"], listed["gaps"], listed["missing"]) == (
        "SOL",
        "1h",
        1,
        1,
    )
    assert "SOLUSDT  file    1h" in command("prices", "ls").out
    assert command("prices", "ls", "BTC").out == "no prices of BTC\n"


def test_a_bad_row_is_named_and_keeps_all_files_out(command, file, tmp_path, home):
    bad = tmp_path / "BTCUSDT_2026_1h.csv"
    bad.write_text(file.read_text() + "\n1,NaN,1,1,1,1\n2,0,1,1,1,1")
    answer = command("prices", "import", str(file), str(bad))

    assert answer.code == 2
    assert answer.err.startswith("afterword: BTCUSDT_2026_1h.csv: line 6: ")
    assert "line 7" in answer.err
    assert not home.exists()


def test_a_factor_file_brings_the_splits_of_its_market(command, file, tmp_path):
    factors = tmp_path / "SOLUSDT_factor_file.csv"
    factors.write_text("20260104,1,0.25,11\n20501231,1,1,0")
    line = ("prices", "import", str(file), "--factors", str(factors), "--json")

    assert command(*line).json["splits_new"] == 1
    assert command("prices", "ls", "--json").json[0]["splits"] == 1


def test_the_splits_of_a_market_without_prices_are_refused(command, home, file, tmp_path):
    factors = tmp_path / "SOL_factor_file.csv"
    factors.write_text("20260104,1,0.25,11\n20501231,1,1,0")
    answer = command("prices", "import", str(file), "--factors", str(factors))

    assert (answer.code, home.exists()) == (2, False)
    assert "SOL, of which there are no prices" in answer.err and "SOLUSDT" in answer.err


def test_candles_are_fetched_from_a_moment_and_then_from_the_last_one(command, server):
    price = Decimal("185.5")
    bars = [
        Bar(START + place * HOUR, HOUR, price, price, price, price, Decimal(1))
        for place in range(9)
    ]
    server.trade("SOL", "1h", bars)
    env = {"AFTERWORD_HYPERLIQUID_BASE_URL": server.origin}

    refused = command("prices", "fetch", "SOL", env=env)
    fetched = command(
        "prices", "fetch", "SOL", "--since", "2026-01-04T00:00:00Z", "--json", env=env
    )
    again = command("prices", "fetch", "SOL", "--json", env=env)

    assert (refused.code, "--since" in refused.err or "since" in refused.err) == (2, True)
    assert fetched.json["bars_new"] == 9
    assert (again.json["bars_new"], again.json["bars_known"]) == (0, 1)


@pytest.mark.parametrize(
    "line",
    [
        ("fetch", "SOL", "--interval", "1x"),
        ("fetch", "SOL", "--since", "yesterday"),
        ("import", "nothing.csv"),
        ("fetch", "SOL", "--since", "2999-01-01T00:00:00Z"),
        ("fetch", "SOL", "--since", "0001-01-01T00:00:00+14:00"),
        ("import", "nothing.csv", "--source", "Not Good"),
        ("import", "x" * 300 + "_1h.csv"),
        ("import", "/dev/zero"),
    ],
)
def test_bad_input_is_one_line_and_makes_no_files(command, home, line):
    done = command("prices", *line)

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "unexpected" not in done.err
    assert not home.exists()
