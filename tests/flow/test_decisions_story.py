"""Decisions are recorded, ripen, are judged by prices, and what they teach is read by the next."""

import gzip
import importlib
import json
import os
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.gateway.budget.prices import MODEL_PRICES
from afterword.pipeline.testing.model_server import ModelRequest, ModelServer
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.roles import HOUR, jagged

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("AFTERWORD_SHARED") or ROOT.parent / "shared")
OHLCV = SHARED / "data" / "ohlcv"
ARENA = SHARED / "data" / "decisions" / "alpha_arena_s1_decisions.jsonl.gz"
real_data = pytest.mark.skipif(
    not (OHLCV.is_dir() and ARENA.is_file()), reason="no shared folder with real prices"
)

ROLE = "market.spot.momentum"
WINDOWS = {
    "market.spot.momentum": 24,
    "market.perps.swing": 72,
    "market.perps.intraday": 4,
    "analysis.valuation.target_price": 168,
}

MODEL = "claude-haiku-5-5"


@pytest.fixture
def prices(tmp_path, clock):
    """Return a function that saves the hours of a market, as an exchange's history has them."""

    def save(market: str, closes: list[float]) -> Path:
        path = tmp_path / f"{market}USDT_1h.csv"
        start_ms = int((clock() - 400 * HOUR).timestamp()) * 1000
        rows = [
            f"{start_ms + hour * 3_600_000},{px:.4f},{px:.4f},{px:.4f},{px:.4f},0"
            for hour, px in enumerate(closes)
        ]
        path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows, ""]))
        return path

    return save


@pytest.fixture
def decisions(tmp_path, clock):
    """Return a function that saves decisions, a JSON object a line, made so many hours ago."""

    def save(*made: dict[str, Any]) -> Path:
        path = tmp_path / "decisions.jsonl"
        lines = [
            json.dumps(
                {
                    "asset": "SOL",
                    "inputs": {"rsi": 71},
                    "context": {"prompt": f"the screen of {hours_ago} hours ago"},
                    "decided_at": (clock() - hours_ago * HOUR).isoformat(),
                    "key": str(number),
                    **named,
                }
            )
            for number, named in enumerate(made)
            for hours_ago in [named.pop("hours_ago", 190)]
        ]
        path.write_text("\n".join(lines))
        return path

    return save


def test_decisions_from_a_file_are_judged_and_luck_teaches_nothing(
    command, clock, prices, decisions
):
    # Monday: an agent recorded what it decided, and one decision about a market without a price.
    file = decisions(
        {"decision": "Buy, it is strong", "direction": "long"},
        {"decision": "Sell, it is weak", "direction": "short"},
        {"decision": "It will rest", "direction": "neutral"},
        {"decision": "Buy the dip", "direction": "long", "hours_ago": 150},
        {"decision": "A feeling", "direction": "long", "inputs": {}, "context": {}},
        {"decision": "Buy", "direction": "long", "asset": "AVAX"},
        {"decision": "Buy today's strength", "direction": "long", "hours_ago": 20},
    )
    said = command("role", "record", ROLE, "--file", str(file)).out
    assert said == "7 decisions are recorded, 0 were before\n"

    # SOL rose by 3 % on the day before it fell by 5 %, 190 hours ago; since then it goes nowhere.
    rise, fall = [0.00125] * 24, [-0.05]
    closes = jagged(186, [*rise, *fall])
    closes += [closes[-1] * (1.01 if hour % 2 else 1.0) for hour in range(400 - len(closes))]
    command("prices", "import", str(prices("SOL", closes)))

    # Six of them are old enough. Each is held against the market's own restlessness.
    tally = command("role", "reflect", "--json").json
    assert tally["reflected"] == {"right": 1, "variance": 4}
    assert tally["parked"] == {"no price": 1}
    found = {one["decision"]: one for one in command("role", "list", ROLE, "--json").json}
    assert found["Sell, it is weak"]["verdict"]["outcome"] == "right"
    assert found["Buy the dip"]["verdict"]["outcome"] == "noise"
    assert found["Buy today's strength"]["state"] == "pending"

    # Three were wrong. Each keeps its story in numbers; one wrong call alone teaches nothing.
    stories = [found[text]["verdict"]["narrative"] for text in ("Buy, it is strong", "A feeling")]
    for story in stories:
        assert story.startswith("long: -5.00 % in 24 h, band ")
        assert "% in the 24 h before" in story
        assert "long after a rise in this role had no record yet" in story
    assert {one["lesson"] for one in found.values()} == {None}
    assert (
        "nothing that evidence confirms" in command("role", "recall", "market.spot", "--prompt").out
    )

    # What the judge saw is kept.
    seen = command("role", "show", str(found["A feeling"]["id"]), "--evidence", "--json").json
    assert (seen["decision"]["inputs"], seen["decision"]["context"]) == ({}, None)

    # A price that lacked comes in: the decision that waited for it is judged, the others stay.
    command("prices", "import", str(prices("AVAX", closes)))
    assert command("role", "reflect", "--json").json["reflected"] == {"variance": 1}

    # The last one ripens four hours later, and not before.
    clock.advance(hours=4)
    assert command("role", "reflect", "--json").json["parked"] == {"no price": 1}
    assert command("role", "record", ROLE, "--file", str(file)).out.startswith("0 decisions")


@pytest.fixture
def reflect(home):
    """Reflect in a process of its own, with other settings."""
    return partial(run_afterword, "role", "reflect", home=home)


def test_a_model_explains_within_its_cap_and_all_it_cost_is_booked(
    command, reflect, clock, prices, decisions
):
    clock.set(system_clock())
    made = [{"decision": f"Buy, number {n}", "direction": "long"} for n in range(12)]
    command("role", "record", ROLE, "--file", str(decisions(*made)))
    command("prices", "import", str(prices("SOL", jagged(210, [0.0, -0.05, *[0.0] * 188]))))

    with ModelServer(fills=answered) as server:
        model = {
            "ROLE_JUDGE": "model",
            "LLM_PROVIDER": "anthropic",
            "LLM_BASE_URL": server.origin,
        }
        short = reflect(**model, LEARNING_DAILY_CAP_USD="0.002")
        assert short.returncode == 1
        assert "0.002 USD" in short.stderr
        assert 0 < metered(server) <= booked(command) <= 2_000

        reflect(**model, LEARNING_DAILY_CAP_USD="1")
        # Two questions each, and what was paid for before the cap is not asked again.
        assert len(server.served) == 24
        assert metered(server) <= booked(command)

    found = command("role", "list", ROLE, "--json").json
    assert {one["state"] for one in found} == {"reflected"}
    assert {one["lesson_by"] for one in found} == {MODEL}
    assert {one["lesson"] for one in found} == {"SOL moved by 0.01 before: wait for a reason."}


def answered(asked: ModelRequest) -> dict[str, str]:
    """Answer both questions from what they tell."""
    if "lesson" not in asked.schema["properties"]:
        return {"type": "logic_error", "narrative": "It was said without a reason."}
    told = json.loads(asked.user.partition("\n\n")[2])
    before = Decimal(told["known_when_decided"]["move_before"])
    return {"lesson": f"{told['asset']} moved by {before.normalize():f} before: wait for a reason."}


def metered(server: ModelServer) -> int:
    price = MODEL_PRICES[MODEL]
    each = (price.cost_micro_usd(one.input_tokens, one.output_tokens) for one in server.served)
    return sum(each)


def booked(command: Any) -> int:
    windows = command("budget", "show", "--json").json["categories"]
    return sum(
        one["spent_micro_usd"]
        for one in windows
        if (one["scope"], one["name"]) == ("category_month", "learning")
    )


@pytest.fixture
def rules(monkeypatch) -> ModuleType:
    """The makers of decisions, which lie beside the benchmark that uses them."""
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.decisions_rules")


@pytest.fixture
def closes():
    """Return the closes of a file by the moment they were known, read by nothing of ours."""

    def read(path: Path) -> dict[datetime, Decimal]:
        with gzip.open(path, "rt") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
        return {
            datetime.fromtimestamp(int(row[0]) / 1000, UTC) + HOUR: Decimal(row[4]) for row in rows
        }

    return read


@real_data
def test_a_thousand_decisions_on_real_prices_come_to_true_lessons(
    command, clock, tmp_path, rules, closes
):
    markets = ("BTC", "ETH", "SOL", "DOGE")
    made = rules.rule_decisions(OHLCV, 1_000, markets)
    assert len(made) == 1_000
    file = tmp_path / "decisions.jsonl"
    file.write_text("\n".join(map(json.dumps, made)))
    command("role", "record", "--file", str(file))
    files = [rules.price_file(OHLCV, market) for market in markets]
    command("prices", "import", *map(str, files))
    command("role", "reflect")

    known = {market: closes(path) for market, path in zip(markets, files, strict=True)}
    found = [
        one
        for role in WINDOWS
        for one in command("role", "list", role, "--limit", "1000", "--json").json
    ]
    assert len(found) == 1_000
    for one in found:
        decided_at = datetime.fromisoformat(one["decided_at"])
        due = decided_at + timedelta(hours=WINDOWS[one["role_id"]])
        there = known[one["asset"]]
        assert (one["verdict"] is None) == (due not in there)
        if one["verdict"] is None:
            assert one["reason"] == "no price"
            continue
        change = there[due] / there[decided_at] - 1
        measured = one["verdict"]["measured"]
        band, typical = Decimal(measured["band"]), Decimal(measured["typical"])
        assert one["verdict"]["outcome"] == outcome(one["direction"], change, band, typical)
        assert f": {change * 100:+.2f} % in " in one["verdict"]["narrative"]
    wrong = [one for one in found if one["verdict"] and one["verdict"]["outcome"] == "wrong"]
    assert len({one["verdict"]["evidence_hash"] for one in wrong}) == len(wrong) > 300
    # A lesson rests on the record of a setup, which had to be confirmed by then.
    lessons = [one for one in found if one["lesson"] is not None]
    assert [one for one in wrong if one["verdict"]["rule_class"] == "logic_error"] == lessons
    assert lessons == []  # what rules decided in this year is not told apart from luck
    outcomes = Counter(one["verdict"]["outcome"] for one in found if one["verdict"])
    assert min(outcomes["right"], outcomes["wrong"], outcomes["noise"]) > 200


def outcome(direction: str, change: Decimal, band: Decimal, typical: Decimal) -> str:
    is_beyond = abs(change) > band
    if direction == "neutral":
        if abs(change) < Decimal("0.9") * typical:
            return "right"
        return "wrong" if abs(change) > Decimal("1.1") * typical else "noise"
    if not is_beyond:
        return "noise"
    return "right" if (change > 0) == (direction == "long") else "wrong"


@real_data
def test_what_real_models_decided_is_judged_where_a_price_tells(
    command, clock, tmp_path, rules, closes
):
    made = rules.model_decisions(ARENA, "market.perps.swing")
    file = tmp_path / "decisions.jsonl"
    file.write_text("\n".join(map(json.dumps, made)))
    sol = OHLCV / "SOLUSDT_2025-10_1h.csv.gz"
    command("role", "record", "--file", str(file))
    command("prices", "import", str(sol), str(OHLCV / "alpha_arena_prints.csv"))
    command("role", "reflect")

    found = command("role", "list", "market.perps.swing", "--limit", "1000", "--json").json
    states = Counter((one["asset"] == "SOL", one["state"], one["reason"]) for one in found)
    assert states == {(True, "reflected", None): 73, (False, "parked", "no price"): 363}
    there = closes(sol)
    for one in found:
        if one["asset"] != "SOL":
            continue
        decided_at = datetime.fromisoformat(one["decided_at"])
        entry = min(moment for moment in there if moment >= decided_at)
        change = there[entry + 72 * HOUR] / there[entry] - 1
        assert f": {change * 100:+.2f} % in 72 h" in one["verdict"]["narrative"]

    # The prompt each model had in front of it is kept once, and read back as it was.
    assert len({one["context_hash"] for one in found}) == 95
    said = {one["key"]: one["context"] for one in made}
    for one in found[::50]:
        shown = command("role", "show", one["uid"], "--json").json
        assert shown["context"] == said[one["key"]]

    # They are one stretch of prices, which confirms nothing.
    assert (
        "nothing that evidence confirms"
        in command("role", "recall", "market.perps", "--prompt").out
    )


@real_data
def test_seventy_three_near_same_decisions_are_one_stretch_and_their_plans_decide(
    command, clock, tmp_path, rules
):
    """Longs of SOL by six models within 36 minutes; over 72 hours the window calls all wrong."""
    made = [
        one for one in rules.model_decisions(ARENA, "market.perps.swing") if one["asset"] == "SOL"
    ]
    file = tmp_path / "decisions.jsonl"
    file.write_text("\n".join(map(json.dumps, made)))
    command("role", "record", "--file", str(file))
    command("prices", "import", str(OHLCV / "SOLUSDT_2025-10_1h.csv.gz"))
    command("role", "reflect")

    (summary,) = command("role", "summary", "market.perps.swing", "--json").json
    (found,) = summary["classes"]
    assert (found["decisions"], found["calls"]["stretches"]) == (73, 1)
    assert found["plans"] == {"target_first": 15, "stop_first": 58}
    assert (found["right"], found["wrong"]) == (0, 73)  # by the window alone, beside the plans
    judged = command("role", "list", "market.perps.swing", "--limit", "100", "--json").json
    outcomes = Counter(one["verdict"]["outcome"] for one in judged)
    assert outcomes == {"right": 15, "wrong": 58}
    assert found["patterns"] == []
