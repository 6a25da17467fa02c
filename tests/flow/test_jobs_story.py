"""The story of a job: written with its cause, sent, run, and gone; read this first."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.inspect import counts, listing, runs
from afterword.pipeline.core.jobs.model import URGENT, Run
from afterword.pipeline.core.jobs.operate import pause, redrive, resume
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.testing import FAIL, HANG, NOTE_KIND, POISON, SPEND, TURN, traces

Start = Callable[..., Up]


def store_of(up: Up, group: str = "main") -> Store:
    return up.context.stores.group(group, create=True)


def effects(store: Store) -> dict[str, int]:
    with reading(store) as conn:
        return traces(conn)


def states(store: Store) -> dict[tuple[str, str], int]:
    with reading(store) as conn:
        return counts(conn)


def test_what_is_written_down_gets_done_once_and_leaves_no_row(up: Start):
    store = store_of(up())
    with writing(store) as conn:
        add_many(conn, NOTE_KIND, [{"id": i} for i in range(100)], system_clock())

    wait_until(lambda: not states(store))
    assert effects(store) == {str(i): 1 for i in range(100)}


def test_groups_take_turns(up: Start):
    started = up(threads=1)
    deep, shallow = store_of(started, "deep"), store_of(started, "shallow")
    with writing(deep) as conn:
        add_many(conn, NOTE_KIND, [{"id": i, "ms": 5} for i in range(600)], system_clock())
    wait_until(lambda: effects(deep))
    with writing(shallow) as conn:
        add_many(conn, NOTE_KIND, [{"id": 1}], system_clock())

    wait_until(lambda: effects(shallow))
    assert states(deep), "the shallow group should not wait for the deep one to end"


def test_an_urgent_job_passes_a_backlog(up: Start):
    store = store_of(up(threads=1))
    with writing(store) as conn:
        add_many(conn, NOTE_KIND, [{"id": i, "ms": 3} for i in range(2000)], system_clock())
    wait_until(lambda: effects(store))
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": "urgent"}, system_clock(), priority=URGENT)

    wait_until(lambda: "urgent" in effects(store))
    assert len(effects(store)) < 1000


def test_a_failing_job_is_tried_again_dead_lettered_and_revived(up: Start):
    started = up()
    store = store_of(started)
    with writing(store) as conn:
        add(conn, FAIL, {}, system_clock())
    wait_until(lambda: (FAIL.name, "later") in states(store))
    with reading(store) as conn:
        (job,) = listing(conn)
    assert job.waits_for is not None and job.waits_for.startswith("retry 2 of 2 at ")
    assert job.last_error == "UnavailableError: the outside is away"
    assert "fail_always" in (job.last_traceback or "")

    wait_until(lambda: (FAIL.name, "dead") in states(store))
    with writing(store) as conn:
        assert redrive(conn, FAIL.name, system_clock()) == 1
    wait_until(lambda: len(history(store, job.id)) >= 3)


def test_a_secret_in_what_the_outside_said_does_not_reach_the_ledger(up: Start):
    store = store_of(up())
    phrase = "abandon " * 11 + "about"
    with writing(store) as conn:
        add(conn, FAIL, {"saying": f"no wallet for {phrase}"}, system_clock())
    wait_until(lambda: (FAIL.name, "later") in states(store))
    with reading(store) as conn:
        (job,) = listing(conn)

    assert job.last_error == "UnavailableError: no wallet for [masked:recovery-phrase]"
    assert job.last_traceback is not None and phrase not in job.last_traceback


def test_one_bad_row_costs_only_itself(up: Start):
    store = store_of(up())
    with writing(store) as conn:
        add_many(
            conn,
            NOTE_KIND,
            [{"id": 1}, {"no id": 0}, {"id": 2}, {"id": 3}],
            system_clock(),
        )

    wait_until(lambda: len(effects(store)) == 3)
    wait_until(lambda: states(store) == {(NOTE_KIND.name, "later"): 1})
    assert effects(store) == {"1": 1, "2": 1, "3": 1}


def test_a_spent_budget_holds_a_job_and_says_until_when(up: Start):
    store = store_of(up(learning_daily_cap_usd=0))
    with writing(store) as conn:
        add(conn, SPEND, {"id": 1}, system_clock())

    wait_until(lambda: (SPEND.name, "later") in states(store))
    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.attempts, effects(store)) == (0, {})
    assert job.waits_for is not None
    assert re.match(r"budget:learning until \d{4}-\d\d-\d\dT00:00Z: ", job.waits_for)


def test_a_stop_of_all_spending_holds_jobs_until_it_is_lifted(up: Start):
    started = up()
    started.context.gates.budget.stop("enough for today")
    store = store_of(started)
    with writing(store) as conn:
        add(conn, SPEND, {"id": 1}, system_clock())
    wait_until(lambda: (SPEND.name, "later") in states(store))
    started.context.gates.budget.resume()
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET available_at = 0")

    wait_until(lambda: effects(store) == {"1": 1})


def test_jobs_of_one_role_run_one_at_a_time(up: Start):
    store = store_of(up(threads=4))
    with writing(store) as conn:
        for i in range(4):
            add(conn, TURN, {"id": i, "role": "a", "ms": 30}, system_clock())

    wait_until(lambda: not states(store))
    spans = []
    for job_id in range(1, 5):
        done = history(store, job_id)[-1]
        assert done.started_at is not None
        spans.append((done.started_at, done.ended_at))
    spans.sort()
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


def test_a_hanging_job_is_given_on_and_its_late_result_refused(up: Start):
    started = up(threads=4)
    store = store_of(started)
    with writing(store) as conn:
        add(conn, HANG, {"id": 1, "seconds": 3.0}, system_clock())

    wait_until(lambda: (HANG.name, "dead") in states(store))
    wait_until(lambda: not started.runner.heartbeat.busy())
    assert effects(store) == {}
    assert [run.outcome for run in history(store, 1)] == ["hung", "hung"]


def test_a_run_whose_end_cannot_be_written_is_given_back_when_it_can(up: Start):
    started = up(threads=1, busy_timeout_s=0.2)
    store = store_of(started)
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": 1, "ms": 400}, system_clock())
    wait_until(started.runner.heartbeat.busy)
    other = dbapi.connect(str(store.path), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    wait_until(lambda: not started.runner.heartbeat.busy())
    other.execute("ROLLBACK")
    other.close()

    wait_until(lambda: effects(store) == {"1": 1})


def test_a_damaged_group_stops_none_of_the_others(up: Start, home: Path):
    started = up()
    bad = store_of(started, "a_bad_one")
    started.stop()
    bad.path.write_bytes(b"not a database" * 1000)
    store = store_of(up())
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": 1}, system_clock())

    wait_until(lambda: effects(store) == {"1": 1})


def test_a_paused_kind_waits_until_it_is_resumed(up: Start):
    store = store_of(up())
    with writing(store) as conn:
        pause(conn, NOTE_KIND.name, system_clock())
        add(conn, NOTE_KIND, {"id": 1}, system_clock())
        add(conn, POISON, {"id": 2}, system_clock())
    wait_until(lambda: "2" in effects(store))
    assert states(store) == {(NOTE_KIND.name, "ready"): 1}
    with writing(store) as conn:
        resume(conn, NOTE_KIND.name)

    wait_until(lambda: effects(store) == {"1": 1, "2": 1})


def test_a_stop_hands_back_what_runs_at_no_cost(up: Start):
    started = up(threads=2)
    store = store_of(started)
    with writing(store) as conn:
        add_many(conn, NOTE_KIND, [{"id": i, "ms": 1000} for i in range(40)], system_clock())
    wait_until(started.runner.heartbeat.busy)
    started.stop()

    with reading(store) as conn:
        jobs = listing(conn)
    assert {job.state for job in jobs} <= {"ready", "sent"}
    assert {job.attempts for job in jobs} == {0}
    assert effects(store) == {}


def test_work_for_later_starts_when_its_time_comes(up: Start):
    store = store_of(up())
    due = system_clock() + timedelta(seconds=0.3)
    with writing(store) as conn:
        add(conn, NOTE_KIND, {"id": 1}, system_clock(), run_at=due)
        (job,) = listing(conn)
    wait_until(lambda: effects(store))

    (run,) = history(store, job.id)
    assert run.started_at is not None and run.started_at >= due


def history(store: Store, job_id: int) -> list[Run]:
    with reading(store) as conn:
        return runs(conn, job_id)
