"""An agent alone: edges, pages and verdicts come without any command beside the agent's process."""

import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from afterword import Agent
from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.autostart import last_start, log_path
from afterword.pipeline.core.jobs.fleet import processes
from afterword.pipeline.core.jobs.registrations import needed_path
from afterword.pipeline.testing.autostarted import StartedWorker
from afterword.pipeline.testing.mcp_process import McpProcess
from afterword.pipeline.testing.process import command_of, environment_of
from afterword.pipeline.testing.wait import wait_until

CLIENT = Path(__file__).with_name("mcp_sdk_client.py")
ROLE = "market.spot.momentum"
PATIENT_S = 60
"""How long a loaded machine may take to start a process and run its jobs; seconds."""


def note(text: str) -> dict[str, Any]:
    return {"category": "observation", "content": text}


def has_edges(agent: Agent, asset: str) -> bool:
    return "waiting" not in agent.memory_compiled_page(asset)


def test_what_a_model_writes_is_on_the_page_without_any_other_command(
    home: Path, started: StartedWorker
):
    command, *args = command_of("mcp", home=home)
    page = ("memory_compiled_page", {"asset": "SOL"})
    calls = [
        ("memory_write", note("SOL broke out; sold half of it for ETH")),
        page,
        (*page, "waiting"),
    ]
    server = {"command": command, "args": args, "env": environment_of(autostart=1)}
    done = subprocess.run(
        [sys.executable, CLIENT, json.dumps({**server, "calls": calls})],
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (done.returncode, done.stderr) == (0, "")
    _, at_once, later = (one["content"][0]["text"] for one in json.loads(done.stdout)["answers"])
    assert "- waiting: 1 memory waits for its edges; ask again in a few seconds" in at_once
    assert "- edges: none" in at_once
    assert "[observation] SOL broke out; sold half of it for ETH" in later
    assert started.starts == 1


def test_a_decision_that_ripened_while_nobody_ran_is_judged_when_an_agent_opens(
    home: Path, command, clock, tmp_path: Path, started: StartedWorker
):
    clock.set(system_clock() - timedelta(hours=30))
    command("role", "record", ROLE, "buy the breakout", "--asset", "SOL", "--direction", "long")
    clock.set(system_clock())
    first_ms = int((clock() - timedelta(hours=400)).timestamp()) * 1000
    rows = [
        f"{first_ms + hour * 3_600_000},{px},{px},{px},{px},0"
        for hour in range(400)
        for px in [100 + (hour % 3) + (20 if hour > 380 else 0)]
    ]
    prices = tmp_path / "SOLUSDT_1h.csv"
    prices.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows, ""]))
    command("prices", "import", str(prices))

    with Agent.open(home=home, autostart=True):
        wait_until(lambda: command("role", "list", ROLE, "--json").json[0]["verdict"], PATIENT_S)
    (decision,) = command("role", "list", ROLE, "--json").json
    assert decision["verdict"]["outcome"] == "right"


def test_many_agents_at_once_start_one_worker(home: Path, command, started: StartedWorker):
    command("memory", "write", "lesson", "long BTC")  # it waits for its edges

    def remember(number: int) -> Agent:
        agent = Agent.open(home=home, autostart=True)
        agent.memory_write(**note(f"ETH note {number}"))
        return agent

    with McpProcess(home, autostart=1) as one, McpProcess(home, autostart=1) as other:
        one.begin()
        other.begin()
        with ThreadPoolExecutor(10) as pool:
            agents = list(pool.map(remember, range(10)))
        one.told("memory_write", note("long SOL"))
        other.told("memory_write", note("short SOL"))
        wait_until(lambda: has_edges(agents[0], "SOL"), PATIENT_S)
        assert (one.leave(), other.leave()) == (0, 0)
        assert one.log == other.log == ""  # what the worker says is in its own log
    for agent in agents:
        agent.close()

    assert started.starts == 1
    pid = started.pid()  # it notes it a moment after its first jobs
    found = processes(home, system_clock(), monotonic)
    assert {(one.role, one.pid, one.for_agents) for one in found} == {
        ("worker", pid, True),
        ("dispatcher", pid, True),
    }
    said = "was started by an agent's process; it ends by itself"
    for line in (["fleet"], ["doctor"], ["jobs", "ls"]):
        assert said in command(*line).out


def test_it_ends_by_itself_and_the_next_write_starts_another(home: Path, started: StartedWorker):
    with Agent.open(home=home, autostart=True, autostart_idle_s=1) as agent:
        agent.memory_write(**note("long BTC"))
        first = started.pid()
        assert os.getsid(first) == first  # Ctrl-C at the agent does not reach it
        wait_until(lambda: not Path(f"/proc/{first}").exists(), PATIENT_S)  # no zombie either
        assert has_edges(agent, "BTC")
        assert needed_path(home).exists()
        agent.memory_search("BTC")  # nothing is due, so nothing is started
        assert last_start(home).pid == first

        started.end_pause()
        agent.memory_write(**note("long ETH"))
        wait_until(lambda: has_edges(agent, "ETH"), PATIENT_S)
        assert started.starts == 2


def test_a_write_while_it_leaves_is_not_left_behind(home: Path, command, started: StartedWorker):
    def is_served() -> bool:
        return bool(processes(home, system_clock(), monotonic))

    with Agent.open(home=home, autostart=True, autostart_idle_s=1) as agent:
        agent.memory_write(**note("long BTC"))
        started.pid()
        started.end_pause()
        wait_until(lambda: not is_served(), PATIENT_S)
        agent.memory_write(**note("long ETH"))

    # The agent is gone: it has started another one, or the one that left has.
    wait_until(lambda: command("edges", "of", "ETH", "--json").json["waiting"] == 0, PATIENT_S)
    assert started.starts == 2


@pytest.mark.parametrize(
    "settings", [{"autostart": False}, {"redis_url": "redis://127.0.0.1:6399/0"}]
)
def test_where_others_see_to_the_work_none_is_started_and_a_model_is_told_who(
    home: Path, settings: dict[str, Any]
):
    with Agent.open(home=home, **({"autostart": True} | settings)) as agent:
        agent.memory_write(**note("long BTC"))
        page = agent.memory_compiled_page("BTC")

    assert "1 memory waits for its edges; their owner has to start `afterword up`" in page
    assert not (home / "owners").exists()


def test_a_worker_that_cannot_be_started_costs_the_agent_nothing(
    home: Path, caplog: pytest.LogCaptureFixture
):
    home.mkdir()
    (home / "owners").touch()
    with Agent.open(home=home, autostart=True) as agent, caplog.at_level(logging.WARNING):
        for number in range(3):
            assert agent.memory_write(**note(f"BTC {number}")).id
        page = agent.memory_compiled_page("BTC")

    assert "3 memories wait for their edges; their owner has to start `afterword up`" in page
    (warning,) = {record.getMessage() for record in caplog.records}
    assert warning.startswith(f"no worker was started for the agent: {home}/owners")


def test_a_worker_that_fails_at_its_start_is_tried_again_ever_more_seldom(
    home: Path, tmp_path: Path, command, monkeypatch: pytest.MonkeyPatch, started: StartedWorker
):
    (tmp_path / "dramatiq.py").write_text("raise SystemExit('this dramatiq is broken')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Agent.open(home=home, autostart=True) as agent:
        for failed in (1, 2):
            agent.memory_write(**note("long BTC"))
            wait_until(lambda: not started.is_alive, PATIENT_S)
            agent.memory_write(**note("long BTC"))
            assert last_start(home).failed == failed
            assert "their owner has to start `afterword up`" in agent.memory_compiled_page("BTC")
            started.end_pause()

    assert log_path(home).read_text() == "this dramatiq is broken\n" * 2
    assert log_path(home).stat().st_mode & 0o777 == 0o600
    said = f"the worker that an agent started ended early (2 in a row); {log_path(home)}"
    assert said in command("doctor").out
