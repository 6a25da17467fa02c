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
from typing import Any

import pytest

from afterword import tools
from afterword.pipeline.doors.agent.offered import USUAL_TOOLS
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.chat_server import ChatServer, calls_function, says_text
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.model_server import (
    ModelRequest,
    ModelServer,
    calls_tool,
    changed,
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


CHARTS = {"type": "preference", "content": "Wants weekly charts"}
"""What a model stores in the examples."""


def test_the_loop_of_openai_is_refused_corrects_itself_and_knows_it_next_time(
    environment: dict[str, str],
):
    line = ("python", "examples/openai_loop.py")
    left_out = {"tags": None, "supersedes": None}
    with ChatServer(
        calls_function("memory_store", **CHARTS | left_out | {"type": "wish"}),
        calls_function("memory_store", **CHARTS | left_out),
        calls_function("memory_write", category="lesson", content="x", metadata='{"a": 1}'),
        says_text("Noted."),
        says_text("Weekly ones."),
    ) as model:
        environment |= {"OPENAI_BASE_URL": f"{model.origin}/v1", "OPENAI_API_KEY": "k"}
        assert run(environment, *line, "I like weekly charts better") == "Noted.\n"
        assert run(environment, *line, "Which charts do I like?") == "Weekly ones.\n"

    first, refused, stored, written, later = model.asked
    assert first["tools"] == tools("openai")
    assert refused["messages"][-1]["content"].startswith("refused: type: 'wish' is unknown; acc")
    assert json.loads(stored["messages"][-1]["content"])["category"] == "preference"
    assert json.loads(written["messages"][-1]["content"])["category"] == "lesson"
    assert "[preference] Wants weekly charts" in later["messages"][0]["content"]


def test_the_loop_on_asyncio_answers_all_that_is_asked_at_once(environment: dict[str, str]):
    def asks_twice(reply: dict[str, Any]) -> None:
        pages = [(f"toolu_{asset}", {"asset": asset}) for asset in ("SOL", "ETH")]
        named = {"type": "tool_use", "name": "memory_compiled_page"}
        reply["content"] = [{**named, "id": id, "input": given} for id, given in pages]

    with ModelServer() as model:
        environment |= {"ANTHROPIC_BASE_URL": model.origin, "ANTHROPIC_API_KEY": "k"}
        model.script(changed(asks_twice), calls_tool("memory_store", type="wish"), says_prose("Ok"))
        assert run(environment, "python", "examples/asyncio_loop.py", "SOL and ETH?") == "Ok\n"

    first, paged, refused = (asked.body for asked in model.asked)
    assert first["tools"] == tools("anthropic")
    told = paged["messages"][-1]["content"]
    assert [part["tool_use_id"] for part in told] == ["toolu_SOL", "toolu_ETH"]
    assert ["# SOL" in part["content"] for part in told] == [True, False]
    (told,) = refused["messages"][-1]["content"]
    assert told["is_error"] and told["content"].startswith("content: is missing; accepted: ")


def test_the_langgraph_agent_has_one_server_for_all_calls(environment: dict[str, str]):
    python = Path(sys.prefix) / "langgraph/bin/python"
    if not python.exists():
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail(f"{python} is missing, and nothing may be left out")
        pytest.skip("no LangGraph; `make .venv/langgraph/.ready` installs it")
    line = (str(python), "examples/langgraph_agent.py")
    with ChatServer(
        calls_function("memory_brief", include_provenance=None),
        calls_function("memory_store", **CHARTS | {"type": "wish"}),
        calls_function("memory_store", **CHARTS, tags='["charts"]'),
        says_text("Noted."),
        calls_function("memory_brief"),
        says_text("Weekly ones."),
    ) as model:
        environment |= {"OPENAI_BASE_URL": f"{model.origin}/v1", "OPENAI_API_KEY": "k"}
        assert run(environment, *line, "I like weekly charts better") == "Noted.\n"
        assert run(environment, *line, "Which charts do I like?") == "Weekly ones.\n"

    _, _, refused, stored, _, later = (str(asked["messages"][-1]) for asked in model.asked)
    assert "type: 'wish' is unknown; accepted: " in refused
    assert "preference" in stored
    assert "[preference] Wants weekly charts" in later
    sessions = json.loads(run(environment, "afterword", "session", "ls", "--json"))
    assert [session["stores"] for session in sessions] == [0, 1]


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


def desk(asked: ModelRequest) -> dict[str, Any]:
    """Return what a role fills in: all expect a rise, and rest on the method they are told of."""
    form = filled(asked.schema)
    method = asked.user.split("method ")[1].split()[0]
    given = {"confidence": 0.7, "horizon_days": 7.0, "methods": [method]}
    return form | {name: value for name, value in given.items() if name in form}


def rising(begin: datetime, end: datetime) -> list[Bar]:
    """Return hourly bars that go up and down, and rise by a fifth within ten days in October."""
    price, bars = Decimal(100), []
    for n in range((end - begin) // HOUR):
        at = begin + n * HOUR
        share = Decimal("1.004") if n % 2 else 1 / Decimal("1.004")
        if at.month == 10 and at.day <= 10:
            share *= Decimal("1.0008")
        close = round(price * share, 4)
        bars.append(Bar(at, HOUR, price, max(price, close), min(price, close), close, Decimal(1)))
        price = close
    return bars


def test_the_desk_of_five_roles_is_captured_and_its_ladder_moves_a_method(
    environment: dict[str, str], at: Run
):
    decided = datetime(2026, 10, 1, 12, tzinfo=UTC)
    judged = decided + timedelta(days=9)
    begin = datetime(2026, 8, 1, tzinfo=UTC)
    line = ("python", "examples/institution_desk.py", "BTC")
    with MarketServer() as venue, ModelServer(fills=desk) as model:
        venue.trade("BTC", "1h", rising(begin, judged + timedelta(days=1)))
        environment |= {
            "AFTERWORD_HYPERLIQUID_BASE_URL": venue.origin,
            "AFTERWORD_INSTITUTION_LEARNING_ENABLED": "true",
            "ANTHROPIC_BASE_URL": model.origin,
            "ANTHROPIC_API_KEY": "k",
        }
        method = json.loads(
            at(
                decided - timedelta(days=1),
                *("afterword", "methodology", "add", "Buy BTC when it breaks out of its range"),
                *("--class", "major_crypto", "--direction", "bullish", "--timeframe", "short"),
                "--json",
            )
        )["uid"]
        first = at(decided, *line, "it broke out of its range", method)
        steps = (
            ("prices", "fetch", "BTC", "--since", "2026-08-01T00:00:00Z"),
            ("role", "reflect"),
            ("institution", "run", "reflect"),
            ("methodology", "synthesize"),
        )
        for minutes, command in enumerate(steps):
            at(judged + timedelta(minutes=minutes), "afterword", *command)
        shown = at(judged + HOUR, "afterword", "methodology", "show", method)
        later = at(judged + HOUR, *line, "it broke out again", method)

    assert first.startswith("captured long BTC, decision ") and "Earlier runs" not in first
    assert "right 1 of 1" in " ".join(shown.split())
    assert "1 d: Was the trigger valid? " in later
    assert "7 d: Did the base case play out? Yes." in later
    asked = [request.body for request in model.asked]
    assert [body["tool_choice"]["name"] for body in asked[:5]] == [
        *("analyst_report", "debate_argument", "risk_assessment", "trader_proposal"),
        "portfolio_decision",
    ]
    assert "Earlier runs on BTC" in asked[5]["system"]


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
    assert [tool["name"] for tool in told["tools"]] == list(USUAL_TOOLS)
    assert told["answers"][0]["isError"] is False


def test_the_page_of_the_examples_names_each_of_them():
    page = (EXAMPLES / "README.md").read_text()
    files = [file for file in sorted(EXAMPLES.rglob("*.*")) if file.suffix in {".py", ".json"}]

    assert len(files) == 10
    assert [file for file in files if f"`{file.relative_to(ROOT)}`" not in page] == []
