"""Leases past their deadline are freed in any process, as often as it takes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import listing, runs
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.jobs.registrations import (
    FROZEN_AFTER_S,
    WorkerRegistration,
    WorkerWatch,
)
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.dispatcher.lease_watch import GRACE_S, LeaseWatch
from afterword.schedules.dispatcher.reconciler import Reconciler
from afterword.workers.testing import NOTE_KIND, TEST_ROUTES

TOO_LONG_S = NOTE_KIND.deadline_s + GRACE_S


@pytest.fixture
def monotonic() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def reconcile(stores: Stores, home: Path, clock: ManualClock, monotonic: ManualSeconds) -> Callable:
    home.mkdir(exist_ok=True)
    kinds = {name: route.kind for name, route in TEST_ROUTES.items()}
    groups = GroupTracker(stores, monotonic)
    watch, leases = WorkerWatch(home, monotonic), LeaseWatch(kinds, clock, monotonic)
    reconciler = Reconciler(stores, groups, watch, TEST_ROUTES, clock, leases)

    def look(after_s: float = 0.0) -> None:
        monotonic.now += after_s
        groups.scan(at_once=True)
        for group in groups:  # as the relay does, which finds jobs in flight
            groups.begin_read(group)
            groups.end_read(group, None, (), in_flight=True)
        reconciler.free_forgotten(reconciler.free_lost())

    return look


@pytest.fixture
def beating(home: Path, reconcile: Callable) -> WorkerRegistration:
    """A process that lives and shows its heartbeat."""
    return WorkerRegistration(home, "worker", threads=1, queues=("quick",))


def take(store: Store, clock: ManualClock, kind: Kind = NOTE_KIND) -> Leases:
    with writing(store) as conn:
        if not listing(conn):
            add(conn, kind, {"id": 1}, clock())
        ids = [row.id for row in claim(conn, kind.name, 1, clock())]
        return lease(conn, ids, "worker", clock, kind)


def job_of(store: Store) -> Job:
    with reading(store) as conn:
        (job,) = listing(conn)
    return job


def test_a_lease_its_living_process_forgot_is_freed_again_and_again(
    store: Store, clock: ManualClock, reconcile: Callable, beating: WorkerRegistration
):
    for attempt in range(1, NOTE_KIND.max_attempts + 1):
        late = take(store, clock)
        reconcile()
        beating.write_heartbeat()
        reconcile(TOO_LONG_S - 1)
        assert job_of(store).state == "running"
        beating.write_heartbeat()
        reconcile(1)
        assert job_of(store).state == ("ready" if attempt < NOTE_KIND.max_attempts else "dead")
        with pytest.raises(LeaseLostError), writing(store, finishing=late):
            pass

    with reading(store) as conn:
        assert [run.outcome for run in runs(conn, 1)] == ["hung"] * NOTE_KIND.max_attempts
    assert job_of(store).last_error == f"passed its deadline of {NOTE_KIND.deadline_s:g} s"


def test_a_lease_is_judged_by_how_long_it_was_watched_and_never_by_wall_clocks(
    store: Store, clock: ManualClock, reconcile: Callable, beating: WorkerRegistration
):
    take(store, clock)
    reconcile()
    clock.advance(hours=2)
    reconcile(1)
    clock.advance(hours=-4)
    reconcile(1)

    assert job_of(store).state == "running"


def test_each_lease_is_watched_from_its_own_beginning(
    store: Store, clock: ManualClock, reconcile: Callable, beating: WorkerRegistration
):
    first = take(store, clock)
    reconcile()
    beating.write_heartbeat()
    reconcile(TOO_LONG_S - 1)
    with writing(store) as conn:  # another run of the same job begins between two looks
        conn.exec_driver_sql("UPDATE jobs SET state = 'sent', lease_owner = NULL")
    again = take_sent(store, clock)
    beating.write_heartbeat()
    reconcile(2)

    assert job_of(store).state == "running"
    assert again.held[0].epoch == first.held[0].epoch + 1


def take_sent(store: Store, clock: ManualClock) -> Leases:
    with writing(store) as conn:
        return lease(conn, [1], "worker", clock, NOTE_KIND)


def test_a_job_of_another_releases_kind_gets_the_longest_deadline(
    store: Store, clock: ManualClock, reconcile: Callable, beating: WorkerRegistration
):
    take(store, clock, Kind("kind_of_tomorrow"))
    longest = max(route.kind.deadline_s for route in TEST_ROUTES.values())
    reconcile()
    beating.write_heartbeat()
    reconcile(longest + GRACE_S - 1)
    assert job_of(store).state == "running"
    beating.write_heartbeat()
    reconcile(1)

    assert job_of(store).state == "ready"


def test_a_process_without_heartbeat_is_freed_as_often_as_it_leases(
    store: Store, clock: ManualClock, reconcile: Callable, beating: WorkerRegistration
):
    reconcile()
    reconcile(FROZEN_AFTER_S)
    for _ in range(3):
        take(store, clock)
        reconcile(1)
        assert (job_of(store).state, job_of(store).attempts) == ("ready", 0)
