"""What a worker makes of the jobs of roles, and when the schedule adds them."""

from dataclasses import replace

import pytest

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import EXTRACT_ROLE_EDGES, REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, saying, skill_of
from afterword.schedules.table import TABLE, role_entries, whole_table
from afterword.schedules.tick import add_slot
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

ROLE = "market.spot.momentum"


@pytest.fixture
def context(home, clock):
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2))
    yield context
    context.stores.close()


@pytest.fixture
def recorded(context, clock):
    """A decision on a market that fell, its prices kept in the store."""
    store = context.stores.group("main", create=True)
    decided_at = clock() - 60 * HOUR
    prices = book("SOLUSDT", decided_at - 200 * HOUR, jagged(200, [-0.05, *[0.0] * 50]))
    (series,) = prices.series("SOL")
    bars = prices.bars(series, decided_at - 300 * HOUR, clock(), clock())
    keep_bars(store, series, bars, clock)
    new = NewDecision(ROLE, "Buy SOL", {"rsi": 3}, asset="SOL", direction="long")
    new = replace(new, decided_at=decided_at)
    record_decision(store, context.decisions.roles, new, clock, context.runtime.ids)
    return store


def run(context, store, kind):
    """Run the jobs of a kind as a worker does."""
    clock = context.runtime.clock
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, kind.name, 9, clock())]
        leases = lease(conn, ids, "worker", clock, kind)
    assert leases.held
    ROUTES[kind.name].run(Work(context, "main", store, leases))


def open_jobs(store):
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM jobs ORDER BY kind").scalars())


def test_a_worker_reflects_on_stored_prices_without_any_model(context, recorded):
    run(context, recorded, EXTRACT_ROLE_EDGES)
    run(context, recorded, REFLECT_ENTRIES)  # the write of the decision added it

    (decision,) = list_decisions(recorded)
    assert (decision.state, decision.verdict.outcome) == ("reflected", "wrong")
    assert (decision.verdict.classification, decision.lesson) == ("variance", None)
    assert open_jobs(recorded) == ["weigh_patterns"]


@pytest.mark.parametrize(
    ("task", "mode", "state"),
    [
        ("classify_entry", Mode.OFF, "pending"),
        ("classify_entry", Mode.SHADOW, "pending"),
        ("draft_lesson", Mode.OFF, "parked"),
    ],
)
def test_a_switch_holds_for_the_workers(context, recorded, task, mode, state):
    context.switches.set(task, mode)
    decisions = replace(context.decisions, judge=saying("logic_error"))
    run(replace(context, decisions=decisions), recorded, REFLECT_ENTRIES)

    assert [one.state for one in list_decisions(recorded)] == [state]


def test_the_judge_is_the_one_the_settings_name(context, recorded):
    judge = saying("exogenous")
    decisions = replace(context.decisions, judge=judge)
    run(replace(context, decisions=decisions), recorded, REFLECT_ENTRIES)
    assert len(judge.classified) == 1

    settings = load(home=context.settings.home, role_judge="model", synchronous="NORMAL")
    with pytest.raises(InvalidInputError, match="AFTERWORD_ROLE_JUDGE"):
        build_context(settings, clock=context.runtime.clock)


def test_a_bad_skill_stops_a_worker_before_it_works(home, clock):
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "broken.py").write_text("import nowhere")
    with pytest.raises(InvalidInputError, match=r"skills/broken\.py"):
        build_context(load(home=home, synchronous="NORMAL"), clock=clock)


def test_one_job_of_a_role_runs_at_a_time():
    serial = ROUTES[REFLECT_ENTRIES.name].serial

    assert serial("main", {"role": "a.b"}) == "role main a.b"
    assert serial("main", {"role": "a.b"}) != serial("other", {"role": "a.b"})


def test_the_schedule_has_an_entry_for_each_role_that_goes_by_the_clock(context, recorded, clock):
    by_hand = role_of("desk.swift", triggers=("on_new_write",))
    registry = RoleRegistry([skill_of(role_of(), by_hand)])
    (entry,) = role_entries(registry)
    assert (entry.name, entry.cron, entry.job) == (
        "roles.desk_calls",
        "0 6 * * *",
        "reflect_entries",
    )
    assert whole_table(registry) == (*TABLE, entry)

    with writing(recorded) as conn:
        add_slot(conn, entry, REFLECT_ENTRIES, clock(), "instance", clock())
    with reading(recorded) as conn:
        query = "SELECT payload FROM jobs WHERE key = 'roles.desk_calls'"
        assert conn.exec_driver_sql(query).scalar_one() == '{"role":"desk.calls"}'


def test_a_role_has_one_job_however_often_it_begins(recorded, context, clock):
    role = context.decisions.roles.role(ROLE)
    with writing(recorded) as conn:
        for _ in range(3):
            begin(conn, role, clock())

    assert open_jobs(recorded).count("reflect_entries") == 1
