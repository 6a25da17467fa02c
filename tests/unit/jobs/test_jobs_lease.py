"""Running work: an effect and the end of its job are one commit, by one holder."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.fail import fail, hand_back, outcome_of, pause, postpone
from afterword.pipeline.core.jobs.inspect import backlogs, counts, listing, runs, totals
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease, still_held
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.errors import (
    BudgetExceededError,
    CircuitOpenError,
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    PostponedError,
    UnavailableError,
)
from afterword.pipeline.ids import seeded_random
from afterword.pipeline.testing.clock import ManualClock

NOTE = Kind("note_something", batch=4, max_attempts=3)
CHANCE = seeded_random(1)


def taken(store: Store, clock: ManualClock, jobs: int = 1) -> Leases:
    """Return leases on freshly added jobs."""
    with writing(store) as conn:
        add_many(conn, NOTE, [{"id": i} for i in range(jobs)], clock())
        ids = [row.id for row in claim(conn, NOTE.name, jobs, clock())]
        return lease(conn, ids, "me", clock, NOTE)


def effect(conn: Connection) -> None:
    conn.exec_driver_sql("INSERT INTO paused_kinds VALUES ('effect', 0, '')")


def effects(store: Store) -> int:
    with reading(store) as conn:
        found: int = conn.exec_driver_sql("SELECT count(*) FROM paused_kinds").scalar_one()
        return found


def test_the_effect_and_the_end_of_the_job_are_one_commit(store: Store, clock: ManualClock):
    leases = taken(store, clock)
    clock.advance(seconds=2)
    with writing(store, finishing=leases) as conn:
        effect(conn)

    with reading(store) as conn:
        assert counts(conn) == {}
        (run,) = runs(conn, 1)
        (total,) = totals(conn)
    assert effects(store) == 1
    assert (run.outcome, run.attempt, run.ran_us) == ("done", 1, 2_000_000)
    assert (total.outcome, total.jobs, total.ran_us) == ("done", 1, 2_000_000)


def test_a_worker_that_lost_its_lease_has_no_effect(store: Store, clock: ManualClock):
    late = taken(store, clock)
    with writing(store) as conn:
        hand_back(conn, late, "thought dead")
        again = lease(conn, [late.held[0].id], "other", clock, NOTE)

    with pytest.raises(LeaseLostError), writing(store, finishing=late) as conn:
        effect(conn)
    assert effects(store) == 0
    with writing(store, finishing=again) as conn:
        effect(conn)
    with pytest.raises(LeaseLostError), writing(store, finishing=late) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES ('second', 0, '')")
    assert effects(store) == 1


def test_one_lost_job_rolls_its_whole_batch_back(store: Store, clock: ManualClock):
    leases = taken(store, clock, jobs=3)
    with writing(store) as conn:
        hand_back(conn, leases.one(leases.held[1]), "taken away")

    with pytest.raises(LeaseLostError), writing(store, finishing=leases) as conn:
        effect(conn)
    assert effects(store) == 0
    with reading(store) as conn:
        assert still_held(conn, leases) == 2


def test_a_message_delivered_five_times_at_once_is_taken_once(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        (row,) = claim(conn, NOTE.name, 1, clock())
    found: list[int] = []

    def deliver(owner: str) -> None:
        with writing(store) as conn:
            found.append(len(lease(conn, [row.id], owner, clock, NOTE)))

    threads = [threading.Thread(target=deliver, args=(f"w{i}",)) for i in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(found) == [0, 0, 0, 0, 1]


def test_a_message_that_names_another_kinds_job_takes_nothing(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        (row,) = claim(conn, NOTE.name, 1, clock())
        assert len(lease(conn, [row.id], "me", clock, Kind("tidy_something"))) == 0


@pytest.mark.parametrize(
    ("error", "outcome", "costs_an_attempt"),
    [
        (InvalidInputError("id", "is gone", "a number"), "dead", True),
        (CorruptStoreError("torn"), "dead", True),
        (NotFoundError("no such row"), "done", True),
        (ConflictError("another writer"), "retried", True),
        (UnavailableError("no answer"), "retried", True),
        (ValueError("a bug"), "retried", True),
        (BudgetExceededError("spent", None), "postponed", False),
        (CircuitOpenError("away", None), "postponed", False),
    ],
)
def test_each_class_of_error_has_its_outcome(
    error: Exception, outcome: str, costs_an_attempt: bool
):
    verdict = outcome_of(error, NOTE, attempt=1, chance=CHANCE)

    assert verdict.outcome == outcome
    assert verdict.refund is not costs_an_attempt


def test_pauses_double_from_two_seconds_to_ten_minutes_with_jitter():
    assert [pause(n, lambda: 1.0) for n in (1, 2, 3, 20)] == [2, 4, 8, 600]
    assert pause(1, lambda: 0.0) == 1


def test_a_job_is_dead_lettered_after_its_last_attempt_with_everything_needed_to_revive_it(
    store: Store, clock: ManualClock
):
    leases = taken(store, clock)
    for attempt in (1, 2, 3):
        with writing(store) as conn:
            outcome = fail(conn, leases, NOTE, ValueError("no"), "Traceback: no", CHANCE)
            assert outcome == ("dead" if attempt == 3 else "retried")
            if attempt < 3:
                clock.advance(minutes=1)
                conn.exec_driver_sql("UPDATE jobs SET state = 'ready'")
                leases = lease(conn, [1], "me", clock, NOTE)

    with reading(store) as conn:
        (job,) = listing(conn)
        history = [run.outcome for run in runs(conn, 1)]
    assert (job.state, job.attempts, job.payload) == ("dead", 3, {"id": 0})
    assert (job.last_error, job.last_traceback) == ("ValueError: no", "Traceback: no")
    assert history == ["retried", "retried", "dead"]


def test_a_failed_batch_comes_back_one_by_one_at_no_cost(store: Store, clock: ManualClock):
    leases = taken(store, clock, jobs=3)
    with writing(store) as conn:
        assert fail(conn, leases, NOTE, ValueError("one is bad"), "", CHANCE) == "handed_back"
        rows = claim(conn, NOTE.name, 9, clock())

    assert [row.batch_limit for row in rows] == [1] * 3
    with reading(store) as conn:
        assert {job.attempts for job in listing(conn)} == {0}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (UnavailableError("no answer"), "retried"),
        (BudgetExceededError("spent", None), "postponed"),
        (CircuitOpenError("away", None), "postponed"),
    ],
)
def test_a_batch_waits_as_a_whole_where_no_row_is_to_blame(
    store: Store, clock: ManualClock, error: Exception, outcome: str
):
    leases = taken(store, clock, jobs=3)
    with writing(store) as conn:
        assert fail(conn, leases, NOTE, error, "", CHANCE) == outcome
        conn.exec_driver_sql("UPDATE jobs SET state = 'ready'")
        rows = claim(conn, NOTE.name, 9, clock())

    assert [row.batch_limit for row in rows] == [None] * 3


def test_a_service_that_says_when_to_come_back_is_believed():
    busy = UnavailableError("too many requests")
    busy.retry_after_s = 90.0

    assert outcome_of(busy, NOTE, attempt=1, chance=CHANCE).pause_s == 90.0


@pytest.mark.parametrize("closed", [BudgetExceededError, CircuitOpenError])
def test_what_is_closed_postpones_and_says_until_when(
    store: Store, clock: ManualClock, closed: type[PostponedError]
):
    leases = taken(store, clock)
    reopens = clock() + timedelta(hours=3)
    with writing(store) as conn:
        fail(conn, leases, NOTE, closed("learning is spent", reopens), "", CHANCE)

    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.available_at, job.attempts) == ("later", reopens, 0)
    assert job.waits_for == "learning is spent"


def test_a_gate_holds_only_what_has_not_started(store: Store, clock: ManualClock):
    running = taken(store, clock)
    until = clock() + timedelta(hours=1)
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        (sent,) = claim(conn, NOTE.name, 1, clock())
        held = postpone(conn, [running.held[0].id, sent.id], until, "budget:learning", clock())

    assert held == 1
    with reading(store) as conn:
        assert [(job.state, job.waits_for) for job in listing(conn)] == [
            ("running", None),
            ("later", "budget:learning"),
        ]


def test_a_backlog_shows_its_rate_and_its_time_to_empty(store: Store, clock: ManualClock):
    leases = taken(store, clock, jobs=4)
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * 20, clock())
    clock.advance(seconds=1)
    with writing(store, finishing=leases):
        pass
    clock.advance(seconds=2)

    with reading(store) as conn:
        (backlog,) = backlogs(conn, clock())
    assert backlog.states == {"ready": 20}
    assert (backlog.oldest_s, backlog.rate, backlog.empty_in_s) == (3.0, 2.0, 10.0)
