"""A process gives up what it cannot finish, and only then."""

from pathlib import Path

import dramatiq
import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.workers.broker.broker import Delivery
from afterword.workers.testing import NOTE
from afterword.workers.worker.heartbeat import LeaseHeartbeat


@pytest.fixture
def monotonic() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def holdings(home: Path, store: Store, monotonic: ManualSeconds) -> LeaseHeartbeat:
    owner = WorkerRegistration(home, "worker", threads=1, queues=("quick",))
    return LeaseHeartbeat(owner, threads=1, monotonic=monotonic, on_beat=lambda: None)


@pytest.fixture
def overdue(
    holdings: LeaseHeartbeat, store: Store, clock: ManualClock, monotonic: ManualSeconds
) -> Delivery:
    """A delivery this process runs, one second past its deadline."""
    with writing(store) as conn:
        add(conn, NOTE, {"id": 1}, clock())
        ids = [row.id for row in claim(conn, NOTE.name, 1, clock())]
        leases = lease(conn, ids, "worker", clock, NOTE)
    message = dramatiq.Message("quick", "note", (), {}, {})
    delivery = Delivery(message)
    holdings.add(delivery, store, NOTE, leases)
    monotonic.now += NOTE.deadline_s + 1
    return delivery


def test_a_job_past_its_deadline_is_given_to_others(
    holdings: LeaseHeartbeat, overdue: Delivery, store: Store
):
    holdings.give_up_overdue()
    with reading(store) as conn:
        (job,) = listing(conn)
    assert job.state in ("ready", "later")


def test_a_process_leaves_when_its_threads_still_hang_a_heartbeat_later(
    holdings: LeaseHeartbeat, overdue: Delivery
):
    holdings.give_up_overdue()
    assert not holdings.stuck.is_set()
    holdings.give_up_overdue()
    assert holdings.stuck_because == "half its threads hang"


def test_a_process_that_was_stopped_and_goes_on_stays(holdings: LeaseHeartbeat, overdue: Delivery):
    holdings.give_up_overdue()
    holdings.remove(overdue)  # its thread found its lease gone, and ended
    holdings.give_up_overdue()
    assert not holdings.stuck.is_set()
