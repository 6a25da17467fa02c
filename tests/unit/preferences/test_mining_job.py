"""What a worker makes of the job that learns preferences: once, and only while it is on."""

from dataclasses import replace
from threading import Barrier, Thread

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, WorkQuery
from afterword.pipeline.core.jobs.inspect import totals
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences import mine as mine_room
from afterword.pipeline.domain.preferences.area import MINE_JOB
from afterword.pipeline.domain.preferences.has_work import preferences_due
from afterword.pipeline.domain.preferences.mine import mine_preferences
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work
from tests.unit.preferences.days import Days

LEARNED = ("preference_observations", "learned_preferences", "preference_minings", "user_tags")


@pytest.fixture
def context(home, clock):
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2))
    yield context
    context.stores.close()


@pytest.fixture
def days(context, clock):
    store = context.stores.group("main", create=True)
    days = Days(Writer(store, clock, context.runtime.ids, "owner"), clock)
    days.say("Never trade DOGE")
    days.trade(6, adds=True)
    return days


def leased(days):
    with writing(days.store) as conn:
        add(conn, MINE_JOB, {}, days.clock())
    with writing(days.store) as conn:
        promote(conn, days.clock())
        ids = [row.id for row in claim(conn, MINE_JOB.name, 1, days.clock())]
        return lease(conn, ids, "worker", days.clock, MINE_JOB)


def run(context, days, leases=None):
    ROUTES[MINE_JOB.name].run(Work(context, "main", days.store, leases or leased(days)))


def hashes(days):
    with reading(days.store) as conn:
        return {table: content_hash(conn, table) for table in LEARNED}


def outcomes(days):
    with reading(days.store) as conn:
        return [(one.kind, one.outcome, one.jobs) for one in totals(conn)]


def test_the_job_learns_and_a_second_one_changes_nothing(context, days):
    run(context, days)
    assert days.states("asset") == {"SOL": "active"}
    before = hashes(days)

    run(context, days)

    assert hashes(days) == before
    assert outcomes(days) == [(MINE_JOB.name, "done", 2)]


def test_a_message_that_comes_twice_has_one_effect(context, days):
    leases = leased(days)
    run(context, days, leases)
    before = hashes(days)

    with pytest.raises(LeaseLostError):
        run(context, days, leases)

    assert hashes(days) == before


def test_a_worker_that_lost_its_lease_leaves_nothing_behind(context, days):
    leases, before = leased(days), hashes(days)
    with writing(days.store) as conn:
        conn.exec_driver_sql("UPDATE jobs SET epoch = epoch + 1")

    with pytest.raises(LeaseLostError):
        run(context, days, leases)

    assert hashes(days) == before
    assert days.texts("SELECT 1 FROM memories WHERE source = 'learned_preference'") == []


@pytest.mark.parametrize("off", ["setting", "switch"])
def test_off_means_that_nothing_is_written(context, days, off):
    before = hashes(days)
    if off == "switch":
        context.switches.set("mine_preferences", Mode.OFF, "")
    else:
        settings = context.settings.model_copy(update={"learning_enabled": False})
        context = replace(context, settings=settings)

    run(context, days)

    assert hashes(days) == before
    assert outcomes(days) == [(MINE_JOB.name, "done", 1)]


def test_off_is_no_work_and_the_commands_say_so(context, days, command):
    off = replace(context, settings=context.settings.model_copy(update={"learning_enabled": False}))
    query = WorkQuery(MINE_JOB.name, {}, days.clock(), None)
    with reading(days.store) as conn:
        assert preferences_due(off, conn, query) is None
        assert preferences_due(context, conn, query) == UNKNOWN_START
    before = hashes(days)

    for line in (
        ("mine",),
        ("propose", "max_leverage", "hard_constraint", "3"),
        ("approve", "x"),
        ("reject", "x"),
    ):
        done = command("preference", *line, env={"AFTERWORD_LEARNING_ENABLED": "false"})
        assert (done.code, "AFTERWORD_LEARNING_ENABLED=true" in done.err) == (2, True)
    assert hashes(days) == before


def test_in_the_shadow_only_what_would_change_is_kept_and_once(context, days):
    context.switches.set("mine_preferences", Mode.SHADOW, "")
    before = hashes(days)

    run(context, days)
    run(context, days)

    after = hashes(days)
    assert {table for table in LEARNED if after[table] != before[table]} == {"preference_minings"}
    (told,) = days.texts("SELECT changes FROM preference_minings WHERE mode = 'shadow'")
    assert '["activate", "asset", "habit", "SOL", 6, 0]' in told

    context.switches.set("mine_preferences", Mode.ON, "")
    run(context, days)
    assert days.states("asset") == {"SOL": "active"}


def test_two_miners_at_once_have_one_result(days, monkeypatch):
    meet, errors = Barrier(2), []
    gather = mine_room._observed

    def together(*arguments):
        observed = gather(*arguments)
        meet.wait(timeout=30)
        return observed

    monkeypatch.setattr(mine_room, "_observed", together)

    def run_one():
        try:
            mine_preferences(days.system)
        except ConflictError as error:
            errors.append(error)

    threads = [Thread(target=run_one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(errors) == 1
    assert days.states("asset") == {"SOL": "active"}
    before = hashes(days)
    monkeypatch.undo()
    days.mine()
    assert hashes(days) == before


def test_a_run_is_due_an_hour_after_the_last_for_what_is_new_and_else_after_a_day(context, days):
    fired = days.clock()
    query = WorkQuery(MINE_JOB.name, {}, fired, fired)
    with reading(days.store) as conn:
        quiet = preferences_due(context, conn, query) - fired
    days.clock.advance(minutes=5)
    days.say("I only trade SOL")
    with reading(days.store) as conn:
        new = preferences_due(context, conn, query) - fired

    assert (quiet.total_seconds(), new.total_seconds()) == (86_400, 3_600)
