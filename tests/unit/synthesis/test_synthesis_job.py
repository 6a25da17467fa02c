"""What a worker makes of the scheduled synthesis and audit: once, and only while learning is on."""

from dataclasses import replace
from datetime import timedelta

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.fail import fail
from afterword.pipeline.core.jobs.inspect import totals
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.audit.area import AUDIT_JOB
from afterword.pipeline.domain.audit.busy import DEFERRED_FOR, MOST_DEFERRALS
from afterword.pipeline.domain.audit.rows import latest
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.sessions.turns import begin_turn
from afterword.pipeline.domain.synthesis.area import SYNTHESIZE_JOB
from afterword.pipeline.domain.synthesis.rows import last_pass
from afterword.pipeline.errors import PostponedError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.loop.has_work import methodologies_stand
from afterword.pipeline.settings import load
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work
from tests.unit.patterns.record import Desk as RoleDesk
from tests.unit.synthesis.desk import Desk

LEARNING = (
    *("methodologies", "methodology_lifecycle_events", "methodology_cases"),
    *("methodology_citations", "methodology_cron_runs", "methodology_audit_reports"),
)


@pytest.fixture
def context(home, clock):
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2))
    yield context
    context.stores.close()


@pytest.fixture
def desk(context, clock):
    return Desk(context.stores.group("main", create=True), clock, context.runtime.ids)


@pytest.fixture
def graduate(desk):
    """A method with thirty right calls in turn, before any pass."""
    desk.method("dip")
    desk.decide(["dip"], [True] * 30)


def leased(desk, kind):
    """Add a job of a kind, and take it; return its lease."""
    with writing(desk.store) as conn:
        add(conn, kind, {}, desk.clock())
    return taken(desk, kind)


def taken(desk, kind):
    with writing(desk.store) as conn:
        promote(conn, desk.clock())
        ids = [row.id for row in claim(conn, kind.name, 1, desk.clock())]
        return lease(conn, ids, "worker", desk.clock, kind)


def run(context, desk, kind, leases=None):
    work = Work(context, "main", desk.store, leases or leased(desk, kind))
    ROUTES[kind.name].run(work)


def passes(desk):
    with reading(desk.store) as conn:
        return conn.exec_driver_sql("SELECT count(*) FROM methodology_cron_runs").scalar_one()


def hashes(desk):
    with reading(desk.store) as conn:
        return {table: content_hash(conn, table) for table in LEARNING}


@pytest.mark.usefixtures("graduate")
def test_the_scheduled_pass_graduates_and_ends_its_job_with_its_heartbeat(context, desk):
    run(context, desk, SYNTHESIZE_JOB)

    assert not desk.standing("dip").quarantine
    with reading(desk.store) as conn:
        assert (last_pass(conn).trigger, last_pass(conn).numbers["graduated"]) == ("cron", 1)
        assert [(one.kind, one.outcome, one.jobs) for one in totals(conn)] == [
            (SYNTHESIZE_JOB.name, "done", 1)
        ]


@pytest.mark.usefixtures("graduate")
def test_a_message_that_comes_twice_writes_no_second_heartbeat(context, desk):
    leases = leased(desk, SYNTHESIZE_JOB)
    run(context, desk, SYNTHESIZE_JOB, leases)
    before = hashes(desk)

    with pytest.raises(LeaseLostError):
        run(context, desk, SYNTHESIZE_JOB, leases)

    assert (passes(desk), hashes(desk)) == (1, before)


@pytest.mark.usefixtures("graduate")
@pytest.mark.parametrize("kind", [SYNTHESIZE_JOB, AUDIT_JOB], ids=lambda kind: kind.name)
def test_with_learning_off_the_job_ends_and_writes_nothing(context, desk, kind):
    off = replace(context, settings=context.settings.model_copy(update={"learning_enabled": False}))
    before = hashes(desk)

    run(off, desk, kind)

    assert hashes(desk) == before
    with reading(desk.store) as conn:
        assert [one.outcome for one in totals(conn)] == ["done"]


def test_without_a_methodology_there_is_nothing_to_do_until_a_pattern_suggests_one(
    context, desk, clock
):
    with reading(desk.store) as conn:
        assert methodologies_stand(context, conn, None) is None
    role = RoleDesk(desk.store, clock, context.runtime.ids)
    role.decide([True] * 40 + [False] * 8)
    role.weigh()

    with reading(desk.store) as conn:
        assert methodologies_stand(context, conn, None) is not None
    run(context, desk, SYNTHESIZE_JOB)

    with reading(desk.store) as conn:
        assert last_pass(conn).numbers["changes"] == {"seeded": 1}


@pytest.mark.usefixtures("graduate")
def test_an_audit_comes_back_while_an_agent_is_busy_and_runs_after_eight_delays(
    context, desk, clock
):
    writer = Writer(desk.store, clock, context.runtime.ids)
    session = in_session(writer, begin_session(writer).handle)
    begin_turn(session, "Go.", busy_for=timedelta(days=1))
    leases = leased(desk, AUDIT_JOB)
    for _ in range(MOST_DEFERRALS):
        with pytest.raises(PostponedError, match="busy") as postponed:
            run(context, desk, AUDIT_JOB, leases)
        with writing(desk.store) as conn:
            fail(conn, leases, AUDIT_JOB, postponed.value, "", lambda: 0.5)
        clock.advance(seconds=DEFERRED_FOR.total_seconds())
        leases = taken(desk, AUDIT_JOB)
    context.runtime.stopping.set()  # so that it waits for nobody between its stages

    run(context, desk, AUDIT_JOB, leases)

    with reading(desk.store) as conn:
        assert latest(conn).trigger == "cron"
