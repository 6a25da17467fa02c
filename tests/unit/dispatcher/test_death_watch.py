"""Deaths of workers within two seconds excuse each other, whenever a dispatcher sees them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import listing, runs
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.registrations import (
    WorkerWatch,
    note_exit,
    registrations_folder,
)
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.dispatcher.lease_watch import LeaseWatch
from afterword.schedules.dispatcher.reconciler import Reconciler
from afterword.workers.testing import NOTE_KIND, TEST_ROUTES

Look = Callable[[float], None]


@pytest.fixture
def monotonic() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def dispatcher(
    stores: Stores, home: Path, clock: ManualClock, monotonic: ManualSeconds
) -> Callable[[], Look]:
    """Start a dispatcher; it looks at the registrations again some seconds later."""
    registrations_folder(home).mkdir(parents=True, exist_ok=True)

    def start() -> Look:
        groups, watch = GroupTracker(stores, monotonic), WorkerWatch(home, monotonic)
        leases = LeaseWatch({NOTE_KIND.name: NOTE_KIND}, clock, monotonic)
        reconciler = Reconciler(stores, groups, watch, TEST_ROUTES, clock, leases)

        def look(after_s: float = 0.0) -> None:
            monotonic.now += after_s
            groups.scan(at_once=True)
            for group in groups:  # as the relay does, which finds jobs in flight
                groups.begin_read(group)
                groups.end_read(group, None, (), in_flight=True)
            reconciler.free_lost()

        return look

    return start


def dead(home: Path, uid: str, pid: int, role: str = "worker") -> Path:
    """Leave the registration of a process that died."""
    path = registrations_folder(home) / f"{uid}.lock"
    facts = {"pid": pid, "role": role, "queues": ["quick"] if role == "worker" else []}
    path.write_text(f"{1:>20}\n{json.dumps(facts)}")
    return path


def take(store: Store, clock: ManualClock, uid: str) -> None:
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": uid}, clock())
        ids = [row.id for row in claim(conn, NOTE_KIND.name, 1, clock())]
        assert len(lease(conn, ids, uid, clock, NOTE_KIND)) == 1


def crashes(store: Store) -> list[tuple[int, int]]:
    """Return for each job how many crashes count, and how many are excused."""
    with reading(store) as conn:
        return [(job.crashes, job.excused) for job in listing(conn)]


def test_a_count_is_taken_back_when_another_worker_dies_within_two_seconds(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock
):
    look = dispatcher()
    take(store, clock, "one")
    take(store, clock, "two")
    dead(home, "one", 1)
    look(0)
    assert crashes(store) == [(1, 0), (0, 0)]

    dead(home, "two", 2)
    look(2)
    assert crashes(store) == [(0, 1), (0, 1)]
    with reading(store) as conn:
        assert [runs(conn, job)[0].excused_by for job in (1, 2)] == ["worker 2", "worker 1"]


def test_deaths_three_seconds_apart_both_count(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock
):
    look = dispatcher()
    take(store, clock, "one")
    take(store, clock, "two")
    dead(home, "one", 1)
    look(0)
    dead(home, "two", 2)
    look(3)
    assert crashes(store) == [(1, 0), (1, 0)]


def test_the_dead_stay_registered_for_other_dispatchers_and_only_so_long(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock
):
    first, second = dispatcher(), dispatcher()
    take(store, clock, "one")
    take(store, clock, "two")
    path = dead(home, "one", 1)
    first(0)
    dead(home, "two", 2)
    second(1)  # frees the jobs of the second, and excuses them
    first(0.2)
    assert crashes(store) == [(0, 1), (0, 1)]
    assert path.exists()

    first(3)
    assert list(registrations_folder(home).iterdir()) == []


def test_a_dispatcher_that_starts_after_all_died_excuses_them(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock
):
    take(store, clock, "one")
    dead(home, "idle", 2)
    dead(home, "one", 1)
    dispatcher()(0)
    assert crashes(store) == [(0, 1)]


def test_a_dispatcher_and_a_worker_of_one_process_are_one_death(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock
):
    take(store, clock, "one")
    dead(home, "one", 1)
    dead(home, "its dispatcher", 1, role="dispatcher")
    dispatcher()(0)
    assert crashes(store) == [(1, 0)]


@pytest.mark.parametrize("status", [-9, 139])
def test_how_a_process_ended_is_kept_with_the_run(
    dispatcher: Callable[[], Look], store: Store, home: Path, clock: ManualClock, status: int
):
    look = dispatcher()
    take(store, clock, "one")
    dead(home, "one", 1)
    look(0)
    note_exit(home, 1, status)
    note_exit(home, 77, status)  # it left in good order
    look(0.2)
    look(3)
    with reading(store) as conn:
        (run,) = runs(conn, 1)
    assert (run.outcome, run.pid, run.exit_status, run.by_itself) == ("crashed", 1, status, False)
