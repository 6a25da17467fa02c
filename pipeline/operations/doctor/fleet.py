"""Check that workers and dispatchers are alive, and that they run the waiting jobs."""

from collections.abc import Iterator
from datetime import datetime

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.jobs.autostart import last_start, log_path
from afterword.pipeline.core.jobs.fleet import (
    OpenJobs,
    Process,
    is_served,
    notes,
    problems,
    processes,
)
from afterword.pipeline.operations.doctor.model import Finding, State
from afterword.pipeline.settings import Settings


def examine_fleet(
    settings: Settings, wanted: OpenJobs, now: datetime, monotonic: Monotonic
) -> Iterator[Finding]:
    """Check the workers and dispatchers of a home.

    Args:
        wanted: the open jobs of all groups that could be read.
        now: time of this machine's clock, because heartbeats are files of this machine.
    """
    found = processes(settings.home, now, monotonic)
    one_process = not settings.redis_url
    # Without Redis a person may run `afterword up` only from time to time.
    state: State = "note" if one_process and not found else "wrong"
    said = problems(found, wanted, one_process)
    for problem in said:
        what, _, remedy = problem.partition("; ")
        yield Finding("fleet", state, what, remedy)
    for note in notes(found):
        yield Finding("fleet", "note", note)
    last = last_start(settings.home)
    if last.has_failed(now) and not is_served(found):
        what = f"the worker that an agent started ended early ({last.failed} in a row)"
        yield Finding("fleet", "wrong", what, f"{log_path(settings.home)} says why")
    if not said:
        yield Finding("fleet", "fine" if found else "note", _summary(found))


def _summary(found: list[Process]) -> str:
    alive = [one for one in found if one.is_alive]
    if not alive:
        return "no worker or dispatcher is alive, and no job waits"
    workers = [one for one in alive if one.role != "dispatcher"]
    threads, busy = sum(one.threads for one in workers), sum(one.busy for one in workers)
    return (
        f"{len(alive) - len(workers)} dispatchers and {len(workers)} workers are alive, "
        f"{busy} of {threads} threads busy"
    )
