"""What a worker makes of new outcomes: patterns are weighed, then worded if a model may."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.patterns.area import WEIGH_PATTERNS, WORD_PATTERNS
from afterword.pipeline.domain.patterns.metrics import RolePatternNumbers
from afterword.pipeline.domain.patterns.triggers import PAUSE, weigh_later
from afterword.pipeline.domain.patterns.writer import WORD_TASK
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import DecisionParts, Work
from tests.unit.patterns.record import REGISTRY, ROLE, Desk

FLAW = [True, False, False, False, False] * 12

HONEST = "Longs after a rise were right in 12 of 60 stretches in SOL; without skill it is 30."


class Echo:
    """A writer that always says the same."""

    name = "echo"

    def __init__(self, said):
        self.said, self.asked = said, 0

    def word(self, *_asked):
        self.asked += 1
        return self.said


@pytest.fixture
def context(home, clock):
    context = build_context(load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2))
    parts = DecisionParts(REGISTRY, context.decisions.judge, Echo(HONEST))
    yield replace(context, decisions=parts)
    context.stores.close()


@pytest.fixture
def desk(context, clock):
    return Desk(context.stores.group("main", create=True), clock, context.runtime.ids)


def run(context, store, kind):
    clock = context.runtime.clock
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, kind.name, 9, clock())]
        leases = lease(conn, ids, "worker", clock, kind)
    if leases.held:
        ROUTES[kind.name].run(Work(context, "main", store, leases))
    return len(leases.held)


def jobs(store):
    with reading(store) as conn:
        query = "SELECT kind, key, state FROM jobs WHERE kind LIKE '%_patterns' ORDER BY id"
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def add(desk, role_id=ROLE.id):
    with writing(desk.store) as conn:
        weigh_later(conn, role_id, desk.clock())


def test_outcomes_of_a_while_are_weighed_by_one_job(context, desk):
    for _ in range(3):
        add(desk)
        desk.clock.advance(seconds=5)
    assert jobs(desk.store) == [("weigh_patterns", ROLE.id, "later")]
    assert run(context, desk.store, WEIGH_PATTERNS) == 0

    desk.clock.advance(seconds=PAUSE.total_seconds() - 15)  # what comes meanwhile moves nothing
    desk.decide(FLAW)
    assert run(context, desk.store, WEIGH_PATTERNS) == 1

    assert [one.state for one in desk.patterns()] == ["confirmed"]
    assert jobs(desk.store) == [("word_patterns", ROLE.id, "ready")]


def test_a_confirmed_pattern_is_worded_by_a_job_that_budget_and_circuit_hold(context, desk):
    desk.decide(FLAW)
    add(desk)
    desk.clock.advance(minutes=1)
    run(context, desk.store, WEIGH_PATTERNS)
    run(context, desk.store, WORD_PATTERNS)

    (found,) = desk.patterns()
    assert (found.text, found.worded_by) == (HONEST, "echo")
    assert jobs(desk.store) == []
    route = ROUTES[WORD_PATTERNS.name]
    assert (route.spends, route.asks) == ("learning", "llm")


def test_where_nothing_is_confirmed_no_model_is_asked(context, desk):
    desk.decide(FLAW[:30])
    add(desk)
    desk.clock.advance(minutes=1)
    run(context, desk.store, WEIGH_PATTERNS)

    assert [one.state for one in desk.patterns()] == ["emerging"]
    assert jobs(desk.store) == []


@pytest.mark.parametrize("mode", [Mode.OFF, None])
def test_without_a_model_that_may_word_no_such_job_is_added(context, desk, mode):
    if mode is None:
        context = replace(context, decisions=replace(context.decisions, writer=None))
    else:
        context.switches.set(WORD_TASK, mode)
    desk.decide(FLAW)
    add(desk)
    desk.clock.advance(minutes=1)
    run(context, desk.store, WEIGH_PATTERNS)

    assert jobs(desk.store) == []
    assert desk.patterns()[0].worded_by == "template"


def test_the_job_of_a_role_that_no_skill_declares_ends_without_effect(context, desk):
    desk.decide(FLAW)
    add(desk, "gone.role")
    desk.clock.advance(minutes=1)
    run(context, desk.store, WEIGH_PATTERNS)

    assert (desk.patterns(), jobs(desk.store)) == ([], [])


def test_no_model_words_patterns_of_a_role_that_no_skill_declares_any_more(context, desk):
    desk.decide(FLAW)
    add(desk)
    desk.clock.advance(minutes=1)
    run(context, desk.store, WEIGH_PATTERNS)
    without = replace(context.decisions, roles=RoleRegistry([]))

    assert run(replace(context, decisions=without), desk.store, WORD_PATTERNS) == 1

    assert (context.decisions.writer.asked, jobs(desk.store)) == (0, [])


def test_one_job_of_a_role_runs_at_a_time():
    serial = ROUTES[WEIGH_PATTERNS.name].serial

    assert serial("main", {"role": "a.b"}) == ROUTES[WORD_PATTERNS.name].serial(
        "main", {"role": "a.b"}
    )


def test_the_level_is_that_of_the_settings(context, desk):
    strict = context.settings.model_copy(update={"pattern_error": 0.000_001})
    desk.decide(FLAW[:35])
    add(desk)
    desk.clock.advance(minutes=1)
    run(replace(context, settings=strict), desk.store, WEIGH_PATTERNS)

    assert [one.state for one in desk.patterns()] == ["emerging"]


def test_patterns_are_counted_by_role_and_state(desk, clock):
    desk.decide(FLAW)
    desk.weigh()
    sums = RolePatternNumbers(SimpleNamespace(roles=REGISTRY))
    with reading(desk.store) as conn:
        numbers = sums.sums([sums.read(conn)], [], clock() + timedelta(days=1))

    assert numbers["afterword_role_patterns"] == {
        (ROLE.id, "confirmed"): 1,
        (ROLE.id, "emerging"): 0,
        (ROLE.id, "retired"): 0,
        **{
            (name, state): 0
            for name in ("other roles", "no skill")
            for state in ("confirmed", "emerging", "retired")
        },
    }
