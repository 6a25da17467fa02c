"""Metrics of workers and dispatchers, from their registrations."""

from collections import Counter

from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import WorkerWatch
from afterword.pipeline.core.telemetry.numbers import OTHER, Tally, Values
from afterword.workers.routes import QUEUES

_STATES = ("alive", "frozen", "dead")


def fleet(watch: WorkerWatch) -> dict[str, Values]:
    """Return processes by role and state, ages of heartbeats, and threads by queue."""
    workers: Tally = Counter({(state,): 0 for state in _STATES})
    isolation: Tally = Counter(workers)
    dispatchers: Tally = Counter(workers)
    threads: Tally = Counter({(queue,): 0 for queue in QUEUES})
    ages: dict[tuple[str, ...], float] = {}
    for process in watch.survey():
        if process.state != "dead":
            role = process.role or ("worker" if process.queues else "dispatcher")
            ages[role, str(process.pid), str(process.port)] = process.heartbeat_age_s
        # A dispatcher is registered too; it serves no queue.
        if not process.queues:
            dispatchers[process.state,] += 1
        elif process.queues == (ISOLATION_QUEUE,):
            isolation[process.state,] += 1
        else:
            workers[process.state,] += 1
        if process.state == "alive":
            for queue in process.queues:
                threads[queue if queue in QUEUES else OTHER,] += process.threads
    return {
        "afterword_workers": workers,
        "afterword_isolation_workers": isolation,
        "afterword_dispatchers": dispatchers,
        "afterword_peer_heartbeat_age_seconds": ages,
        "afterword_worker_threads": threads,
    }
