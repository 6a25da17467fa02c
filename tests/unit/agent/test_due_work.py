"""Work that comes due while an agent is silent: a worker is started for it, if none is alive."""

import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.autostart import write_needed
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.doors.agent.due_work import DueWork
from afterword.pipeline.testing.wait import wait_until

SOON = timedelta(milliseconds=300)


class Starter:
    """Notes when it is asked to start a worker, and starts none."""

    def __init__(self) -> None:
        self.asked: list[datetime] = []

    def __call__(self, now: datetime) -> "subprocess.Popen[bytes] | None":
        self.asked.append(now)
        return None


@pytest.fixture
def starter() -> Starter:
    return Starter()


@pytest.fixture
def due_work(stores: Stores, store: Store, starter: Starter) -> Iterator[DueWork]:
    (stores.home / "owners").mkdir()
    one = DueWork(store, stores.home, system_clock, monotonic, starter)
    yield one
    one.close()


def add_job(store: Store, run_at: datetime | None = None) -> None:
    with writing(store) as conn:
        add(conn, EXTRACT_EDGES, {}, system_clock(), run_at=run_at)


def test_a_job_that_comes_due_is_noticed_without_a_call(
    store: Store, due_work: DueWork, starter: Starter
):
    due_at = system_clock() + SOON
    add_job(store, due_at)
    due_work.begin()
    assert starter.asked == []

    wait_until(lambda: starter.asked)
    assert starter.asked[0] >= due_at


def test_what_a_call_leaves_for_soon_wakes_a_watch_that_sleeps_for_long(
    store: Store, due_work: DueWork, starter: Starter
):
    due_work.begin()
    add_job(store, system_clock() + SOON)
    due_work.look()
    assert starter.asked == []

    wait_until(lambda: starter.asked)


def test_the_schedule_is_looked_at_when_the_last_worker_said_so(
    stores: Stores, store: Store, due_work: DueWork, starter: Starter
):
    add_job(store)
    with writing(store) as conn:
        held = lease(conn, [1], "me", system_clock, EXTRACT_EDGES)
    with writing(store, finishing=held):
        pass
    needed_at = system_clock() + SOON
    write_needed(stores.home, needed_at)
    due_work.begin()
    assert starter.asked == []

    wait_until(lambda: starter.asked)
    assert starter.asked[0] >= needed_at


def test_beside_a_living_worker_none_is_started(
    stores: Stores, store: Store, due_work: DueWork, starter: Starter
):
    worker = WorkerRegistration(stores.home, "w", threads=1, queues=("quick",))
    add_job(store)
    due_work.begin()
    assert starter.asked == []

    worker.leave()
    due_work.look()
    assert len(starter.asked) == 1
