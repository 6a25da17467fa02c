"""A process gives up what it cannot finish, and only then."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dramatiq
import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.workers.broker.broker import Delivery
from afterword.workers.testing import NOTE_KIND
from afterword.workers.worker.heartbeat import LeaseHeartbeat


@pytest.fixture
def monotonic() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def heartbeat(home: Path, store: Store, monotonic: ManualSeconds) -> LeaseHeartbeat:
    registration = WorkerRegistration(home, "worker", threads=1, queues=("quick",))
    return LeaseHeartbeat(registration, threads=1, monotonic=monotonic, on_heartbeat=lambda: None)


@pytest.fixture
def overdue(
    heartbeat: LeaseHeartbeat, store: Store, clock: ManualClock, monotonic: ManualSeconds
) -> Delivery:
    """A delivery this process runs, one second past its deadline."""
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": 1}, clock())
        ids = [row.id for row in claim(conn, NOTE_KIND.name, 1, clock())]
        leases = lease(conn, ids, "worker", clock, NOTE_KIND)
    message = dramatiq.Message("quick", "note", (), {}, {})
    delivery = Delivery(message)
    heartbeat.add(delivery, store, NOTE_KIND, leases)
    monotonic.now += NOTE_KIND.deadline_s + 1
    return delivery


def test_a_job_past_its_deadline_is_given_to_others(
    heartbeat: LeaseHeartbeat, overdue: Delivery, store: Store
):
    heartbeat.free_overdue()
    with reading(store) as conn:
        (job,) = listing(conn)
    assert job.state in ("ready", "later")


def test_a_process_leaves_when_its_threads_still_hang_a_heartbeat_later(
    heartbeat: LeaseHeartbeat, overdue: Delivery
):
    heartbeat.free_overdue()
    assert not heartbeat.stuck.is_set()
    heartbeat.free_overdue()
    assert heartbeat.stuck_because == "half its threads hang"


def test_a_process_that_was_stopped_and_goes_on_stays(heartbeat: LeaseHeartbeat, overdue: Delivery):
    heartbeat.free_overdue()
    heartbeat.remove(overdue)  # its thread found its lease gone, and ended
    heartbeat.free_overdue()
    assert not heartbeat.stuck.is_set()


def test_a_slice_that_holds_the_file_of_its_replay_counts_as_hung_and_stops_no_other_job(
    heartbeat: LeaseHeartbeat,
    stores: Stores,
    store: Store,
    clock: ManualClock,
    monotonic: ManualSeconds,
):
    replay = Store(
        stores.replay("past", create=True).path, StoreOptions(busy_timeout_s=0.1), is_replay=True
    )
    for one in (replay, store):
        with writing(one) as conn:
            add(conn, NOTE_KIND, {"id": 1}, clock())
            ids = [row.id for row in claim(conn, NOTE_KIND.name, 1, clock())]
            leases = lease(conn, ids, "worker", clock, NOTE_KIND)
        delivery = Delivery(dramatiq.Message("quick", "note", (), {}, {}))
        heartbeat.add(delivery, one, NOTE_KIND, leases)
    monotonic.now += NOTE_KIND.deadline_s + 1
    with another_thread_in(replay.gate):
        heartbeat.free_overdue()

    with reading(store) as conn, reading(replay) as of_replay:
        assert [job.state for job in listing(conn)] == ["ready"]
        assert [job.state for job in listing(of_replay)] == ["running"]
    heartbeat.free_overdue()
    assert heartbeat.stuck.is_set()
    replay.close()


@contextmanager
def another_thread_in(gate: WriteGate) -> Iterator[None]:
    """Let another thread hold a gate meanwhile."""
    is_in, may_leave = threading.Event(), threading.Event()

    def hold() -> None:
        with gate.held():
            is_in.set()
            may_leave.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    is_in.wait(20)
    try:
        yield
    finally:
        may_leave.set()
        thread.join()


class Stopping(threading.Event):
    """The sign that a process stops; only a delivery that waits asks for it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()

    def is_set(self) -> bool:
        self.asked.set()
        return super().is_set()


def begin(
    heartbeat: LeaseHeartbeat, *, by_itself: bool = False
) -> tuple[Delivery, threading.Thread, Stopping]:
    """Let a delivery await its turn in a thread of its own."""
    delivery, stopping = Delivery(dramatiq.Message("quick", "note", (), {}, {})), Stopping()
    thread = threading.Thread(
        target=heartbeat.await_turn,
        args=(delivery,),
        kwargs={"by_itself": by_itself, "stopping": stopping},
    )
    thread.start()
    return delivery, thread, stopping


def test_a_job_that_runs_by_itself_waits_for_the_others_and_they_wait_for_it(
    heartbeat: LeaseHeartbeat,
):
    first, running, _ = begin(heartbeat)
    running.join()
    suspect, waiting, sign = begin(heartbeat, by_itself=True)
    assert sign.asked.wait(10)
    _, later, sign = begin(heartbeat)
    assert sign.asked.wait(10)

    heartbeat.remove(first)
    waiting.join()
    assert later.is_alive()
    heartbeat.remove(suspect)
    later.join()


def test_a_process_that_stops_lets_no_delivery_wait(heartbeat: LeaseHeartbeat):
    begin(heartbeat)[1].join()
    _, waiting, stopping = begin(heartbeat, by_itself=True)
    assert stopping.asked.wait(10)
    stopping.set()
    waiting.join()
