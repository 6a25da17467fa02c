"""The doctor counts decisions, mends what is derived from them, and reflects only when told to."""

from datetime import timedelta

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import fix
from afterword.pipeline.settings import load
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.roles import role_of, skill_of

REGISTRY = RoleRegistry([skill_of(role_of())])


@pytest.fixture
def waiting(store, clock, ids):
    """A decision whose time has come, without the jobs of its recording."""
    decided_at = clock() - timedelta(hours=80)
    new = NewDecision("desk.calls", "Buy SOL", asset="SOL", direction="long", decided_at=decided_at)
    record_decision(store, REGISTRY, new, clock, ids)
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM jobs")


def mend(store, clock, *only, embedder=None, apply=True):
    return [
        (one.action, one.rows)
        for one in fix(store, embedder, clock(), roles=REGISTRY, only=only, apply=apply)
        if one.rows
    ]


def kinds(store):
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM jobs ORDER BY kind").scalars())


def test_decisions_are_counted_and_those_pending_for_days_apart(home, store, waiting, clock, ids):
    found = examine(load(home=home), clock, monotonic, ids)

    said = [one.says for one in found if one.says.startswith("decisions")]
    assert said == ["decisions: 1 pending; 1 pending for more than 72 h"]


def test_edges_and_vectors_of_decisions_are_mended_like_those_of_memories(store, waiting, clock):
    embedder = HashedEmbedder()
    assert mend(store, clock, embedder=embedder) == [("embeddings", 1), ("edges", 2)]
    assert kinds(store) == ["embed_role_entries"]
    assert mend(store, clock, embedder=embedder) == []


def test_nothing_is_reflected_on_unless_it_is_named(store, waiting, clock):
    assert mend(store, clock) == [("edges", 2)]
    assert kinds(store) == []

    with reading(store) as conn:
        before = content_hash(conn, "role_memory")
    assert mend(store, clock, "reflect_pending", apply=False) == [("reflect_pending", 1)]
    assert kinds(store) == []
    assert mend(store, clock, "reflect_pending") == [("reflect_pending", 1)]
    assert kinds(store) == ["reflect_entries"]
    assert mend(store, clock, "reflect_pending") == []
    with reading(store) as conn:
        assert content_hash(conn, "role_memory") == before


def test_outcomes_that_wait_for_a_day_are_named(home, store, waiting, clock, ids):
    def noted():
        found = examine(load(home=home), clock, monotonic, ids)
        return [one.says for one in found if one.says.startswith("outcomes")]

    assert noted() == []
    clock.advance(days=7, hours=25)
    assert noted() == ["outcomes: 1 wait for more than 24 h to be measured"]
