"""A slot fires where there is work: each rule says since when, and none where nothing is to do."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.area import TIDY_STORE
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.patterns import tell_pattern
from afterword.pipeline.testing.roles import role_of, skill_of
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.table import TABLE, whole_table
from afterword.schedules.tick import Ticker
from afterword.schedules.work import has_work_since, rules
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Context

Since = Callable[..., datetime | None]


@pytest.fixture
def context(stores: Stores, clock: ManualClock) -> Context:
    return build_context(load(home=stores.home, synchronous="NORMAL"), clock=clock)


@pytest.fixture
def since(context: Context, store: Store, clock: ManualClock) -> Since:
    """Ask a rule about the group `main`, by the name of the entry."""

    def ask(name: str, fired_at: datetime | None = None) -> datetime | None:
        (entry,) = (one for one in whole_table(context.decisions.roles) if one.name == name)
        with reading(store) as conn:
            return has_work_since(rules(context), conn, entry, clock(), fired_at)

    return ask


def run(store: Store, clock: ManualClock, kind: str) -> None:
    """Let one job of a kind be added, run and end."""
    of = ROUTES[kind].kind
    with writing(store) as conn:
        add(conn, of, {}, clock())
        job_id = conn.execute(text("SELECT max(id) FROM jobs")).scalar_one()
        held = lease(conn, [job_id], "me", clock, of)
    with writing(store, finishing=held):
        pass


def test_every_scheduled_job_has_a_rule(context: Context):
    scheduled = {entry.job for entry in whole_table(context.decisions.roles)}
    assert scheduled <= rules(context).keys()


def test_a_group_nobody_used_has_work_for_no_entry(since: Since):
    assert {entry.name: since(entry.name) for entry in TABLE} == {one.name: None for one in TABLE}


def test_jobs_that_wait_for_a_gate_are_work(since: Since, store: Store, clock: ManualClock):
    with writing(store) as conn:
        add(conn, EXTRACT_EDGES, {}, clock(), run_at=clock() + timedelta(days=1))
        conn.execute(text("UPDATE jobs SET gate = 'budget:learning'"))

    assert since("budget.expire") == UNKNOWN_START


def test_a_pending_fact_is_work_since_it_was_said(
    since: Since, store: Store, clock: ManualClock, ids: IdSource
):
    clock.advance(minutes=3)
    said_at = clock()
    record_fact(store, NewMemory("fact", "user prefers weekly charts"), clock, ids)
    clock.advance(minutes=3)

    assert since("facts.consolidate") == said_at


def test_an_outcome_is_work_from_the_end_of_the_first_window_that_no_reflection_measures(
    since: Since, store: Store, clock: ManualClock, ids: IdSource
):
    """That of the role is a day; the next one is a week."""
    registry = RoleRegistry([skill_of(role_of())])
    new = NewDecision("desk.calls", "Buy SOL", asset="SOL", direction="long")
    record_decision(store, registry, new, clock, ids)

    assert since("outcomes.measure") == clock() + timedelta(days=7)


def test_a_deleted_memory_is_work_from_the_end_of_its_retention_on(
    since: Since, clock: ManualClock, writer: Writer
):
    new = NewMemory("context", "to be deleted", type="context")
    uid = write_memory(writer, new).uid
    assert since("memory.purge") is None

    delete_memory(writer, uid)
    assert since("memory.purge") == clock() + timedelta(days=30)


def test_a_superseded_text_of_a_pattern_is_work_from_the_end_of_its_retention_on(
    since: Since, store: Store, clock: ManualClock
):
    tell_pattern(store, clock(), "Longs: right 3 of 20.")
    tell_pattern(store, clock(), "Longs: right 4 of 21.")
    assert since("patterns.purge") is None  # the first of its state stays

    tell_pattern(store, clock(), "Longs: right 4 of 22.")
    assert since("patterns.purge") == clock() + timedelta(days=365)


def test_a_file_is_tidied_after_use_and_upkeep_is_no_use(
    since: Since, store: Store, clock: ManualClock, writer: Writer
):
    write_memory(writer, NewMemory("observation", "bought BTC"))
    assert since("store.tidy") == UNKNOWN_START

    clock.advance(minutes=1)
    tidied_at = clock()
    run(store, clock, TIDY_STORE.name)
    assert since("store.tidy", fired_at=tidied_at) is None

    clock.advance(minutes=1)
    run(store, clock, EXTRACT_EDGES.name)
    assert since("store.tidy", fired_at=tidied_at) == UNKNOWN_START


def test_slots_of_a_time_without_work_are_not_missed(
    stores: Stores, store: Store, context: Context, clock: ManualClock, ids: IdSource
):
    def tick() -> None:
        groups = GroupTracker(stores, monotonic)
        kinds = {name: route.kind for name, route in ROUTES.items()}
        Ticker(stores, groups, TABLE, kinds.__getitem__, rules(context), clock).step()

    tick()
    clock.advance(days=60)
    record_fact(store, NewMemory("fact", "user prefers weekly charts"), clock, ids)
    clock.advance(minutes=35)
    tick()

    with reading(store) as conn:
        query = text("SELECT missed FROM cron_entries WHERE entry = 'facts.consolidate'")
        assert conn.execute(query).scalar_one() == 2
