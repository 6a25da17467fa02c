"""Who works, from the locks that workers hold while they live."""

from collections import Counter

from afterword.pipeline.core.jobs.registrations import Watch
from afterword.workers.observability.cached import Tally, Values
from afterword.workers.observability.catalogue import OTHER
from afterword.workers.routes import QUEUES

STATES = ("alive", "frozen", "dead")


def fleet(watch: Watch) -> dict[str, Values]:
    """Return workers and dispatchers by state, their heartbeats' age, and threads by queue."""
    workers: Tally = Counter({(state,): 0 for state in STATES})
    dispatchers: Tally = Counter(workers)
    threads: Tally = Counter({(queue,): 0 for queue in QUEUES})
    ages: dict[tuple[str, ...], float] = {}
    for owner in watch.survey():
        if owner.state != "dead":
            role = owner.role or ("worker" if owner.queues else "dispatcher")
            ages[role, str(owner.pid), str(owner.port)] = owner.still_s
        # A dispatcher holds a place too, with no queue to work.
        (workers if owner.queues else dispatchers)[owner.state,] += 1
        if owner.state == "alive":
            for queue in owner.queues:
                threads[queue if queue in QUEUES else OTHER,] += owner.threads
    return {
        "afterword_workers": workers,
        "afterword_dispatchers": dispatchers,
        "afterword_peer_heartbeat_age_seconds": ages,
        "afterword_worker_threads": threads,
    }
