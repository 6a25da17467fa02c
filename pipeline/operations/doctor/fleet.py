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
from afterword.pipeline.operations.doctor.model import Finding, FindingState
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
    state: FindingState = "note" if one_process and not found else "wrong"
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
    dispatchers = [process for process in alive if process.role == "dispatcher"]
    isolation = [process for process in alive if process.is_isolation]
    workers = [process for process in alive if process not in (*dispatchers, *isolation)]
    threads = sum(process.threads for process in workers)
    busy = sum(process.busy for process in workers)
    return (
        f"{len(dispatchers)} dispatchers, {len(workers)} workers and {len(isolation)} isolation "
        f"workers are alive, {busy} of {threads} threads of the workers busy"
    )
