"""The doctor counts methodologies, and only ever puts them back into quarantine."""

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import fix
from afterword.pipeline.settings import load

FIX = "methodology_demotion"


def says(home, clock, ids):
    found = examine(load(home=home), clock, monotonic, ids)
    return [
        one.says for one in found if "methodologies" in one.says and one.subject == "memory of main"
    ]


def mend(store, clock, apply=True):
    (done,) = fix(store, None, clock(), only=[FIX], apply=apply)
    return done.rows


@pytest.fixture
def failing(desk, store):
    """A graduate whose stored figures fell, as after a week without a synthesis."""
    desk.method("dip")
    desk.decide(["dip"], [True] * 30)
    desk.synthesize()
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE methodologies SET effective_uses = 60, effective_correct = 28")
    return "dip"


def test_methodologies_and_cases_are_counted(home, desk, clock, ids):
    desk.method("dip")
    desk.method("coin")
    desk.decide(["dip"], [True] * 30)
    desk.synthesize()

    assert says(home, clock, ids) == [
        "methodologies: 1 graduated, 1 new; 0 cases pending, 0 of them for more than 14 days"
    ]


def test_a_synthesis_that_does_not_run_is_told(home, desk, clock, ids):
    desk.method("dip")

    assert "the synthesis of methodologies never ran" in says(home, clock, ids)


def test_a_failing_graduate_goes_back_into_quarantine_with_its_event_and_audit_line(
    desk, failing, store, clock
):
    assert mend(store, clock) == 1

    one = desk.standing(failing)
    assert one.quarantine and one.strict_since is None
    assert desk.events("demoted")[-1][3] == "doctor"
    with reading(store) as conn:
        calls = conn.exec_driver_sql(
            "SELECT count(*) FROM audit_log WHERE tool_call = 'doctor.fix.methodology_demotion'"
        ).scalar()
    assert calls == 1
    assert mend(store, clock) == 0


def test_without_apply_nothing_is_written(failing, store, clock):
    tables = ("methodologies", "methodology_lifecycle_events", "audit_log")
    with reading(store) as conn:
        before = [content_hash(conn, table) for table in tables]

    assert mend(store, clock, apply=False) == 1

    with reading(store) as conn:
        assert [content_hash(conn, table) for table in tables] == before


def test_it_never_graduates_what_deserves_it(desk, store, clock):
    desk.method("dip")
    desk.decide(["dip"], [True] * 30)

    assert mend(store, clock) == 0
    assert desk.standing("dip").quarantine


def test_nineteen_uses_are_too_few_to_demote(desk, failing, store, clock):
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE methodologies SET effective_uses = 19, effective_correct = 1")

    assert mend(store, clock) == 0
