"""Without any worker, `role reflect` brings decisions from their prices to patterns with a text."""

import json
from datetime import timedelta

import pytest

from afterword.pipeline.testing.model_server import ModelServer
from afterword.pipeline.testing.roles import HOUR

ROLE = "market.spot.momentum"
QUIET, DAYS = 240, 60
"""Hours of prices before the first day, and days that rise and fall in turn."""


@pytest.fixture
def recorded(command, clock, tmp_path):
    """Import prices, and record a long at the end of each day of rise: the next day falls."""
    start = clock().replace(minute=0, second=0, microsecond=0) - (QUIET + 24 * DAYS + 1) * HOUR
    lines, close = ["t_open_ms,open,high,low,close,volume"], 100.0
    for hour in range(QUIET + 24 * DAYS):
        if hour < QUIET:
            close = 100.0 * (1.01 if hour % 2 else 1.0)
        else:
            rises = (hour - QUIET) // 24 % 2 == 0
            close *= 1 + (0.00125 if rises else -0.00125) + (0.0005 if hour % 2 else -0.0005)
        opened = int((start + hour * HOUR).timestamp() * 1000)
        lines.append(f"{opened}," + ",".join([f"{close:.6f}"] * 4) + ",0")
    prices = tmp_path / "SOLUSDT_1h.csv"
    prices.write_text("\n".join(lines) + "\n")
    decisions = tmp_path / "decisions.jsonl"
    first = start + (QUIET + 24) * HOUR + timedelta(minutes=10)
    calls = [
        {"decision": "It rises", "asset": "SOL", "direction": "long", "decided_at": at.isoformat()}
        for at in (first + 24 * day * HOUR for day in range(0, DAYS - 2, 2))
    ]
    decisions.write_text("\n".join(map(json.dumps, calls)) + "\n")
    assert command("prices", "import", str(prices)).code == 0
    assert command("role", "record", ROLE, "--file", str(decisions)).code == 0
    return len(calls)


def test_one_command_judges_measures_the_ladder_and_weighs_the_patterns(command, recorded):
    done = command("role", "reflect", "--json").json

    assert sum(done["reflected"].values()) == recorded
    assert done["outcomes"] == {"168": 26, "720": 15}  # those over before the prices end
    assert done["patterns"] == {"confirmed": 1}
    shown = command("role", "show", "1", "--json").json["outcomes"]
    assert [one["window_hours"] for one in shown] == [24, 168, 720]
    summary = command("role", "summary").out
    assert "Failing: longs after a rise beyond the band, SOL: right 0 of 29" in summary


def test_asked_again_it_finds_nothing_to_do(command, recorded):
    command("role", "reflect")
    again = command("role", "reflect", "--json").json

    assert (again["reflected"], again["outcomes"], again["patterns"]) == ({}, {}, {})


def test_with_one_role_named_the_ladder_of_the_others_is_measured_too(command, recorded):
    done = command("role", "reflect", "market.perps.swing", "--json").json

    assert (done["reflected"], done["patterns"]) == ({}, {})
    assert set(done["outcomes"]) == {"168", "720"}


def test_a_model_that_judges_words_what_is_confirmed_in_the_same_command(command, recorded):
    command("role", "reflect")
    with ModelServer(fills=lambda _: {"text": "Longs in SOL work 99 % of the time."}) as server:
        judged_by_model = {
            "AFTERWORD_ROLE_JUDGE": "model",
            "AFTERWORD_LLM_PROVIDER": "anthropic",
            "AFTERWORD_LLM_BASE_URL": server.origin,
        }
        command("budget", "stop", "--note", "too dear")
        held = command("role", "reflect", env=judged_by_model)
        command("budget", "resume")
        done = command("role", "reflect", env=judged_by_model)

    assert "patterns keep the words of a template: " in held.out
    assert (done.code, len(server.served)) == (0, 1)
    told = command("role", "pattern", "show", ROLE, "crypto", "long", "up", "failing").out
    assert "template (" in told  # a number that it was not given is refused
