"""The slice of a lost worker is freed, and nothing else of the home is touched."""

from pathlib import Path

import pytest

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.crashes import VERDICT_S
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.model import MAX_CRASHES
from afterword.pipeline.core.jobs.registrations import (
    FROZEN_AFTER_S,
    WorkerRegistration,
    WorkerWatch,
    registrations_folder,
)
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.operations.replay.area import RUN_SLICE
from afterword.pipeline.operations.replay.slices import SlicePlan, add_slice
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.schedules.replay.reconciler import ReplayReconciler


@pytest.fixture
def seconds() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def store(stores: Stores, clock: ManualClock) -> Store:
    store = stores.replay("past", create=True)
    with writing(store) as conn:
        add_slice(conn, SlicePlan(7, "heuristic"), 0, clock())
    return store


@pytest.fixture
def reconciler(
    store: Store, home: Path, clock: ManualClock, seconds: ManualSeconds
) -> ReplayReconciler:
    kinds = {RUN_SLICE.name: RUN_SLICE}
    return ReplayReconciler(store, WorkerWatch(home, seconds), kinds, clock, seconds)


def take(store: Store, clock: ManualClock, worker: str = "worker", *, isolated: bool = False):
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, RUN_SLICE.name, 1, clock(), isolated=isolated)]
        lease(conn, ids, worker, clock, RUN_SLICE, isolated=isolated)


def send(store: Store, clock: ManualClock) -> None:
    with writing(store) as conn:
        claim(conn, RUN_SLICE.name, 1, clock())


def state(store: Store) -> tuple[str, int]:
    with reading(store) as conn:
        (job,) = listing(conn)
    return job.state, job.crashes


def dead_worker(home: Path, uid: str) -> Path:
    folder = registrations_folder(home)
    folder.mkdir(exist_ok=True)
    path = folder / f"{uid}.lock"
    path.write_text("1\n{}")
    return path


def test_the_slice_of_a_dead_worker_is_freed_and_its_registration_stays_for_the_dispatchers(
    reconciler: ReplayReconciler, store: Store, home: Path, clock: ManualClock
):
    path = dead_worker(home, "worker")
    take(store, clock)
    reconciler.step()

    assert state(store) == ("ready", 1)
    assert path.exists()


def test_a_worker_that_a_dispatcher_has_buried_before_counts_as_dead(
    reconciler: ReplayReconciler, store: Store, clock: ManualClock
):
    """Else a slice that kills every worker would run again for ever."""
    for crashes in range(MAX_CRASHES):
        take(store, clock, worker=f"worker {crashes}", isolated=crashes > 0)
        reconciler.step()
        clock.advance(seconds=VERDICT_S)
        with writing(store) as conn:
            promote(conn, clock())

    assert state(store) == ("dead", MAX_CRASHES)


def test_the_slice_of_a_living_worker_stays_and_that_of_a_frozen_one_is_freed_at_no_cost(
    reconciler: ReplayReconciler,
    store: Store,
    home: Path,
    clock: ManualClock,
    seconds: ManualSeconds,
):
    WorkerRegistration(home, "worker", threads=1, queues=("replay",))
    take(store, clock)
    reconciler.step()
    assert state(store) == ("running", 0)

    seconds.now += FROZEN_AFTER_S
    reconciler.step()
    assert state(store) == ("ready", 0)


def test_a_message_that_a_dead_worker_had_fetched_is_sent_again_at_once(
    reconciler: ReplayReconciler, store: Store, home: Path, clock: ManualClock
):
    reconciler.step()
    send(store, clock)
    reconciler.step()
    assert state(store) == ("sent", 0)

    dead_worker(home, "worker")
    reconciler.step()
    assert state(store) == ("ready", 0)


def test_a_message_that_nobody_takes_is_sent_again_in_time(
    reconciler: ReplayReconciler, store: Store, clock: ManualClock, seconds: ManualSeconds
):
    send(store, clock)
    reconciler.step()
    clock.advance(seconds=RUN_SLICE.resend_after_s)
    seconds.now += RUN_SLICE.resend_after_s
    reconciler.step()
    assert state(store) == ("ready", 0)


def test_a_slice_past_its_deadline_is_freed_unless_it_holds_its_file(
    reconciler: ReplayReconciler,
    store: Store,
    home: Path,
    clock: ManualClock,
    seconds: ManualSeconds,
):
    worker = WorkerRegistration(home, "worker", threads=1, queues=("replay",))
    take(store, clock)
    reconciler.step()
    seconds.now += RUN_SLICE.deadline_s + 60
    worker.write_heartbeat()
    with store.gate.held():
        assert reconciler.step()
    assert state(store) == ("running", 0)

    worker.write_heartbeat()
    reconciler.step()
    assert state(store)[0] == "ready"
