"""A worker dies with 400 jobs in flight: all end elsewhere, only the guilty one is dead."""

import subprocess
from typing import Any

import pytest

from afterword.pipeline.core.jobs.model import MAX_CRASHES
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.dispatcher.relay import MESSAGES_PER_THREAD
from afterword.workers.broker.broker import connect
from afterword.workers.routes import QUEUES
from afterword.workers.testing import CALL
from afterword.workers.worker.commands import ISOLATION_PROCESSES

pytestmark = pytest.mark.crash

LANES = tuple(queue for queue in QUEUES if queue != "alone")
IN_FLIGHT = 400
CALL_MS = 1000
THREADS = 8


def jobs_in_flight(host: Any, **special: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """Let one worker run 400 jobs at once in calls of a second, and return its process."""
    payloads = [{"id": index, "ms": CALL_MS} for index in range(IN_FLIGHT)]
    for index, more in special.items():
        payloads[int(index)] |= more
    host.add(CALL, payloads)
    victim = host.worker(queues=LANES, threads=THREADS)
    host.dispatcher()
    wait_until(lambda: host.states() == {(CALL.name, "running"): IN_FLIGHT}, 30)
    return victim


def isolation(host: Any) -> "list[subprocess.Popen[bytes]]":
    """Start the processes for isolated jobs, as `afterword worker` does."""
    return [host.worker(queues=("alone",), threads=1) for _ in range(ISOLATION_PROCESSES)]


def ended(host: Any) -> bool:
    return len(host.effects()) >= 0.95 * IN_FLIGHT


def test_of_400_jobs_of_a_killed_worker_95_percent_end_within_15_seconds(host: Any):
    isolation(host)
    victim = jobs_in_flight(host)
    victim.kill()

    assert wait_until(lambda: ended(host), 60) < 15
    host.drained()
    assert host.effects() == {str(index): 1 for index in range(IN_FLIGHT)}
    host.check()


def test_with_a_poison_job_among_them_95_percent_end_within_30_seconds(host: Any):
    alone = isolation(host)
    victim = jobs_in_flight(host, **{"123": {"guilty": True}})
    deaths = 0
    most_crashes: dict[int, int] = {}

    def supervised() -> None:
        """Start again what died, as the supervisor does."""
        nonlocal deaths
        for place, process in enumerate(alone):
            if process.poll() is not None:
                alone[place], deaths = host.worker(queues=("alone",), threads=1), deaths + 1

    def step() -> bool:
        supervised()
        most_crashes.update({job.payload["id"]: job.crashes for job in host.jobs()})
        return ended(host)

    victim.wait(timeout=30)
    assert wait_until(step, 90) < 30
    wait_until(lambda: step() and set(host.states()) == {(CALL.name, "dead")}, 60)
    (dead,) = host.jobs()
    assert (dead.payload["id"], dead.last_error) == (123, "killed its worker")
    assert deaths == MAX_CRASHES - 1, "its batch, then the job by itself"
    assert max(crashes for index, crashes in most_crashes.items() if index != 123) < MAX_CRASHES
    assert host.effects() == {str(index): 1 for index in range(IN_FLIGHT) if index != 123}
    host.check()


def test_the_isolation_queue_never_holds_more_than_its_window(host: Any):
    victim = jobs_in_flight(host)
    isolation(host)
    victim.kill()
    client = connect(host.redis.url)
    queue = f"afterword:{host.stores.instance_id}:alone"
    longest = 0

    def watched() -> bool:
        nonlocal longest
        longest = max(longest, client.llen(queue))
        return not host.states()

    wait_until(watched, 60)
    client.close()
    assert 0 < longest <= MESSAGES_PER_THREAD * ISOLATION_PROCESSES
