"""What a worker makes of the jobs of facts, with and without a judge."""

from contextlib import closing
from dataclasses import replace

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS, JUDGE_FACTS
from afterword.pipeline.domain.facts.read import standing_facts
from afterword.pipeline.domain.facts.record import record_facts
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.settings import load
from afterword.pipeline.testing.judge import eager_judge
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

WEEKLY, DAILY = "user prefers weekly charts", "user prefers daily charts"


@pytest.fixture
def work(home, clock, ids):
    """Record facts, run the jobs of both kinds as a worker does, and return what stands."""

    def run(judge, enabled):
        settings = load(home=home, synchronous="NORMAL", consolidation_enabled=enabled)
        built = build_context(settings, clock=clock, ids=ids)
        context = replace(built, facts=replace(built.facts, judge=judge))
        store = context.stores.group("main", create=True)
        record_facts(store, [NewMemory("fact", WEEKLY)], clock, ids)
        clock.advance(seconds=1)
        record_facts(store, [NewMemory("fact", text) for text in (DAILY, DAILY)], clock, ids)
        clock.advance(minutes=1)
        for kind in (CONSOLIDATE_FACTS, JUDGE_FACTS):
            with writing(store) as conn:
                promote(conn, clock())
                jobs = [row.id for row in claim(conn, kind.name, 9, clock())]
                leases = lease(conn, jobs, "worker", clock, kind)
            ROUTES[kind.name].run(Work(context, "main", store, leases))
        with reading(store) as conn:
            left = conn.exec_driver_sql("SELECT count(*) FROM jobs WHERE kind LIKE '%facts'")
            assert left.scalar_one() == 0
        standing = [fact.content for fact in standing_facts(store)]
        context.stores.close()
        return standing

    return run


@pytest.mark.parametrize(
    ("has_judge", "enabled", "stands"),
    [
        (True, True, [DAILY]),
        (True, False, [DAILY, WEEKLY]),
        (False, True, [DAILY, WEEKLY]),
    ],
)
def test_a_judge_is_asked_only_where_it_is_switched_on(work, has_judge, enabled, stands):
    judge = eager_judge("supersede") if has_judge else None

    assert work(judge, enabled) == stands
    assert judge is None or bool(judge.asked) is enabled


@pytest.fixture
def worker(home, clock, ids):
    """Return a function that works as a worker does from one tick of the schedule to the next."""
    settings = load(home=home, synchronous="NORMAL", consolidation_enabled=True)
    built = build_context(settings, clock=clock, ids=ids)
    store = built.stores.group("main", create=True)

    def tick(judge, mode, *facts, then=None):
        """Record facts a second apart under a mode of the switch, and run what there is to run.

        Another mode may hold from the pass by rule on.
        """
        context = replace(built, facts=replace(built.facts, judge=judge))
        context.switches.set(JUDGE_FACTS.name, mode)
        for content in facts:
            clock.advance(seconds=1)
            record_facts(store, [NewMemory("fact", content)], clock, ids)
        clock.advance(minutes=10)
        with writing(store) as conn:
            add(conn, CONSOLIDATE_FACTS, {}, clock(), key="facts.consolidate")
        for kind in (CONSOLIDATE_FACTS, JUDGE_FACTS):
            while leases := _leased(store, clock, kind):
                ROUTES[kind.name].run(Work(context, "main", store, leases))
            context.switches.set(JUDGE_FACTS.name, then or mode)
        return [fact.content for fact in standing_facts(store)]

    yield tick
    built.stores.close()


def _leased(store, clock, kind):
    with writing(store) as conn:
        promote(conn, clock())
        found = lease(
            conn, [row.id for row in claim(conn, kind.name, 1, clock())], "worker", clock, kind
        )
    return found if found.held else None


def asked_about(judge):
    return [question.fact.content for question in judge.asked]


def test_what_was_asked_in_the_shadow_is_asked_again_once_it_counts(worker):
    in_shadow, counting = eager_judge("supersede"), eager_judge("supersede")

    assert worker(in_shadow, Mode.SHADOW, WEEKLY, DAILY) == [DAILY, WEEKLY]
    assert worker(counting, Mode.ON) == [DAILY]
    assert asked_about(counting) == asked_about(in_shadow) == [DAILY]


def test_the_shadow_asks_about_a_fact_once_and_about_what_came_since(worker):
    judge = eager_judge("supersede")
    hourly = "user prefers hourly charts"
    for _ in range(3):
        worker(judge, Mode.SHADOW, *(() if judge.asked else (WEEKLY, DAILY)))
    worker(judge, Mode.SHADOW, hourly)

    assert asked_about(judge) == [DAILY, hourly]


def test_a_fact_said_again_is_compared_in_the_shadow_with_what_came_between(worker):
    judge = eager_judge("supersede")
    hourly = "user prefers hourly charts"
    worker(judge, Mode.SHADOW, WEEKLY, DAILY)
    worker(judge, Mode.OFF, hourly)
    worker(judge, Mode.SHADOW, DAILY)

    compared = {
        question.fact.content: [other.content for other in question.candidates]
        for question in judge.asked[1:]
    }
    assert compared == {hourly: [WEEKLY], DAILY: [hourly]}


def test_the_shadow_changes_nothing_that_counts(worker, home, clock, ids):
    judge = eager_judge("merge")
    worker(judge, Mode.OFF, WEEKLY, DAILY)
    path = home / "groups" / "main.sqlite"
    before = counting_columns(path)
    worker(judge, Mode.SHADOW)

    assert judge.asked
    assert counting_columns(path) == before


def counting_columns(path):
    with closing(dbapi.connect(str(path))) as conn:
        facts = "SELECT memory_id, state, version, said_at, judged_to, retired_by FROM facts"
        memories = "SELECT id, superseded_by, superseded_at, deleted_at FROM memories"
        return conn.execute(facts).fetchall(), conn.execute(memories).fetchall()


def test_facts_that_come_while_the_judge_is_off_are_judged_once_it_is_on_again(worker):
    judge = eager_judge("supersede")
    hourly = "user prefers hourly charts"

    assert worker(judge, Mode.ON, WEEKLY) == [WEEKLY]
    assert worker(judge, Mode.OFF, DAILY) == [DAILY, WEEKLY]
    assert worker(judge, Mode.OFF, hourly) == [hourly, DAILY, WEEKLY]
    assert judge.asked == []
    assert worker(judge, Mode.ON) == [hourly]
    assert asked_about(judge) == [DAILY, hourly]


def test_a_question_that_was_queued_before_the_switch_turned_is_asked_once_it_is_on(worker):
    judge = eager_judge("supersede")

    assert worker(judge, Mode.ON, WEEKLY, DAILY, then=Mode.OFF) == [DAILY, WEEKLY]
    assert judge.asked == []
    assert worker(judge, Mode.ON) == [DAILY]
