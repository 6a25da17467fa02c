"""Of the jobs of dead workers only one that kills them is dead in the end."""

from collections.abc import Collection
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.claim import claim, promote, unsend
from afterword.pipeline.core.jobs.crashes import VERDICT_S, excuse, free_crashed
from afterword.pipeline.core.jobs.inspect import listing, runs
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.jobs.model import MAX_CRASHES, MAX_EXCUSED, Job, Run
from afterword.pipeline.core.jobs.operate import drop_waiting, redrive
from afterword.pipeline.core.jobs.reconcile import holders
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.testing.clock import ManualClock
from afterword.schedules.dispatcher.relay import cut

NOTE = Kind("note_something", batch=4, max_attempts=3)
LANES, FIRST, SECOND = "lanes", "first", "second"
WORKERS = (LANES, FIRST, SECOND)
NUMBERS = count(1)
"""Makes the uids of workers: no two workers of a file have the same."""


class Fleet:
    """One worker for usual jobs and two for isolated ones, as `afterword worker` starts them.

    Args:
        guilty: ids of the jobs that kill every worker.
    """

    def __init__(
        self, store: Store, clock: ManualClock, jobs: int, guilty: Collection[int] = ()
    ) -> None:
        self.store, self.clock = store, clock
        with writing(store) as conn:
            drop_waiting(conn, [NOTE.name])
            add_many(conn, NOTE, [{}] * jobs, clock())
            self.ids = [job.id for job in listing(conn)]
        self.guilty = {self.ids[place] for place in guilty}

    def round(self, *killed: str) -> None:
        """Let each worker run a message; some die at once, and the others finish.

        Args:
            killed: the workers that are killed from outside.
        """
        number = next(NUMBERS)
        taken = {worker: self._lease(worker, f"{worker} {number}") for worker in WORKERS}
        dead = {
            held.worker_uid: worker
            for worker, held in taken.items()
            if worker in killed or self.guilty & {one.id for one in held}
        }
        with writing(self.store) as conn:
            for held in taken.values():
                if held.worker_uid not in dead:
                    held.finish(conn)
            for uid in dead:
                free_crashed(conn, uid, self.clock())
            for uid in dead:
                others = {other: name for other, name in dead.items() if other != uid}
                excuse(conn, uid, others, self.clock())
        self.clock.advance(seconds=VERDICT_S)
        with writing(self.store) as conn:
            promote(conn, self.clock())

    def jobs(self) -> dict[int, Job]:
        with reading(self.store) as conn:
            return {job.id: job for job in listing(conn, limit=999)}

    def dead(self) -> list[int]:
        return [job.id for job in self.jobs().values() if job.state == "dead"]

    def crashes(self, job_id: int) -> list[Run]:
        with reading(self.store) as conn:
            return [run for run in runs(conn, job_id) if run.outcome == "crashed"]

    def _lease(self, worker: str, uid: str) -> Leases:
        isolated = worker != LANES
        with writing(self.store) as conn:
            rows = claim(conn, NOTE.name, 999, self.clock(), isolated=isolated)
            messages = [batch.ids for batch in cut(NOTE.name, rows, NOTE.batch)] or [()]
            unsend(conn, [job_id for ids in messages[1:] for job_id in ids])
            return lease(conn, messages[0], uid, self.clock, NOTE, isolated=isolated)


@pytest.fixture
def suspect(store: Store, clock: ManualClock) -> Fleet:
    """A fleet with one job that has crashed twice and runs by itself next."""
    fleet = Fleet(store, clock, jobs=2)
    fleet.round(LANES)
    fleet.round(FIRST)
    assert {job.crashes for job in fleet.jobs().values()} == {2}
    return fleet


def running(store: Store, clock: ManualClock, jobs: int, owner: str) -> Leases:
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * jobs, clock())
        ids = [row.id for row in claim(conn, NOTE.name, jobs, clock())]
        return lease(conn, ids, owner, clock, NOTE)


def test_a_dead_workers_jobs_run_apart_from_then_on(store: Store, clock: ManualClock):
    late = running(store, clock, jobs=2, owner="dead")
    with writing(store) as conn:
        assert holders(conn) == {"dead"}
        free_crashed(conn, "dead", clock())
        assert claim(conn, NOTE.name, 9, clock()) == []
        rows = claim(conn, NOTE.name, 9, clock(), isolated=True)

    assert [row.crashes for row in rows] == [1, 1]
    with pytest.raises(LeaseLostError), writing(store, finishing=late):
        pass
    with reading(store) as conn:
        assert {job.attempts for job in listing(conn)} == {0}
        assert [run.outcome for run in runs(conn, 1)] == ["crashed"]


def test_an_old_message_cannot_take_an_isolated_job_into_a_shared_process(
    store: Store, clock: ManualClock
):
    running(store, clock, jobs=4, owner="dead")
    with writing(store) as conn:
        free_crashed(conn, "dead", clock())
        assert len(lease(conn, [1, 2], "other", clock, NOTE)) == 0
        assert len(lease(conn, [1], "other", clock, NOTE)) == 0
        assert len(lease(conn, [1, 2, 3], "alone", clock, NOTE, isolated=True)) == 0
        assert len(lease(conn, [1, 2], "alone", clock, NOTE, isolated=True)) == 2


def test_of_many_isolated_jobs_the_guilty_one_is_found_in_two_square_roots_of_runs(
    store: Store, clock: ManualClock
):
    guilty, runs_needed = 77, 0
    running(store, clock, jobs=400, owner="fleet")
    with writing(store) as conn:
        free_crashed(conn, "fleet", clock())
        while rows := claim(conn, NOTE.name, 999, clock(), isolated=True):
            for batch in cut(NOTE.name, rows, size=64):
                runs_needed += 1
                leases = lease(conn, batch.ids, f"w{runs_needed}", clock, NOTE, isolated=True)
                if guilty in batch.ids:
                    free_crashed(conn, f"w{runs_needed}", clock())
                else:
                    leases.finish(conn)
                open_jobs = listing(conn, limit=999)
                assert all(job.crashes <= 2 for job in open_jobs if job.id != guilty)
            clock.advance(seconds=VERDICT_S)
            promote(conn, clock())
        (dead,) = listing(conn)

    assert (dead.id, dead.state, dead.crashes) == (guilty, "dead", MAX_CRASHES)
    assert runs_needed == 20 + 20 + 2, "its batch, then all of that one by one, it three times"


def test_a_job_that_kills_every_worker_is_dead_after_five_runs_and_says_so(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=20, guilty=[7])
    while not fleet.dead():
        fleet.round()

    (guilty,) = fleet.guilty
    job, crashes = fleet.jobs()[guilty], fleet.crashes(guilty)
    assert (job.last_error, job.crashes, job.excused) == ("killed its worker", MAX_CRASHES, 0)
    assert [crash.by_itself for crash in crashes] == [False, False, True, True, True]


def test_the_neighbours_of_a_guilty_job_run_before_its_next_run(store: Store, clock: ManualClock):
    fleet = Fleet(store, clock, jobs=16, guilty=[0])
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, NOTE.name, 16, clock())]
        lease(conn, ids, "lanes", clock, NOTE)
        free_crashed(conn, "lanes", clock())
    while len(fleet.jobs()) > 1:
        fleet.round()

    assert len(fleet.crashes(*fleet.guilty)) == 3, "with all, with its batch, and once by itself"


def test_two_jobs_that_kill_their_workers_at_once_do_not_excuse_each_other(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=8, guilty=[0, 1])
    while len(fleet.dead()) < 2:
        fleet.round()

    assert {len(fleet.crashes(guilty)) for guilty in fleet.guilty} == {MAX_CRASHES}
    assert fleet.jobs().keys() == fleet.guilty, "the others have ended"


def test_a_coincidence_costs_no_further_run(store: Store, clock: ManualClock):
    fleet = Fleet(store, clock, jobs=1, guilty=[0])
    fleet.round()
    fleet.round()
    fleet.round(LANES)  # dies beside it
    while not fleet.dead():
        fleet.round()

    counted = [crash.excused_by is None for crash in fleet.crashes(*fleet.guilty)]
    assert counted == [True, True, False, True, True]


def test_the_death_of_an_idle_worker_excuses_a_job_that_ran_by_itself(suspect: Fleet):
    suspect.round(FIRST, LANES)

    (first,) = suspect.jobs().values()
    assert (first.state, first.crashes, first.excused) == ("ready", 2, 1)
    assert suspect.crashes(first.id)[-1].excused_by == LANES


def test_an_excused_job_is_due_at_once_and_an_accused_one_waits(
    suspect: Fleet, store: Store, clock: ManualClock
):
    with writing(store) as conn:
        for row, uid in zip(claim(conn, NOTE.name, 9, clock(), isolated=True), "ab", strict=True):
            lease(conn, [row.id], uid, clock, NOTE, isolated=True)
        for uid in "ab":
            free_crashed(conn, uid, clock())
        assert {job.state for job in listing(conn)} == {"later"}
        assert excuse(conn, "a", {"b": "worker b"}, clock()) == 0, "each ran one job by itself"
        assert excuse(conn, "a", {"b": "worker b", "lanes": "worker lanes"}, clock()) == 1

    first, second = suspect.jobs().values()
    assert (first.state, first.available_at, first.waits_for) == ("ready", clock(), None)
    assert (second.state, second.crashes) == ("later", 3)


def test_workers_that_die_at_once_send_their_jobs_back_to_the_usual_queues(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=4)
    for _ in range(MAX_EXCUSED):
        fleet.round(*WORKERS)

    assert {(job.state, job.crashes) for job in fleet.jobs().values()} == {("ready", 0)}
    with writing(store) as conn:
        assert [row.batch_limit for row in claim(conn, NOTE.name, 9, clock())] == [None] * 4


def test_a_job_that_takes_all_workers_down_is_dead_in_the_end(store: Store, clock: ManualClock):
    fleet = Fleet(store, clock, jobs=1)
    for _ in range(MAX_EXCUSED + MAX_CRASHES - 1):
        assert not fleet.dead()
        fleet.round(*WORKERS)

    assert fleet.dead() == fleet.ids


def redriven(fleet: Fleet) -> Job:
    """Return the only job of a fleet as it is redriven once it has killed its workers."""
    while not fleet.dead():
        fleet.round()
    with writing(fleet.store) as conn:
        redrive(conn, None, fleet.clock())
    (job,) = fleet.jobs().values()
    return job


def test_a_redriven_job_has_no_crashes_behind_it(store: Store, clock: ManualClock):
    job = redriven(Fleet(store, clock, jobs=1, guilty=[0]))

    assert (job.state, job.crashes, job.excused) == ("ready", 0, 0)


def test_a_redriven_job_that_killed_its_workers_has_its_own_priority(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=1, guilty=[0])
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET priority = 5")

    assert redriven(fleet).priority == 5


def test_crashes_that_were_excused_leave_the_priority_as_it_was(store: Store, clock: ManualClock):
    fleet = Fleet(store, clock, jobs=4)
    for _ in range(3):
        fleet.round(*WORKERS)

    assert {job.priority for job in fleet.jobs().values()} == {0}


def test_a_job_that_was_added_again_between_its_crashes_has_its_own_priority(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=1, guilty=[0])
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET key = 'once'")
    while not fleet.dead():
        with writing(store) as conn:
            add(conn, NOTE, {}, clock(), key="once")
        fleet.round()

    assert redriven(fleet).priority == 0


def test_a_job_that_ends_after_a_crash_and_runs_once_more_has_its_own_priority(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="once", priority=5)
    for number in range(2):
        with writing(store) as conn:
            lease(conn, [1], f"dead {number}", clock, NOTE, isolated=True)
            free_crashed(conn, f"dead {number}", clock())
            clock.advance(seconds=VERDICT_S)
            promote(conn, clock())
    with writing(store) as conn:
        leases = lease(conn, [1], "alive", clock, NOTE, isolated=True)
        add(conn, NOTE, {}, clock(), key="once", priority=5)
        leases.finish(conn)

    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.priority) == ("later", 5)


def test_a_job_that_an_older_release_counted_two_crashes_for_goes_on_counting(
    store: Store, clock: ManualClock
):
    fleet = Fleet(store, clock, jobs=1, guilty=[0])
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET crashes = 2, batch_limit = 1")
    while not fleet.dead():
        fleet.round()

    assert [crash.by_itself for crash in fleet.crashes(*fleet.guilty)] == [True, True, True]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    kills=st.lists(st.sets(st.sampled_from(WORKERS)), min_size=5, max_size=25),
    guilty=st.sets(st.integers(0, 5), max_size=2),
)
def test_whatever_dies_a_dead_job_crashed_by_itself_twice_and_a_guilty_one_does_not_live(
    store: Store, clock: ManualClock, kills: list[set[str]], guilty: set[int]
):
    fleet = Fleet(store, clock, jobs=6, guilty=guilty)
    for killed in kills:
        fleet.round(*killed)
        for job_id in fleet.dead():
            crashes = fleet.crashes(job_id)
            counted = [crash for crash in crashes if crash.excused_by is None]
            assert len(crashes) >= MAX_CRASHES
            assert sum(bool(crash.by_itself) for crash in counted) >= 2
            assert counted[-1] == crashes[-1] and crashes[-1].by_itself

    quiet = 0
    while any(job.state != "dead" for job in fleet.jobs().values()):
        fleet.round()
        quiet += 1
    assert set(fleet.dead()) >= fleet.guilty
    assert quiet <= 20
