"""Each example runs as it is written, against services on loopback, and shows what it says."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from afterword.pipeline.doors.mcp.offer import USUAL
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.model_server import (
    ModelRequest,
    ModelServer,
    calls_tool,
    filled,
    says_prose,
)

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HOUR = timedelta(hours=1)
LESSON = "Buy a breakout only with volume above its average."

Run = Callable[..., str]


@pytest.fixture
def environment(tmp_path: Path, installed: Path) -> dict[str, str]:
    return {
        "HOME": str(tmp_path),
        "PATH": f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "AFTERWORD_METRICS_PORT": "0",
    }


def run(environment: dict[str, str], *line: str) -> str:
    done = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, ""), line
    return done.stdout


def test_the_next_run_of_the_tool_loop_knows_what_this_one_stored(environment: dict[str, str]):
    stored = {"type": "preference", "content": "Wants weekly charts"}
    line = ("python", "examples/anthropic_loop.py")
    with ModelServer() as model:
        environment |= {"ANTHROPIC_BASE_URL": model.origin, "ANTHROPIC_API_KEY": "k"}
        model.script(
            calls_tool("memory_store", **stored | {"type": "wish"}),
            calls_tool("memory_store", **stored),
            says_prose("Noted."),
            says_prose("Weekly ones."),
        )
        assert run(environment, *line, "I like weekly charts better") == "Noted.\n"
        assert run(environment, *line, "Which charts do I like?") == "Weekly ones.\n"

    _, refused, kept, later = (asked.body for asked in model.asked)
    (told,) = refused["messages"][-1]["content"]
    assert told["is_error"] and told["content"].startswith("type: 'wish' is unknown; accepted: ")
    (told,) = kept["messages"][-1]["content"]
    assert not told["is_error"] and json.loads(told["content"])["category"] == "preference"
    assert "[preference] Wants weekly charts" not in kept["system"], "frozen for the session"
    assert "[preference] Wants weekly charts" in later["system"]


def falling(begin: datetime, decided: datetime, days: int) -> list[Bar]:
    """Return hourly bars that fall by 7 % some hours after a decision."""
    chance, price, bars = Random(1), Decimal(150), []
    for at in (begin + n * HOUR for n in range(days * 24)):
        moved = price * (1 + Decimal(chance.randint(-50, 50)) / 10_000)
        close = round(price * Decimal("0.93") if at == decided + 5 * HOUR else moved, 2)
        bars.append(Bar(at, HOUR, price, max(price, close), min(price, close), close, Decimal(1)))
        price = close
    return bars


def worded(asked: ModelRequest) -> dict[str, object]:
    """Return what a model says of the decision: why it was wrong, then the lesson."""
    form = filled(asked.schema)
    return {name: LESSON if name in ("lesson", "narrative") else form[name] for name in form}


@pytest.fixture
def at(environment: dict[str, str]) -> Iterator[Run]:
    """Run a command at a moment, by faketime."""
    if shutil.which("faketime") is None:
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail("faketime is not installed, and nothing may be left out")
        pytest.skip("faketime is not installed (Debian: faketime)")
    real = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}

    def run_at(moment: datetime, *line: str) -> str:
        said = f"@{moment:%Y-%m-%d %H:%M:%S}"
        return run(environment | real | {"TZ": "UTC"}, "faketime", "-f", said, *line)

    yield run_at


def test_the_trading_agent_comes_back_to_its_result_and_the_lesson_of_one_case(
    environment: dict[str, str], at: Run
):
    line = ("python", "examples/trading_agent.py", "SOL", "long")
    decided = datetime(2026, 10, 1, 12, tzinfo=UTC)
    judged = decided + timedelta(days=2)
    begin = datetime(2026, 9, 1, tzinfo=UTC)
    with MarketServer() as venue, ModelServer(fills=worded) as model:
        venue.trade("SOL", "1h", falling(begin, decided, 45))
        environment |= {
            "AFTERWORD_HYPERLIQUID_BASE_URL": venue.origin,
            "AFTERWORD_LLM_PROVIDER": "anthropic",
            "AFTERWORD_LLM_BASE_URL": model.origin,
            "AFTERWORD_LLM_API_KEY": "k",
            "AFTERWORD_ROLE_JUDGE": "model",
        }
        first = at(decided, *line, "it broke out of its range on rising volume")
        at(judged, "afterword", "prices", "fetch", "SOL", "--since", "2026-09-01T00:00:00Z")
        at(judged, "afterword", "role", "reflect")
        later = at(decided + timedelta(days=7), *line, "it broke out again")

    assert "one case" not in first and "recorded long SOL as " in first
    assert later.startswith(f"[one case] {LESSON} (why: same asset: SOL, same direction")
    assert f"- 2026-10-03 [logic_error] market.spot.momentum, long SOL: {LESSON}" in later


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("mcp/*.json")), ids=lambda file: file.stem)
def test_each_client_file_starts_a_server_with_the_usual_tools(
    file: Path, environment: dict[str, str]
):
    (servers,) = json.loads(file.read_text()).values()
    ((name, entry),) = servers.items()
    environment |= {"AFTERWORD_HOME": environment["HOME"]}
    given = {**entry, "env": entry["env"] | environment, "calls": [["memory_brief", {}]]}

    told = json.loads(
        run(environment, sys.executable, "tests/flow/mcp_sdk_client.py", json.dumps(given))
    )

    assert (name, told["server"]["name"]) == ("afterword", "afterword")
    assert [tool["name"] for tool in told["tools"]] == list(USUAL)
    assert told["answers"][0]["isError"] is False


def test_the_page_of_the_examples_names_each_of_them():
    page = (EXAMPLES / "README.md").read_text()
    files = [file for file in sorted(EXAMPLES.rglob("*.*")) if file.suffix in {".py", ".json"}]

    assert len(files) == 6
    assert [file for file in files if f"`{file.relative_to(ROOT)}`" not in page] == []
