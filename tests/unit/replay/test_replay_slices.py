"""A slice as a job: its rows, the cursor, the next job and its own end are one commit, or none."""

from collections.abc import Callable

import pytest

from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.crashes import free_crashed
from afterword.pipeline.core.jobs.fail import fail
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.operations.replay.area import JUDGE_SLICE, RUN_SLICE
from afterword.pipeline.operations.replay.judge import judging
from afterword.pipeline.operations.replay.loop import HasTime, SliceReport
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay.slices import (
    SlicePlan,
    open_slice,
    restart_slices,
    run_slice,
    within,
)
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.workers.routes import ROUTES
from tests.unit.replay.worlds import plan_of, prepared, price_file, replayed

WEEK = SlicePlan(7, "heuristic")
Run = Callable[..., SliceReport | None]


@pytest.fixture
def store(stores: Stores, tmp_path) -> Store:
    return prepared(stores, "past", plan_of(price_file(tmp_path, days=30)))


@pytest.fixture
def run(stores: Stores) -> Run:
    def run(store: Store, leases: Leases, has_time: HasTime = lambda: True) -> SliceReport | None:
        return run_slice(store, leases, stores.home, HeuristicJudge(), has_time)

    return run


def due(store: Store, plan: SlicePlan, clock: ManualClock) -> Store:
    restart_slices(store, plan, clock())
    return store


def leased(store: Store, clock: ManualClock, ids: list[int] | None = None) -> Leases:
    with writing(store) as conn:
        ids = ids or [row.id for row in claim(conn, RUN_SLICE.name, 1, clock())]
        return lease(conn, ids, "worker", clock, RUN_SLICE)


def the_job(store: Store):
    with reading(store) as conn:
        return open_slice(conn)


def test_a_chain_of_slices_ends_in_the_state_of_one_run(
    stores: Stores, store: Store, run: Run, clock: ManualClock, tmp_path
):
    due(store, WEEK, clock)
    slices = 0
    while the_job(store) is not None:
        assert run(store, leased(store, clock)) is not None
        slices += 1

    whole = replayed(stores, "whole", plan_of(price_file(tmp_path, days=30)))
    assert (status_of(store).state, status_of(store).state_hash) == ("done", whole.state_hash)
    assert slices == 5


def test_a_slice_that_runs_out_of_time_ends_at_the_next_pass_and_changes_nothing_else(
    stores: Stores, store: Store, run: Run, clock: ManualClock, tmp_path
):
    due(store, WEEK, clock)
    while the_job(store) is not None:
        assert run(store, leased(store, clock), has_time=lambda: False).passes == 1

    whole = replayed(stores, "whole", plan_of(price_file(tmp_path, days=30)))
    assert status_of(store).state_hash == whole.state_hash


def test_time_is_over_after_its_seconds_or_when_the_process_is_told_to_stop():
    seconds, stopping = ManualSeconds(), []
    has_time = within(30, seconds, is_stopping=lambda: bool(stopping))

    assert has_time()
    seconds.now += 30
    assert not has_time()
    seconds.now -= 1
    stopping.append(True)
    assert not has_time()


def test_a_second_delivery_leases_nothing_and_a_late_job_ends_without_effect(
    store: Store, run: Run, clock: ManualClock
):
    due(store, WEEK, clock)
    first = leased(store, clock)
    run(store, first)
    assert not leased(store, clock, [first.held[0].id]).held

    late = leased(store, clock)
    with writing(store) as conn:  # another process did the slice meanwhile
        conn.exec_driver_sql("UPDATE replay_runs SET cursor = cursor + 21600000000")
    before = status_of(store)
    assert run(store, late) is None
    assert (status_of(store), the_job(store)) == (before, None)


def test_a_slice_whose_lease_was_lost_leaves_nothing_behind(
    store: Store, run: Run, clock: ManualClock
):
    due(store, WEEK, clock)
    before, lost = status_of(store), leased(store, clock)
    with writing(store) as conn:
        free_crashed(conn, "worker", clock())

    with pytest.raises(LeaseLostError):
        run(store, lost)
    assert status_of(store) == before
    (job,) = jobs(store)
    assert (job.state, job.crashes) == ("ready", 1)


def test_a_restart_makes_a_dead_or_a_waiting_slice_due_with_its_new_size(
    store: Store, clock: ManualClock
):
    due(store, WEEK, clock)
    gone = leased(store, clock)
    with writing(store) as conn:
        fail(conn, gone, RUN_SLICE, InvalidInputError("x", "is wrong", "y"), "", lambda: 0.5)
    assert the_job(store).state == "dead"

    due(store, SlicePlan(3, "heuristic"), clock)
    (job,) = jobs(store)
    assert (job.state, job.payload["slice_days"], job.attempts) == ("ready", 3, 0)


def test_a_restart_leaves_a_running_slice_to_its_worker_also_while_it_writes(
    store: Store, clock: ManualClock
):
    due(store, WEEK, clock)
    leased(store, clock)
    with store.gate.held():  # a slice holds the writer of its file
        due(store, SlicePlan(3, "heuristic"), clock)
    (job,) = jobs(store)
    assert (job.state, job.payload["slice_days"]) == ("running", 7)


def test_a_failed_slice_is_tried_again_and_a_replay_that_has_ended_gets_no_job(
    stores: Stores, store: Store, run: Run, clock: ManualClock, tmp_path
):
    due(store, WEEK, clock)
    hurt = leased(store, clock)
    with writing(store) as conn:
        fail(conn, hurt, RUN_SLICE, UnavailableError("the disk is full"), "", lambda: 0.5)
    job = the_job(store)
    assert (job.state, job.last_error) == ("later", "UnavailableError: the disk is full")

    replayed(stores, "ended", plan_of(price_file(tmp_path, days=20)))
    assert jobs(due(stores.replay("ended"), WEEK, clock)) == []


def test_only_a_slice_that_a_model_judges_waits_for_the_budget():
    assert (WEEK.kind, SlicePlan(7, "some-model").kind) == (RUN_SLICE, JUDGE_SLICE)
    rule, model = ROUTES[RUN_SLICE.name], ROUTES[JUDGE_SLICE.name]

    assert (rule.queue, rule.spends, rule.asks) == ("replay", None, None)
    assert (model.queue, model.spends, model.asks) == ("replay", "experiment", "llm")
    assert rule.run is model.run


def test_a_worker_with_another_model_refuses_the_slice(stores: Stores, clock: ManualClock, ids):
    settings = load(home=stores.home, llm_model="ours")

    with judging("heuristic", settings, stores.instance, clock, ids) as judge:
        assert judge.at_once == 0
    with (
        pytest.raises(
            InvalidInputError, match="is 'ours' where a replay runs that 'theirs' judges"
        ),
        judging("theirs", settings, stores.instance, clock, ids),
    ):
        pass


def jobs(store: Store):
    with reading(store) as conn:
        return listing(conn)
