"""The page about trades: each of its commands exists with its options and works on an export."""

import re
import shlex
from pathlib import Path

import pytest

from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.trade_files import write_trade_files

PAGE = Path(__file__).parents[2] / "docs" / "trades.md"
LINES = [
    line.partition(" #")[0].strip()
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
    if line.startswith("afterword ")
]


def test_every_command_of_the_page_works_one_after_the_other(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    made = write_trade_files(tmp_path, 60, markets=("SOLUSDT", "BTCUSDT"))
    made.trades.rename("my-export(UTC+0).csv")
    made.prices[0].rename("SOL_1h.csv")
    Path("my.csv").write_text(
        "Date,Pair,Type,Amount,Price,Fee\n"
        "2024-01-02 10:00:00,SOL,buy,1,100,0.1\n2024-01-02 11:00:00,SOL,sell,1,110,0.1\n"
    )
    name = ""

    assert len(LINES) == 12
    for line in LINES:
        words = shlex.split(line.replace("my-export.csv", "'my-export(UTC+0).csv'"))[1:]
        if "0123456789ab" in words:
            name = name or command("trades", "ls", "--json").json[0]["trip"]["trip_uid"]
            words[words.index("0123456789ab")] = name[:12]
        done = command(*words)
        assert (done.code, done.err) == (0, ""), line
        assert done.out, line
