"""What processes leave behind is given back, and only the guilty pay."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.inspect import counts, listing, show
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.jobs.operate import pause, redrive, resume, retry
from afterword.pipeline.core.jobs.reconcile import (
    free_frozen,
    free_hung,
    has_sent,
    resend_all,
    resend_stale,
)
from afterword.pipeline.core.jobs.registrations import (
    FROZEN_AFTER_S,
    WorkerRegistration,
    WorkerWatch,
)
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.testing.clock import ManualClock

NOTE = Kind("note_something", batch=4, max_attempts=3)


def running(store: Store, clock: ManualClock, jobs: int, owner: str) -> Leases:
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * jobs, clock())
        ids = [row.id for row in claim(conn, NOTE.name, jobs, clock())]
        return lease(conn, ids, owner, clock, NOTE)


def test_a_frozen_workers_jobs_go_on_at_no_cost_and_its_late_result_is_refused(
    store: Store, clock: ManualClock
):
    late = running(store, clock, jobs=1, owner="frozen")
    with writing(store) as conn:
        free_frozen(conn, "frozen", clock())
    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.attempts, job.crashes) == ("ready", 0, 0)
    with pytest.raises(LeaseLostError), writing(store, finishing=late):
        pass


def test_a_hung_job_costs_an_attempt_and_dies_after_the_last(store: Store, clock: ManualClock):
    leases = running(store, clock, jobs=1, owner="me")
    for attempt in range(1, NOTE.max_attempts + 1):
        with writing(store) as conn:
            free_hung(conn, leases, NOTE)
            if attempt < NOTE.max_attempts:
                leases = lease(conn, [1], "me", clock, NOTE)

    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.attempts) == ("dead", 3)
    assert job.last_error == "passed its deadline of 60 s"


def test_a_vanished_message_is_sent_again_also_after_a_clock_step(store: Store, clock: ManualClock):
    after = {NOTE.name: 20.0}
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        claim(conn, NOTE.name, 1, clock())
        assert has_sent(conn)
        assert resend_stale(conn, after, clock() + timedelta(seconds=19)) == 0
        assert resend_stale(conn, after, clock() + timedelta(seconds=20)) == 1
        claim(conn, NOTE.name, 1, clock())
        assert resend_stale(conn, after, clock() - timedelta(hours=2)) == 1


def test_after_the_transport_came_back_empty_nothing_is_stranded(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * 5, clock())
        claim(conn, NOTE.name, 5, clock())
        assert resend_all(conn) == 5
        assert counts(conn) == {(NOTE.name, "ready"): 5}


def test_redrive_spreads_dead_jobs_over_time_and_gives_them_fresh_attempts(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * 4, clock())
        conn.exec_driver_sql("UPDATE jobs SET state = 'dead', attempts = 3, crashes = 3")
        assert redrive(conn, NOTE.name, clock(), rate=2.0) == 4

    with reading(store) as conn:
        jobs = listing(conn)
    assert [(job.available_at - clock()).total_seconds() for job in jobs] == [0, 0.5, 1, 1.5]
    assert {(job.attempts, job.crashes) for job in jobs} == {(0, 0)}
    with writing(store) as conn, pytest.raises(InvalidInputError, match="rate"):
        redrive(conn, None, clock(), rate=0)


def test_a_dead_job_whose_key_is_open_again_is_not_revived(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="a")
        conn.exec_driver_sql("UPDATE jobs SET state = 'dead'")
        # As releases before this one added it beside the dead one.
        conn.exec_driver_sql(
            "INSERT INTO jobs (kind, key, payload, state, available_at, created_at) "
            f"VALUES ('{NOTE.name}', 'a', '{{}}', 'ready', 0, 0)"
        )
        assert redrive(conn, None, clock()) == 0
        with pytest.raises(ConflictError, match="same key"):
            retry(conn, 1, clock())


def test_retry_runs_a_waiting_job_now(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), run_at=clock() + timedelta(days=1))
        assert retry(conn, 1, clock()) == "later"
        assert promote(conn, clock()) == 0
        assert len(claim(conn, NOTE.name, 9, clock())) == 1
        with pytest.raises(ConflictError, match="is sent"):
            retry(conn, 1, clock())
        with pytest.raises(NotFoundError):
            retry(conn, 99, clock())
        with pytest.raises(NotFoundError):
            show(conn, 99)


def test_pause_and_resume(store: Store, clock: ManualClock):
    with writing(store) as conn:
        pause(conn, NOTE.name, clock(), "quiet")
        pause(conn, NOTE.name, clock(), "again")
        assert resume(conn, NOTE.name)
        assert not resume(conn, NOTE.name)


def test_a_killed_owner_is_seen_dead_at_once_and_a_still_one_frozen_later(home: Path):
    home.mkdir()
    now = [0.0]
    watch = WorkerWatch(home, lambda: now[0])
    me = WorkerRegistration(home, "me", threads=2, queues=("quick",))
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path\n"
            "from afterword.pipeline.core.jobs.registrations import WorkerRegistration\n"
            f"o = WorkerRegistration(Path({str(home)!r}), 'child', 1, ())\n"
            "print(flush=True); sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None and child.stdin is not None
    child.stdout.readline()
    assert [(seen.uid, seen.state) for seen in watch.survey()] == [
        ("child", "alive"),
        ("me", "alive"),
    ]
    child.kill()
    child.wait()
    child.stdout.close()
    child.stdin.close()
    now[0] = FROZEN_AFTER_S - 1
    me.write_heartbeat()
    assert [seen.state for seen in watch.survey()] == ["dead", "alive"]
    watch.forget("child")
    now[0] += FROZEN_AFTER_S - 1
    assert [seen.state for seen in watch.survey()] == ["alive"]
    now[0] += 1
    assert [(seen.state, seen.threads, seen.queues) for seen in watch.survey()] == [
        ("frozen", 2, ("quick",))
    ]
    me.leave()
    assert watch.survey() == []
