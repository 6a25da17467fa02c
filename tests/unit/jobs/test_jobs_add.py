"""Adding work: in the caller's transaction, once per key, urgent before usual."""

from datetime import timedelta

import pytest

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many, check_backlog
from afterword.pipeline.core.jobs.claim import claim, heads, next_later, promote, unsend
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.model import URGENT, QueueHead
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.testing.clock import ManualClock

NOTE = Kind("note_something", batch=4)


def states(store: Store) -> dict[tuple[str, str], int]:
    with reading(store) as conn:
        return counts(conn)


def test_a_job_is_kept_or_lost_with_the_row_that_caused_it(store: Store, clock: ManualClock):
    with pytest.raises(RuntimeError), writing(store) as conn:
        add(conn, NOTE, {"id": 1}, clock())
        raise RuntimeError("the caller changed its mind")

    assert states(store) == {}


def test_a_second_add_of_an_open_key_changes_nothing(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {"id": 1}, clock(), key="a")
        add(conn, NOTE, {"id": 2}, clock(), key="a")
        add(conn, NOTE, {"id": 3}, clock(), key="b")

    with reading(store) as conn:
        assert [job.payload for job in listing(conn)] == [{"id": 1}, {"id": 3}]


def test_debounce_moves_a_waiting_job_and_a_sent_one(store: Store, clock: ManualClock):
    later = clock() + timedelta(minutes=5)
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="a", debounce=True)
        claim(conn, NOTE.name, 1, clock())
        add(conn, NOTE, {}, clock(), key="a", debounce=True, run_at=later)

    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.available_at) == ("later", later)


def test_an_add_while_the_job_runs_lets_it_run_once_more(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="a")
        (claimed,) = claim(conn, NOTE.name, 1, clock())
        leases = lease(conn, [claimed.id], "me", clock, NOTE)
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="a")
        add(conn, NOTE, {}, clock(), key="a")
    with writing(store, finishing=leases) as conn:
        pass
    with writing(store) as conn:
        promote(conn, clock())
        (again,) = claim(conn, NOTE.name, 9, clock())
        leases = lease(conn, [again.id], "me", clock, NOTE)
    with writing(store, finishing=leases) as conn:
        pass

    assert states(store) == {}


def test_a_dead_key_is_held_until_its_job_is_redriven(store: Store, clock: ManualClock):
    with writing(store) as conn:
        assert add(conn, NOTE, {}, clock(), key="a")
        conn.exec_driver_sql("UPDATE jobs SET state = 'dead'")
        assert not add(conn, NOTE, {"another": "payload"}, clock(), key="a")
        assert not add(conn, NOTE, {}, clock(), key="b"), "the same work under another key"

    assert states(store) == {(NOTE.name, "dead"): 1}


def test_work_for_the_future_is_not_claimed_before_its_time(store: Store, clock: ManualClock):
    due = clock() + timedelta(hours=1)
    with writing(store) as conn:
        add_many(conn, NOTE, [{"id": 1}], clock(), run_at=due)
        assert promote(conn, clock()) == 0
        assert heads(conn, [NOTE.name]) == []
        assert next_later(conn) is not None

    clock.set(due)
    with writing(store) as conn:
        assert promote(conn, clock()) == 1
        assert len(claim(conn, NOTE.name, 9, clock())) == 1


def test_urgent_rows_are_claimed_before_an_older_backlog(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add_many(conn, NOTE, [{"id": i} for i in range(100)], clock())
        add(conn, NOTE, {"id": "now"}, clock(), priority=URGENT)
        assert heads(conn, [NOTE.name]) == [QueueHead(NOTE.name, False, URGENT, None)]
        first, *rest = claim(conn, NOTE.name, 3, clock())

    assert first.priority == URGENT
    assert [row.id for row in rest] == [1, 2]


def test_a_paused_kind_has_no_head(store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (NOTE.name,))
        assert heads(conn, [NOTE.name]) == []


def test_what_could_not_be_sent_is_ready_again_and_was_not_delivered(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock())
        (row,) = claim(conn, NOTE.name, 1, clock())
        assert unsend(conn, [row.id]) == 1

    with reading(store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.deliveries) == ("ready", 0)


def test_a_full_backlog_refuses_bulk_producers_and_says_what_to_do(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add_many(conn, NOTE, [{}] * 3, clock())
        check_backlog(conn, NOTE, 4)
        check_backlog(conn, NOTE, 0)
        with pytest.raises(UnavailableError, match=r"AFTERWORD_JOBS_MAX_READY=3"):
            check_backlog(conn, NOTE, 3)
