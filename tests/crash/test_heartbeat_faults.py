"""A heartbeat that cannot be written, and a process that forgot its jobs: work goes on."""

import resource
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import runs
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.registrations import WorkerRegistration, registrations_folder
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.testing import HANG, NOTE_KIND, TEST_ROUTES
from afterword.workers.worker.process import EXIT_STUCK

pytestmark = pytest.mark.crash


def heartbeat_file(host: Any) -> Path:
    """Return the lock file of the only worker process, once it has one."""
    wait_until(lambda: list(registrations_folder(host.home).glob("*.lock")))
    (path,) = registrations_folder(host.home).glob("*.lock")
    return path


def heartbeat(path: Path) -> int:
    return int(path.read_text().split()[0])


def forbid_writes(pid: int, forbidden: bool) -> None:
    """Let every write of a process to a file fail with EFBIG, or let them succeed again."""
    _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0 if forbidden else most, most))


def stands_still(path: Path) -> bool:
    """Say whether two seconds pass without a heartbeat."""
    before = heartbeat(path)
    try:
        wait_until(lambda: heartbeat(path) > before, timeout_s=2.5)
    except TimeoutError:
        return True
    return False


def test_a_worker_whose_heartbeat_could_not_be_written_for_a_moment_goes_on(host: Any):
    worker = host.worker()
    path = heartbeat_file(host)
    wait_until(lambda: heartbeat(path) > 1)
    forbid_writes(worker.pid, forbidden=True)
    wait_until(lambda: stands_still(path))
    forbid_writes(worker.pid, forbidden=False)
    host.dispatcher()
    host.add(NOTE_KIND, [{"id": 0}])

    host.drained()
    assert not stands_still(path)
    assert worker.poll() is None


def test_a_worker_whose_heartbeat_cannot_be_written_leaves_with_an_error(host: Any):
    worker = host.worker()
    path = heartbeat_file(host)
    wait_until(lambda: heartbeat(path) > 1)
    forbid_writes(worker.pid, forbidden=True)

    assert worker.wait(timeout=60) == EXIT_STUCK


def test_a_job_whose_living_process_forgot_it_runs_elsewhere(host: Any):
    forgetful = WorkerRegistration(host.home, "forgetful", threads=0, queues=())
    host.add(HANG, [{"id": 0, "seconds": 0}])
    with writing(host.store) as conn:
        ids = [row.id for row in claim(conn, HANG.name, 1, system_clock())]
        lease(conn, ids, "forgetful", system_clock, TEST_ROUTES[HANG.name].kind)
    host.dispatcher()
    host.worker()

    def moved_on() -> bool:
        forgetful.write_heartbeat()
        return host.effects() == {"0": 1}

    wait_until(moved_on, 60)
    with reading(host.store) as conn:
        assert [run.outcome for run in runs(conn, ids[0])] == ["hung", "done"]
    forgetful.leave()
