"""A worker that an agent started: killed, told to end, replaced by a fleet, without a disk."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.fleet import is_served, processes
from afterword.pipeline.core.jobs.inspect import counts, totals
from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.autostarted import StartedWorker
from afterword.pipeline.testing.mcp_process import McpProcess
from afterword.pipeline.testing.wait import wait_until
from tests.crash.small_disk import on_disk

pytestmark = pytest.mark.crash

PATIENT_S = 60
"""How long a loaded machine may take to start a process and run its jobs; seconds."""


def write(client: McpProcess, text: str) -> None:
    client.told("memory_write", {"category": "observation", "content": text})


def page(client: McpProcess, asset: str) -> str:
    return str(client.call("memory_compiled_page", {"asset": asset})["content"][0]["text"])


def wait_for_edges(client: McpProcess) -> None:
    wait_until(lambda: "waiting" not in page(client, "BTC"), PATIENT_S)


def runs(home: Path) -> dict[str, int]:
    """Return how many runs ended in each way, once no job is open."""
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    store = stores.group("main")

    def is_done() -> bool:
        with reading(store) as conn:
            return not counts(conn)

    wait_until(is_done, PATIENT_S)
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        ended = {one.outcome: one.jobs for one in totals(conn) if one.kind == "extract_edges"}
    stores.close()
    return ended


@pytest.fixture
def client(home: Path) -> Iterator[McpProcess]:
    with McpProcess(home, autostart=1, session_max_stores=1_000) as one:
        one.begin()
        yield one


def test_after_a_kill_the_next_write_starts_another(
    home: Path, client: McpProcess, started: StartedWorker
):
    write(client, "long BTC")
    wait_for_edges(client)
    first = started.pid()
    started.end_pause()  # as if it had run for long
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not started.is_alive)
    write(client, "short BTC")

    wait_for_edges(client)
    assert started.pid() != first and started.starts == 2
    assert runs(home) == {"done": 2}


def test_a_killed_agent_does_not_take_its_worker_along(
    home: Path, client: McpProcess, started: StartedWorker
):
    for number in range(20):
        write(client, f"BTC note {number}")
    client.server.kill()

    assert runs(home) == {"done": 20}
    assert started.is_alive


def test_told_to_end_it_leaves_in_order_and_its_agent_goes_on(
    home: Path, client: McpProcess, started: StartedWorker
):
    write(client, "long BTC")
    wait_for_edges(client)
    os.kill(started.pid(), signal.SIGTERM)
    wait_until(lambda: not started.is_alive, PATIENT_S)

    assert processes(home, system_clock(), monotonic) == []  # it has taken its files along
    assert "dispatcher.stopped" in (home / "autostart.log").read_text()
    assert "long BTC" in page(client, "BTC")


def test_without_its_home_it_ends_and_leaves_nothing(
    home: Path, client: McpProcess, started: StartedWorker
):
    write(client, "long BTC")
    pid = started.pid()
    client.leave()
    shutil.rmtree(home)

    wait_until(lambda: not Path(f"/proc/{pid}").exists(), PATIENT_S)
    assert not home.exists()


@pytest.mark.parametrize("fleet", ["up", pytest.param("fleet", marks=pytest.mark.redis)])
def test_it_leaves_to_a_fleet_that_starts_later_and_no_job_runs_twice(
    fleet: str, request: pytest.FixtureRequest, home: Path, started: StartedWorker
):
    site: Any = request.getfixturevalue("site")
    with McpProcess(home, autostart=1, session_max_stores=1_000) as client:
        client.begin()
        write(client, "BTC, the first")
        first = started.pid()
        if fleet == "up":
            site.start("up", REDIS_URL="")
        else:
            site.start("dispatcher")
            site.start("worker", "--threads", "4")
        written = 1
        while Path(f"/proc/{first}").exists():
            written += 1
            write(client, f"BTC note {written}")
        write(client, "BTC, the last")

        assert runs(home) == {"done": written + 1}
        assert started.starts == 1 and not started.is_alive
        found = processes(home, system_clock(), monotonic)
        assert is_served(found) and not any(one.for_agents for one in found)


ON_A_DISK = """
import sys
from contextlib import suppress
from pathlib import Path
from afterword import Agent
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.autostart import LastStart, StartLock
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.testing.autostarted import StartedWorker
from afterword.pipeline.testing.wait import wait_until

home = Path(sys.argv[1])
started = StartedWorker(home)
with Agent.open(home=home) as agent:
    assert not started.is_alive  # nothing is due in a new group
    lock = StartLock.take(home)
    lock.write(LastStart(system_clock().timestamp()))  # so that none is started yet
    lock.release()
    agent.memory_write("observation", "long BTC")
    started.end_pause()
    with open(home / "ballast", "wb", buffering=0) as ballast, suppress(OSError):
        while ballast.write(b"x" * 4096): pass
    try:
        agent.memory_write("observation", "short BTC")
    except UnavailableError as error:
        print("refused:", error)
    for _ in range(2):
        started.end_pause()
        print("found:", [one.content for one in agent.memory_search("BTC")])
        started.kill()  # if it was not refused at its start
    (home / "ballast").unlink()
    started.end_pause()
    wait_until(lambda: "waiting" not in agent.memory_compiled_page("BTC"), 60)
started.kill()
"""


def test_on_a_full_disk_an_agent_answers_and_the_work_is_done_later(home: Path):
    line = [sys.executable, "-c", ON_A_DISK, str(home)]
    done = on_disk(home, "size=8m,mode=700", line, autostart=1)

    assert done.returncode == 0, done.stderr
    refused, *found = done.stdout.splitlines()
    assert refused.startswith("refused: ") and "free some disk space" in refused
    assert found == ["found: ['long BTC']"] * 2
    assert "Traceback" not in done.stderr
