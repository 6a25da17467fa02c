"""What is said of a fleet: who is alive, and why jobs that wait will not run."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import Clock, monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.fleet import (
    OpenJobs,
    Process,
    ProcessState,
    notes,
    problems,
    processes,
    threads_for,
    waiting,
)
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.operate import pause
from afterword.pipeline.core.jobs.registrations import WorkerRegistration, registrations_folder
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.testing.clock import ManualClock

EDGES = OpenJobs({"extract_edges": 3})


def worker(
    *kinds: str,
    state: ProcessState = "alive",
    queues: tuple[str, ...] = ("quick",),
    age_s: float = 0.5,
) -> Process:
    return Process(state, "worker", 11, queues, kinds, 8, 0, age_s, 9465, "w")


def dispatcher(state: ProcessState = "alive") -> Process:
    return Process(state, "dispatcher", 10, (), (), 0, 0, 0.5, 9464, "d")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([dispatcher(), worker("extract_edges")], []),
        ([worker("extract_edges")], ["no dispatcher is alive: 3 jobs wait"]),
        ([dispatcher()], ["no worker is alive: 3 jobs wait; start `afterword worker`"]),
        ([], ["no dispatcher is alive", "no worker is alive"]),
        ([dispatcher("dead"), worker("extract_edges")], ["no dispatcher is alive"]),
        ([dispatcher(), worker("extract_edges", state="late")], ["no worker is alive"]),
        (
            [dispatcher(), worker("judge_facts", queues=("llm",))],
            ["no live worker runs extract_edges (3 jobs wait): those alive serve llm"],
        ),
        (
            [dispatcher(), worker(queues=(ISOLATION_QUEUE,))],
            ["no live worker runs extract_edges (3 jobs wait): those alive serve alone"],
        ),
        (
            [dispatcher(), worker("extract_edges"), worker(state="frozen", age_s=42)],
            ["worker 11 has had no heartbeat for 42 s: it is stopped or hangs"],
        ),
    ],
)
def test_what_keeps_waiting_jobs_from_running_is_said_with_what_to_start(
    found: list[Process], says: list[str]
):
    said = problems(found, EDGES, one_process=False)

    assert len(said) == len(says)
    assert all(one.startswith(start) for one, start in zip(said, says, strict=True)), said


def test_where_nothing_waits_a_fleet_that_is_not_there_is_no_problem():
    assert problems([], OpenJobs({}), one_process=False) == []


def test_without_a_server_the_one_command_that_helps_is_named():
    assert problems([], EDGES, one_process=True) == [
        "no process is alive: 3 jobs wait; start `afterword up`"
    ]


def test_isolated_jobs_need_a_worker_for_the_isolation_queue():
    isolated = OpenJobs({"extract_edges": 3}, isolated=1)
    usual, isolation = worker("extract_edges"), worker(queues=(ISOLATION_QUEUE,))

    (said,) = problems([dispatcher(), usual], isolated, one_process=False)
    assert said.startswith("no live worker serves the isolation queue `alone`: 1 job waits")
    assert problems([dispatcher(), usual, isolation], isolated, one_process=False) == []


def test_a_worker_that_does_not_say_what_it_runs_is_named_and_blamed_for_nothing(home: Path):
    folder = registrations_folder(home)
    folder.mkdir(parents=True)
    older = WorkerRegistration(home, "older", 4, ("quick",))
    facts = json.dumps({"pid": os.getpid(), "threads": 4, "queues": ["quick"]})
    path = folder / "older.lock"
    path.write_text(f"{7:>20}\n{facts}")  # as an older release wrote it, without its kinds
    found = processes(home, datetime.now(UTC), monotonic)

    assert threads_for(found, "extract_edges") is None
    assert problems([dispatcher(), *found], EDGES, one_process=False) == []
    (said,) = notes(found)
    assert "does not name the kinds of job it runs" in said

    path.write_text("rubbish")
    (said,) = notes(processes(home, datetime.now(UTC), monotonic))
    assert said.startswith("process older does not name")
    older.leave()


def test_a_process_is_judged_by_the_age_of_its_heartbeat_and_by_its_lock(home: Path):
    home.mkdir()
    owner = WorkerRegistration(home, "w", 8, ("quick",), kinds=("extract_edges",), port=9465)
    owner.busy = lambda: 3
    owner.write_heartbeat()
    now = datetime.now(UTC)

    def state_after(seconds: float) -> str:
        (one,) = processes(home, now + timedelta(seconds=seconds), monotonic)
        return one.state

    assert [state_after(age) for age in (0, 8, 12, 29, 31)] == [
        "alive",
        "alive",
        "late",
        "late",
        "frozen",
    ]
    (one,) = processes(home, now, monotonic)
    assert (one.pid, one.busy, one.threads, one.port) == (os.getpid(), 3, 8, 9465)

    content = (registrations_folder(home) / "w.lock").read_bytes()
    owner.leave()
    (registrations_folder(home) / "w.lock").write_bytes(content)  # what a killed process leaves
    assert state_after(0) == "dead"


def test_only_what_is_due_counts_as_waiting_and_not_what_is_paused(
    store: Store, clock: ManualClock
):
    later = clock() + timedelta(hours=1)
    with writing(store) as conn:
        add_many(conn, Kind("extract_edges"), [{}, {}], clock())
        add_many(conn, Kind("tidy_store"), [{}], clock())
        add_many(conn, Kind("purge_expired"), [{}], clock(), run_at=later)
        pause(conn, "tidy_store", clock())

    assert kinds_waiting(store, clock) == {"extract_edges": 2}
    clock.advance(hours=2)
    assert kinds_waiting(store, clock) == {"extract_edges": 2, "purge_expired": 1}


def kinds_waiting(store: Store, clock: Clock) -> dict[str, int]:
    with reading(store) as conn:
        return dict(waiting(conn, clock()).kinds)
