"""What a worker makes of the jobs of facts, with and without a judge."""

from dataclasses import replace

import pytest

from pipeline.facts.kinds import CONSOLIDATE_FACTS, JUDGE_FACTS
from pipeline.facts.read import standing_facts
from pipeline.facts.record import record_facts
from pipeline.jobs.claim import claim, promote
from pipeline.jobs.lease import lease
from pipeline.memory.model import NewMemory
from pipeline.settings import load
from pipeline.store import reading, writing
from pipeline.testing.judge import eager_judge
from workers.app import build_context
from workers.context import Work
from workers.routes import ROUTES

WEEKLY, DAILY = "user prefers weekly charts", "user prefers daily charts"


@pytest.fixture
def work(home, clock, ids):
    """Record facts, run the jobs of both kinds as a worker does, and return what stands."""

    def run(judge, enabled):
        settings = load(home=home, synchronous="NORMAL", consolidation_enabled=enabled)
        context = replace(build_context(settings, clock=clock, ids=ids), judge=judge)
        store = context.shelf.group("main", create=True)
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
        context.shelf.close()
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
