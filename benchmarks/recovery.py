"""How soon jobs run again after a worker, Redis or the only dispatcher was killed."""

import os
import random
import signal
import time
from collections.abc import Callable
from math import ceil, sqrt
from statistics import median

from sqlalchemy import text

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import living
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.testing import CALL, NOTE_KIND
from afterword.workers.worker.commands import ISOLATION_PROCESSES
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host

LONG_MS = 1_000
"""Work of the job whose worker is killed: it is running when the signal comes."""

SHORT_MS = 5
"""Work of each job of the backlog that must flow again: 1,600 a second on 8 threads."""

BACKLOG = 10_000
"""Such jobs; more than all tries together finish."""

DRY_S = 0.5
"""Without an end for so long, six times what one message takes, the worker has nothing left."""

AWAY_S = 3.0
"""How much longer it stays away at most: uneven, so that it comes back in any phase of a retry."""

IN_FLIGHT = 400
"""Jobs that one worker process runs when it is killed, in calls of `CALL_MS` for 64 jobs each."""

CALL_MS = 1_000

IN_FLIGHT_FLOOR_S = 0.95 * ceil(sqrt(IN_FLIGHT)) * CALL_MS / 1000 / ISOLATION_PROCESSES
"""What the calls alone take for 95 % of the jobs: batches of the square root of their number, as
many at once as there are processes for isolated jobs; seconds."""

_RUNNING = text("SELECT lease_owner FROM jobs WHERE state = 'running'")


def ask(tries: int) -> Answer:
    """Kill each part again and again, and wait for the first job that runs afterwards."""
    measured: dict[str, float] = {}
    for name, recover in RECOVERIES.items():
        with a_host() as host:
            times = recover(host, tries)
        measured[f"{name}_p50_s"], measured[f"{name}_max_s"] = median(times), max(times)
        note(f"recovery: {name}: {median(times):.2f} s, at most {max(times):.2f} s")
    for name, poison in (("in_flight", False), ("in_flight_with_poison", True)):
        with a_host() as host:
            took = _in_flight(host, poison)
        measured[f"{name}_95_percent_s"] = took
        note(f"recovery: {name}: 95 % of {IN_FLIGHT} jobs ended after {took:.1f} s")
    measured["in_flight_floor_s"] = IN_FLIGHT_FLOOR_S
    targets = {
        "worker_killed_max_s": Target(at_most=5),
        "redis_emptied_max_s": Target(at_most=5),
        "in_flight_95_percent_s": Target(at_most=15),
        "in_flight_with_poison_95_percent_s": Target(at_most=30),
    }
    return Answer("recovery", measured, targets, sizes={"tries": tries})


def _worker_killed(host: Host, tries: int) -> list[float]:
    """Return the seconds from the kill until the job runs in another process."""
    host.dispatcher()
    host.worker(threads=1, queues=(ISOLATION_QUEUE,))
    host.worker()
    times = []
    for number in range(tries):
        host.worker()  # beside the survivor of the last try
        _add(host, 1, LONG_MS, first=number)
        wait_until(lambda: _runners(host))
        (victim,) = _runners(host)
        os.kill(_pid(host, victim), signal.SIGKILL)
        times.append(_taken_over(host, victim))
        wait_until(host.is_drained)
    return times


def _taken_over(host: Host, victim: str) -> float:
    return wait_until(lambda: _runners(host) - {victim})


def _redis_emptied(host: Host, tries: int) -> list[float]:
    """Return the seconds from the empty server's start until a job ends again."""
    host.dispatcher()
    return _flowing_again(host, tries, kill=host.redis.kill, revive=host.redis.start)


def _dispatcher_killed(host: Host, tries: int) -> list[float]:
    """Return the seconds from another dispatcher's start until a job ends again."""
    running = [host.dispatcher()]
    return _flowing_again(
        host,
        tries,
        kill=lambda: running.pop().kill(),
        revive=lambda: running.append(host.dispatcher()),
    )


RECOVERIES: dict[str, Callable[[Host, int], list[float]]] = {
    "worker_killed": _worker_killed,
    "redis_emptied": _redis_emptied,
    "dispatcher_killed": _dispatcher_killed,
}


def _in_flight(host: Host, poison: bool) -> float:
    """Return the seconds from the death of a worker until 95 % of the jobs it ran have ended.

    Args:
        poison: whether one of the jobs ends every process that runs it, this worker first.
    """
    host.dispatcher()
    alone = [host.worker(threads=1, queues=(ISOLATION_QUEUE,)) for _ in range(ISOLATION_PROCESSES)]
    payloads: list[dict[str, object]] = [{"id": i, "ms": CALL_MS} for i in range(IN_FLIGHT)]
    if poison:
        payloads[IN_FLIGHT // 2]["guilty"] = True
    with writing(host.store) as conn:
        add_many(conn, CALL, payloads, system_clock())
    victim = host.worker()
    wait_until(lambda: _running_jobs(host) == IN_FLIGHT)
    if not poison:
        victim.kill()
    victim.wait()

    def ended() -> bool:
        for place, process in enumerate(alone):
            if process.poll() is not None:  # as the supervisor does
                alone[place] = host.start(
                    "afterword.workers.testing", str(host.home), ISOLATION_QUEUE, "1"
                )
        return host.done(CALL.name) >= 0.95 * IN_FLIGHT

    return wait_until(ended, 120)


def _running_jobs(host: Host) -> int:
    with reading(host.store) as conn:
        return len(conn.execute(_RUNNING).all())


def _flowing_again(
    host: Host, tries: int, kill: Callable[[], None], revive: Callable[[], None]
) -> list[float]:
    """Kill something while jobs flow, let the flow run dry, revive it and wait for the flow."""
    host.worker()
    _add(host, BACKLOG, SHORT_MS)
    chance = random.Random(1)
    times = []
    for _ in range(tries):
        host.wait_done(NOTE_KIND.name, host.done(NOTE_KIND.name) + 1)
        kill()
        dry = _run_dry(host)
        time.sleep(chance.uniform(0, AWAY_S))
        started = monotonic()
        revive()
        host.wait_done(NOTE_KIND.name, dry + 1)
        times.append(monotonic() - started)
    assert not host.is_drained(), "the backlog ended before the tries"
    return times


def _run_dry(host: Host) -> int:
    """Wait until the worker has ended all it was sent, and return how many jobs are done."""
    done, since = host.done(NOTE_KIND.name), monotonic()
    while monotonic() - since < DRY_S:
        time.sleep(0.01)
        now_done = host.done(NOTE_KIND.name)
        if now_done != done:
            done, since = now_done, monotonic()
    return done


def _add(host: Host, jobs: int, ms: int, first: int = 0) -> None:
    payloads = [{"id": first + index, "ms": ms} for index in range(jobs)]
    with writing(host.store) as conn:
        add_many(conn, NOTE_KIND, payloads, system_clock())


def _runners(host: Host) -> set[str]:
    """Return the processes that run a job now."""
    with reading(host.store) as conn:
        return set(conn.execute(_RUNNING).scalars())


def _pid(host: Host, uid: str) -> int:
    (found,) = (one.pid for one in living(host.home, monotonic) if one.uid == uid)
    return found


if __name__ == "__main__":
    answers(ask, tries=(int, 5, "kills of each part"))
