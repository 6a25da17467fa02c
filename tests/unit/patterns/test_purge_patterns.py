"""Superseded texts of a pattern end with their retention; its story and its present stay."""

from datetime import timedelta

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.patterns.area import PURGE_PATTERNS
from afterword.pipeline.domain.patterns.purge import purge_patterns
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.patterns import tell_pattern
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

YEAR = timedelta(days=365)
STORY = (
    *(("emerging", "hint 1"), ("emerging", "hint 2"), ("confirmed", "lesson 1")),
    *(("confirmed", "lesson 2"), ("confirmed", "lesson 3"), ("retired", "over 1")),
    *(("retired", "over 2"), ("confirmed", "lesson 4"), ("confirmed", "lesson 5")),
)


@pytest.fixture
def told(store, clock):
    """Tell the story of one pattern, one text a day."""
    for state, text in STORY:
        tell_pattern(store, clock(), text, state)
        clock.advance(days=1)


def texts(store):
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT text FROM role_patterns ORDER BY id").scalars())


def test_the_first_text_of_each_state_and_the_current_one_stay(store, clock, told):
    clock.advance(days=400)

    assert purge_patterns(store, clock(), YEAR) == 4
    assert texts(store) == ["hint 1", "lesson 1", "over 1", "lesson 4", "lesson 5"]
    assert purge_patterns(store, clock(), YEAR) == 0


def test_a_text_stays_until_its_own_retention_is_over(store, clock, told):
    clock.advance(days=359)  # a year after the text that was superseded on the third day
    assert purge_patterns(store, clock(), YEAR) == 1
    assert "hint 2" not in texts(store)
    assert "lesson 2" in texts(store)


def test_a_moment_at_which_a_purged_text_was_current_is_refused(store, clock, told, command):
    during = clock() - timedelta(days=5.5)  # when lesson 2 was told
    line = ("role", "pattern", "ls", "--as-of")
    clock.advance(days=400)
    assert command(*line, during.isoformat()).code == 0
    purge_patterns(store, clock(), YEAR)

    refused = command(*line, during.isoformat())
    assert (refused.code, "were purged" in refused.err) == (2, True)
    assert command(*line, clock().isoformat()).code == 0


def test_the_job_does_it_with_the_retention_of_the_settings(home, clock):
    settings = load(home=home, synchronous="NORMAL", pattern_superseded_retention_days=7)
    context = build_context(settings, clock=clock, ids=seeded_uids(2))
    store = context.stores.group("main", create=True)
    for text in ("one", "two", "three"):
        tell_pattern(store, clock(), text)
    clock.advance(days=8)
    with writing(store) as conn:
        add(conn, PURGE_PATTERNS, {}, clock())
        ids = [row.id for row in claim(conn, PURGE_PATTERNS.name, 9, clock())]
        leases = lease(conn, ids, "worker", clock, PURGE_PATTERNS)

    ROUTES[PURGE_PATTERNS.name].run(Work(context, "main", store, leases))

    assert texts(store) == ["one", "three"]
    with reading(store) as conn:
        query = "SELECT tool_call, detail FROM audit_log"
        assert [tuple(row) for row in conn.exec_driver_sql(query)] == [
            ("pattern.purge", '{"rows": 1}')
        ]
        assert conn.exec_driver_sql("SELECT count(*) FROM jobs").scalar() == 0
    context.stores.close()
