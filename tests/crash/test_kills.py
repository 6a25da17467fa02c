"""Processes killed at named points: every job ends, every effect happens once."""

import os
import random
import signal
import subprocess
import sys
from typing import Any

import pytest

from afterword.pipeline.core.jobs.model import MAX_CRASHES
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.routes import QUEUES
from afterword.workers.testing import FAIL, HANG, NOTE_KIND, POISON

pytestmark = pytest.mark.crash

LANES = tuple(queue for queue in QUEUES if queue != "alone")
POINTS = [
    "jobs.leased",  # after the lease
    "jobs.working",  # in the work
    "store.finishing",  # before the commit
    "store.finished",  # after the commit
    "jobs.acking",  # before the acknowledgement
]


def once(number: int) -> dict[str, int]:
    return {str(index): 1 for index in range(number)}


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_at_any_point_loses_and_doubles_nothing(host: Any, point: str):
    host.dispatcher()
    victim = host.worker(crash_at=f"{point}:3", queues=LANES)
    host.add(NOTE_KIND, [{"id": index} for index in range(200)])
    assert victim.wait(timeout=30) == -signal.SIGKILL

    host.worker(queues=LANES)
    host.worker(queues=("alone",), threads=1)
    assert host.drained() < 30
    assert host.effects() == once(200)
    host.check()


def test_workers_killed_at_random_moments_round_after_round_lose_and_double_nothing(host: Any):
    chance = random.Random(20260105)
    host.dispatcher()
    host.worker(queues=("alone",), threads=1)
    workers = [host.worker(queues=LANES) for _ in range(2)]
    host.add(NOTE_KIND, [{"id": index, "ms": 3} for index in range(3000)])
    for _ in range(10):
        before = len(host.effects())
        wait_until(lambda b=before: len(host.effects()) > b + chance.randrange(200), 30)
        fallen = chance.randrange(2)
        workers[fallen].kill()
        workers[fallen] = host.worker(queues=LANES)

    host.drained()
    assert host.effects() == once(3000)
    host.check()


def test_after_a_kill_its_jobs_run_elsewhere_within_five_seconds(host: Any):
    host.dispatcher()
    host.worker(queues=LANES)
    host.worker(queues=LANES)
    host.worker(queues=("alone",), threads=1)
    wait_until(lambda: len(host.workers()) == 3, 60)
    host.add(NOTE_KIND, [{"id": index, "ms": 400} for index in range(8)])
    wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
    owner = next(job.lease_owner for job in host.jobs() if job.state == "running")
    os.kill(host.workers()[str(owner)], signal.SIGKILL)

    def moved_on() -> bool:
        return any(job.state == "running" and job.crashes for job in host.jobs())

    assert wait_until(moved_on) < 5
    host.drained()
    assert host.effects() == once(8)


@pytest.mark.parametrize("point", ["relay.claimed:2", "relay.sent:2"])
def test_a_dispatcher_killed_around_a_send_strands_nothing(host: Any, point: str):
    host.worker()
    victim = host.dispatcher(crash_at=point)
    host.add(NOTE_KIND, [{"id": index} for index in range(2000)])
    assert victim.wait(timeout=30) == -signal.SIGKILL

    host.dispatcher()
    assert host.drained() < 40
    assert host.effects() == once(2000)
    host.check()


@pytest.mark.parametrize("dispatchers", [2, 5])
def test_any_number_of_dispatchers_send_a_job_to_one_run(host: Any, dispatchers: int):
    for _ in range(dispatchers):
        host.dispatcher()
    host.worker()
    host.add(NOTE_KIND, [{"id": index} for index in range(1000)])

    host.drained()
    assert host.effects() == once(1000)
    host.check()


def test_a_poison_job_is_dead_lettered_and_its_neighbours_finish(host: Any):
    host.dispatcher()
    payloads = [{"id": index, "guilty": index == 5} for index in range(20)]
    host.add(POISON, payloads)
    deaths = 0
    lanes, alone = host.worker(queues=LANES), host.worker(queues=("alone",), threads=1)

    def settled() -> bool:
        nonlocal lanes, alone, deaths
        if lanes.poll() is not None:
            lanes, deaths = host.worker(queues=LANES), deaths + 1
        if alone.poll() is not None:
            alone, deaths = host.worker(queues=("alone",), threads=1), deaths + 1
        return set(host.states()) == {(POISON.name, "dead")}

    wait_until(settled, 60)
    (dead,) = host.jobs()
    assert (dead.payload["id"], dead.last_error) == (5, "killed its worker")
    assert dead.crashes == MAX_CRASHES
    assert host.effects() == {str(index): 1 for index in range(20) if index != 5}
    assert deaths <= MAX_CRASHES
    host.check()


def test_a_poison_job_takes_no_innocent_with_it_where_one_process_works_every_lane(host: Any):
    host.dispatcher()
    host.add(POISON, [{"id": index, "guilty": index == 3} for index in range(12)])
    worker = host.worker(threads=4)

    def settled() -> bool:
        nonlocal worker
        if worker.poll() is not None:
            worker = host.worker(threads=4)
        return set(host.states()) == {(POISON.name, "dead")}

    wait_until(settled, 60)
    assert [job.payload["id"] for job in host.jobs()] == [3]
    assert host.effects() == {str(index): 1 for index in range(12) if index != 3}


def test_jobs_of_a_dead_worker_are_freed_in_every_group_also_behind_a_damaged_one(host: Any):
    bad = host.stores.group("a_bad_one", create=True)
    worker = host.worker()
    dispatcher = host.dispatcher()
    host.add(NOTE_KIND, [{"id": 0, "ms": 3000}])
    wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
    dispatcher.kill()
    worker.kill()
    host.stores.close()
    bad.path.write_bytes(b"not a database" * 1000)
    host.dispatcher()
    host.worker()

    host.drained()
    assert host.effects() == {"0": 1}


def test_a_frozen_worker_that_wakes_after_its_lease_changes_nothing(host: Any):
    host.dispatcher()
    frozen = host.worker(queues=LANES, threads=1)
    host.add(NOTE_KIND, [{"id": 0, "ms": 1500}])
    wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
    os.kill(frozen.pid, signal.SIGSTOP)
    host.worker(queues=LANES)

    assert host.drained(timeout_s=60) < 40  # 30 s without a beat, then the run itself
    os.kill(frozen.pid, signal.SIGCONT)
    frozen.send_signal(signal.SIGTERM)
    assert frozen.wait(timeout=30) == 0
    assert host.effects() == {"0": 1}
    host.check()


def test_a_process_whose_threads_hang_leaves_and_its_other_jobs_go_on(host: Any):
    host.dispatcher()
    stuck = host.worker(threads=2)
    host.add(HANG, [{"id": "hung", "seconds": 60}])
    host.add(NOTE_KIND, [{"id": 0, "ms": 4000}])

    assert stuck.wait(timeout=30) == 75
    host.worker()
    host.worker()
    wait_until(lambda: host.effects() == {"0": 1}, 30)


def test_a_stopped_worker_finishes_what_ends_within_the_grace(host: Any):
    host.dispatcher()
    worker = host.worker(threads=2, shutdown_grace_s=30)
    host.add(NOTE_KIND, [{"id": 0, "ms": 1500}])
    wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
    worker.terminate()

    assert worker.wait(timeout=20) == 0
    assert host.effects() == {"0": 1}
    assert host.states() == {}


def test_a_stopped_worker_hands_back_at_once_and_a_second_term_does_not_wait(host: Any):
    host.dispatcher()
    worker = host.worker(threads=2, shutdown_grace_s=60)
    host.add(NOTE_KIND, [{"id": index, "ms": 20_000} for index in range(2)])
    wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
    worker.terminate()
    wait_until(lambda: True)
    worker.terminate()

    def gone() -> bool:
        worker.send_signal(signal.SIGTERM)
        return worker.poll() is not None

    assert wait_until(gone, 15) < 10
    assert worker.returncode == 0
    assert {job.state for job in host.jobs()} <= {"ready", "sent"}
    assert {job.attempts for job in host.jobs()} == {0}


def test_a_closed_terminal_stops_nobody(host: Any):
    dispatcher, worker = host.dispatcher(), host.worker()
    host.add(NOTE_KIND, [{"id": 0}])
    wait_until(lambda: host.effects())
    dispatcher.send_signal(signal.SIGHUP)
    worker.send_signal(signal.SIGHUP)
    host.add(NOTE_KIND, [{"id": 1}])

    host.drained()
    assert (dispatcher.poll(), worker.poll()) == (None, None)
    assert host.effects() == once(2)


def test_a_starved_worker_with_little_memory_is_slow_but_correct(host: Any):
    host.dispatcher()
    host.worker(threads=2, wrap=("nice", "-n", "10", "prlimit", f"--data={300 * 1024 * 1024}"))
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        host.add(NOTE_KIND, [{"id": index} for index in range(400)])
        host.drained(timeout_s=120)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    assert host.effects() == once(400)
    assert not any(job.crashes for job in host.jobs())
    host.check()


def test_a_job_that_always_fails_ends_dead_with_its_history(host: Any):
    host.dispatcher()
    host.worker()
    host.add(FAIL, [{}])

    wait_until(lambda: host.states() == {(FAIL.name, "dead"): 1}, 30)
    (job,) = host.jobs()
    assert (job.attempts, job.last_error) == (2, "UnavailableError: the outside is away")
