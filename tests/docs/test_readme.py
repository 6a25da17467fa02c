"""Every command and every line of Python in the README's first part works as it is written.

They are typed where the wheel is installed, as a newcomer has it.
"""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.wait import wait_until

ROOT = Path(__file__).parents[2]
HOUR = timedelta(hours=1)


def blocks(heading: str, language: str) -> list[str]:
    """Return the blocks of a language under a heading of the README."""
    page = (ROOT / "README.md").read_text()
    _, _, after = page.partition(f"\n## {heading}\n")
    part, _, _ = after.partition("\n## ")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
    return [body for written_in, body in found if written_in == language]


@pytest.fixture
def environment(tmp_path: Path, installed: Path) -> Iterator[dict[str, str]]:
    """A newcomer's: a home of its own, our commands on the PATH, and a venue that answers."""
    begin = datetime(2026, 11, 1, tzinfo=UTC)
    price = Decimal(150)
    bars = [Bar(begin + n * HOUR, HOUR, price, price, price, price, Decimal(1)) for n in range(9)]
    with MarketServer() as venue:
        venue.trade("SOL", "1h", bars)
        yield {
            "HOME": str(tmp_path),
            "PATH": f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "AFTERWORD_HYPERLIQUID_BASE_URL": venue.origin,
            "AFTERWORD_METRICS_PORT": "0",
        }


def run(line: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), line
    return done.stdout


def test_the_commands_of_the_first_minutes_work_one_after_the_other(environment: dict[str, str]):
    first, *others = blocks("Use it", "sh")
    lines = [line for block in others for line in block.splitlines()]
    # What connects a client writes its files, and is tested on its own.
    ours = [line for line in lines if re.match("afterword (?!connect)", line)]
    assert len(first.splitlines()) == 5 and len(ours) == 11

    for line in first.splitlines():
        assert run(line, environment), line
    up = subprocess.Popen(["afterword", "up"], cwd=ROOT, env=environment, stderr=subprocess.PIPE)
    wait_until(lambda: "ready" not in run("afterword jobs ls", environment), timeout_s=60)
    for line in ours:
        assert run(line, environment), line
    up.send_signal(signal.SIGINT)
    _, log = up.communicate(timeout=60)

    assert (up.returncode, b"Traceback" in log) == (0, False)
    assert "traded" in run("afterword page ETH", environment)


def test_the_sample_of_trades_is_read_as_the_readme_says(environment: dict[str, str]):
    (_own, sample) = blocks(r"What do your trades teach?", "sh")
    made = re.search(r"look at (\d+) made trades", (ROOT / "README.md").read_text())
    picture = Path(environment["HOME"]) / "learn.svg"

    assert made is not None
    said = run(f"{sample.strip()} --picture {picture}", environment)
    assert f"\n{made[1]} round trips, " in said
    # The picture below the command is made by it: copy it to docs/examples/learn.svg.
    assert picture.read_text() == (ROOT / "docs/examples/learn.svg").read_text()


def test_the_lines_of_python_work(environment: dict[str, str], installed: Path):
    (code,) = blocks("Use it", "python")

    done = subprocess.run(
        [installed / "bin" / "python", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "[preference] Prefers weekly charts" in done.stdout


def test_what_the_readme_shows_of_the_demo_is_what_the_demo_prints(environment: dict[str, str]):
    shown = "\n".join(blocks("Try it", ""))
    home = Path(environment["HOME"]) / "demo"
    page = " ".join(run(f"afterword demo --home {home} 2>/dev/null", environment).split())

    entries = re.split(r"\n(?=\S)", shown.replace("…", "").strip())
    assert len(entries) == 11
    for entry in entries:
        assert " ".join(entry.split()) in page
