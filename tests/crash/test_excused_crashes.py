"""Workers killed from outside: a job counts no crash that another death excuses, and says why."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.registrations import ObservedWorker, living
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.routes import QUEUES
from afterword.workers.testing import CALL

pytestmark = pytest.mark.crash

LANES = ",".join(queue for queue in QUEUES if queue != "alone")
SUPERVISED = """
import sys
from functools import partial
from pathlib import Path
from afterword.pipeline.clock import monotonic
from afterword.workers.worker.commands import keep_exit, spawn
from afterword.workers.worker.supervisor import Supervisor

home, lanes = sys.argv[1:]
places = [(lanes, "4"), ("alone", "1"), ("alone", "1")]
commands = [(sys.executable, "-m", "afterword.workers.testing", home, *place) for place in places]
Supervisor(commands, monotonic, spawn, partial(keep_exit, Path(home))).run()
"""


@pytest.fixture
def workers(host: Any) -> Iterator[Callable[[], list[ObservedWorker]]]:
    """Supervise workers as `afterword worker` does; the fixture returns those that live."""
    environment = os.environ | {
        "AFTERWORD_REDIS_URL": host.redis.url,
        "AFTERWORD_SYNCHRONOUS": "NORMAL",
        "AFTERWORD_METRICS_PORT": "0",
    }
    supervisor = subprocess.Popen(
        [sys.executable, "-c", SUPERVISED, str(host.home), LANES], env=environment, cwd=host.home
    )

    def found() -> list[ObservedWorker]:
        return [one for one in living(host.home, monotonic) if one.role == "worker"]

    yield found
    supervisor.send_signal(signal.SIGTERM)
    supervisor.send_signal(signal.SIGTERM)
    for one in found():
        os.kill(one.pid, signal.SIGKILL)
    supervisor.wait(timeout=60)


def test_a_job_shows_which_process_died_how_and_counts_only_a_death_that_came_alone(
    host: Any, workers: Callable[[], list[ObservedWorker]]
):
    host.dispatcher()
    wait_until(lambda: len(workers()) == 3, 60)
    host.add(CALL, [{"id": 0, "ms": 25_000}])

    def is_running() -> bool:
        return host.states() == {(CALL.name, "running"): 1} and len(workers()) == 3

    def kill(*queues: str) -> int:
        """Kill the workers that serve one of these queues, and return the pid of the first one."""
        wait_until(is_running, 60)
        pids = [one.pid for one in workers() if set(queues) & set(one.queues)]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return pids[0]

    def crashes() -> tuple[int, int]:
        (job,) = host.jobs()
        return job.crashes, job.excused

    def show(*options: str) -> str:
        done = run_afterword("jobs", "show", "1", *options, home=host.home)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    kill("embed", "alone")
    wait_until(lambda: crashes() == (0, 1), 60)
    last = kill("embed")
    wait_until(lambda: crashes() == (1, 1), 60)
    wait_until(lambda: "unknown" not in show(), 30)

    excused, counted = json.loads(show("--json"))["runs"]
    assert (excused["exit_status"], counted["exit_status"]) == (-signal.SIGKILL, -signal.SIGKILL)
    assert (excused["by_itself"], counted["by_itself"]) == (False, False)
    assert "worker " in excused["excused_by"] and counted["excused_by"] is None
    assert counted["pid"] == last
    text = show()
    assert "died as well" in text
    assert text.count("SIGKILL") == 2
