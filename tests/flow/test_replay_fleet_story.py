"""A replay runs through the workers: slice after slice, and it says what keeps it waiting."""

import threading
from collections.abc import Iterator
from pathlib import Path

import dramatiq
import pytest

from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.errors import InvalidInputError, PipelineError, PostponedError
from afterword.pipeline.operations.replay import slices
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay.slices import SlicePlan
from afterword.pipeline.settings import load
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.replay import run as fleet_run
from afterword.schedules.replay.run import ReplayDispatcher
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context
from tests.unit.replay.worlds import plan_of, prepared, price_file, replayed

WEEK = SlicePlan(7, "heuristic")


@pytest.fixture
def up(home: Path) -> Iterator[Up]:
    """The whole fleet in this process, with the real schedule."""
    settings = load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2)
    with Up(build_context(settings), threads=2) as up:
        up.context.stores.group("main", create=True)
        up.start()
        yield up


@pytest.fixture
def stores(up: Up) -> Stores:
    return up.context.stores


@pytest.fixture
def store(stores: Stores, tmp_path: Path) -> Store:
    return prepared(stores, "past", plan_of(price_file(tmp_path, days=30)))


class Told:
    """What a dispatcher of a replay tells its operator."""

    def __init__(self, up: Up, store: Store, plan: SlicePlan = WEEK) -> None:
        context = up.context
        self.cursors: list[int] = []
        self.notes: list[str] = []
        self.dispatcher = ReplayDispatcher(
            context.stores,
            store,
            up.broker,
            plan,
            context.runtime.clock,
            self.cursors.append,
            self.notes.append,
        )

    def run(self, timeout_s: float = 60) -> None:
        """Run the replay to its end; raise what ends it."""
        errors: list[Exception] = []

        def run() -> None:
            try:
                self.dispatcher.run()
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(timeout_s)
        assert not thread.is_alive(), "the replay does not go on"
        for error in errors:
            raise error


def test_slice_after_slice_runs_in_a_worker_and_ends_in_the_state_of_one_process(
    up: Up, stores: Stores, store: Store, tmp_path: Path
):
    told, seen = Told(up, store), []
    stop = listen(lambda action, facts: seen.append((action, facts)))
    told.run()
    stop()

    here = replayed(stores, "here", plan_of(price_file(tmp_path, days=30)))
    done = status_of(store)
    assert (done.state, done.state_hash) == ("done", here.state_hash)
    assert told.cursors == sorted(told.cursors)
    assert (told.cursors[-1], told.notes) == (done.cursor, [])
    ended = [facts for action, facts in seen if action == "jobs.ended"]
    assert {one["group"] for one in ended if one["kind"] == "run_replay_slice"} == {"replay:past"}
    # The verbs of a replay feed no metric of the worker that counts what live groups learn.
    assert not [action for action, _ in seen if action.startswith(("role.", "methodology."))]
    assert not up.broker.client.keys("*epoch:replay*")


def test_a_second_run_of_a_replay_that_has_ended_ends_at_once(up: Up, store: Store):
    Told(up, store).run()
    before = status_of(store)
    Told(up, store).run()

    assert status_of(store) == before


def test_a_slice_that_cannot_succeed_ends_the_run_with_its_error_and_a_resume_goes_on(
    up: Up, store: Store, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_arguments: object) -> None:
        raise InvalidInputError("skill", "is broken", "one that loads")

    with monkeypatch.context() as broken:
        broken.setattr(slices, "roles_for", refuse)
        with pytest.raises(PipelineError) as error:
            Told(up, store).run()
    assert str(error.value) == (
        "replay past stopped at 2024-01-01 00:30: InvalidInputError: skill: is broken; accepted: "
        "one that loads; `afterword replay resume past` goes on from there"
    )

    Told(up, store).run()
    assert status_of(store).state == "done"


def test_a_spent_budget_ends_the_run_and_a_slice_without_a_model_needs_none(
    up: Up, store: Store, home: Path
):
    up.context.gates.budget.stop("the owner says so")
    with pytest.raises(PostponedError, match="resume past` goes on from there") as error:
        Told(up, store, SlicePlan(7, "some-model")).run()
    assert error.value.gate == "budget:experiment"

    Told(up, store).run()
    assert status_of(store).state == "done"


def test_without_a_worker_of_its_queue_a_run_says_so_and_waits(
    up: Up, store: Store, monkeypatch: pytest.MonkeyPatch
):
    up.runner.stop(0.1)
    monkeypatch.setattr(fleet_run, "UNSERVED_S", 0.3)
    told = Told(up, store)
    runs = threading.Thread(target=told.run, daemon=True)
    runs.start()

    wait_until(lambda: told.notes)
    assert told.notes[0].startswith("no live worker serves the queue `replay`; start")
    with reading(store) as conn:
        assert [job.state for job in listing(conn)] == ["ready"]
    monkeypatch.setattr(ReplayDispatcher, "_has_ended", lambda *_: True)
    runs.join(20)


def test_a_worker_without_the_file_leaves_its_row_alone(up: Up, stores: Stores, store: Store):
    """A message of a replay that was removed, or lies in the home of another host."""
    refused: list[dict[str, object]] = []
    stop = listen(lambda action, facts: refused.append(facts) if action == "jobs.refused" else None)
    message = dramatiq.Message("replay", "run_replay_slice", ("replay:gone", [1]), {}, {})
    up.broker.send([message])
    wait_until(lambda: refused)
    stop()

    assert "replay 'gone' does not exist; replays of this home: past" in str(refused[0]["error"])
    assert stores.replays() == ["past"]
