"""An audit writes its report and nothing else, and makes way for a busy agent."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import DatabaseError

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.audit import rows
from afterword.pipeline.domain.audit.busy import MOST_POLLS, Courtesy
from afterword.pipeline.domain.audit.run_audit import run_audit
from afterword.pipeline.domain.audit.sealed import writing_only
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.sessions.turns import begin_turn
from afterword.pipeline.errors import InvalidInputError

LEARNING = (
    *("methodologies", "methodology_lifecycle_events", "methodology_cases"),
    *("methodology_case_hints", "methodology_citations", "methodology_cron_runs"),
)


@pytest.fixture
def audit(store, clock):
    waits = []

    def run(uid="one", **options):
        return run_audit(Courtesy(store, clock, waits.append), uid, "command", "strict", **options)

    run.waits = waits
    return run


def hashes(store):
    with reading(store) as conn:
        return {table: content_hash(conn, table) for table in LEARNING}


def busy(writer, minutes):
    """Let an agent begin a turn that may last some minutes."""
    session = begin_session(writer)
    begin_turn(in_session(writer, session.handle), "Go.", busy_for=timedelta(minutes=minutes))


def test_an_audit_leaves_every_learning_table_as_it_was(desk, store, audit):
    desk.method("dip")
    desk.decide(["dip"], [True, False] * 15)
    desk.synthesize()
    before = hashes(store)

    report = audit()

    assert hashes(store) == before
    with reading(store) as conn:
        assert rows.latest(conn) == report
    assert (report.composite, report.band) == (100.0, None)  # of a third of the weight


@pytest.mark.parametrize("table", LEARNING)
def test_one_changed_byte_in_a_scored_table_is_noticed(desk, store, table):
    desk.method("dip")
    desk.decide(["dip"], [True] * 30)
    desk.synthesize()
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO methodology_case_hints (hash, asset_key, asset_class, block, snapshot,"
            " known_at) VALUES (?, 'BTC', 'major_crypto', 'b', '{}', 1)",
            ("0" * 64,),
        )
    before = hashes(store)

    with writing(store) as conn:
        for trigger in conn.exec_driver_sql(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (table,)
        ).all():
            conn.exec_driver_sql(f'DROP TRIGGER "{trigger.name}"')
        column = {"methodologies": "last_sighted_at", "methodology_citations": "due_at"}
        name = column.get(table, "finished_at" if table.endswith("runs") else "known_at")
        conn.exec_driver_sql(f"UPDATE {table} SET {name} = {name} + 1")

    changed = {name for name, digest in hashes(store).items() if digest != before[name]}
    assert changed == {table}


@pytest.mark.parametrize("table", [*LEARNING, "memories", "role_memory", "audit_log", "jobs"])
def test_the_connection_of_an_audit_may_write_no_other_table(store, table):
    with writing(store) as conn, writing_only(conn, rows.REPORTS_TABLE):
        with pytest.raises(DatabaseError, match=r"not authorized|prohibited"):
            conn.exec_driver_sql(f"DELETE FROM {table}")
        conn.exec_driver_sql(f"SELECT count(*) FROM {table}")


def test_after_an_audit_the_connection_writes_again(store, audit, desk):
    audit()

    assert desk.method("later") == "later"


def test_a_second_delivery_of_the_same_audit_writes_no_second_report(store, audit):
    audit("job-1")
    audit("job-1")

    with reading(store) as conn:
        assert conn.exec_driver_sql(f"SELECT count(*) FROM {rows.REPORTS_TABLE}").scalar() == 1


def test_without_anything_to_score_there_is_no_composite_and_no_band(audit):
    report = audit()

    assert (report.composite, report.band, report.dimension_weights_used) == (None, None, {})


def test_between_stages_it_waits_for_a_busy_agent_and_goes_on_all_the_same(writer, audit):
    busy(writer, minutes=60)

    report = audit()

    assert len(audit.waits) == 3 * MOST_POLLS
    assert report.uid == "one"


def test_it_goes_on_as_soon_as_the_agent_is_idle(store, clock, writer):
    busy(writer, minutes=1)
    waits = []

    def wait(seconds):
        waits.append(seconds)
        clock.advance(seconds=30)

    run_audit(Courtesy(store, clock, wait), "one", "command", "strict")

    assert len(waits) == 2


def test_a_window_of_no_days_is_refused_before_anything_is_read(audit):
    with pytest.raises(InvalidInputError, match="window_days"):
        audit(window_days=0)


def test_graduations_of_shortly_before_the_window_are_counted(desk, store, clock, audit):
    desk.method("dip")
    desk.decide(["dip"], [True] * 30)
    desk.synthesize()
    clock.advance(days=45)

    report = audit()

    assert any(one.text.startswith("0 of 1 graduations") for one in report.findings)


def test_a_loop_that_never_ran_is_ill_as_soon_as_decisions_wait_for_it(desk, clock, audit):
    desk.method("dip")
    desk.decide(["unheard-of"], [True] * 3)
    assert audit("early").dimension_scores["cron_health"] is None
    desk.decide(["dip"], [True])  # a day ago

    report = audit()

    assert report.dimension_scores["cron_health"] == 0
    assert report.findings[0].text.endswith("cite methods wait for one: 1")


def test_a_decision_of_this_hour_waits_for_nothing_yet(desk, clock, audit):
    desk.method("dip")
    desk.decide(["dip"], [True], hours=1)

    assert audit().dimension_scores["cron_health"] is None
