"""What an audit reads of the cases: counts of a window, to the microsecond."""

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.audit.model import AuditedCases, AuditWindow
from afterword.pipeline.domain.audit.records_rows import cases, traded

NOW = 1_000_000
WINDOW = AuditWindow(start=600_000, now=NOW)
TOO_LONG = 100_000


@pytest.fixture
def count(store):
    def counted():
        with reading(store) as conn:
            return cases(conn, WINDOW, TOO_LONG)

    return counted


@pytest.fixture
def add(store):
    """Add a case of a decision of its own."""
    made = []

    def added(state="pending", due_at=1, closed_at=None, asset="BTC", of="major_crypto"):
        made.append(state)
        with writing(store) as conn:
            conn.exec_driver_sql(
                "INSERT INTO role_memory (id, uid, role_id, skill_id, origin, decision, direction,"
                " decided_at, known_at, state_at, methods) VALUES"
                " (?1, 'd' || ?1, 'r', 's', 'agent', 'Buy.', 'long', 1, 1, 1, '[\"m\"]')",
                (len(made),),
            )
            conn.exec_driver_sql(
                "INSERT INTO methodology_cases (decision_id, asset_key, asset_class, direction,"
                " decided_at, cited, attribution_model, outcome_state, due_at, closed_at, known_at)"
                " VALUES (?, ?, ?, 'long', ?, '[]', 'm', ?, ?, ?, 1)",
                (len(made), asset, of, len(made), state, due_at, closed_at),
            )

    return added


def test_without_cases_nothing_is_counted(count):
    assert count() == AuditedCases(0, 0, 0, 0)


def test_what_closed_in_the_window_counts_from_its_first_microsecond_on(add, count):
    add("resolved", closed_at=WINDOW.start - 1)
    add("resolved", closed_at=WINDOW.start)
    add("unresolved", closed_at=NOW)

    assert count() == AuditedCases(closed=2, resolved=1)


def test_a_case_waits_from_its_due_moment_so_a_long_horizon_is_no_backlog(add, count):
    add(due_at=NOW + 1)
    assert count() == AuditedCases()

    add(due_at=NOW)
    assert count() == AuditedCases(waiting=1)


def test_a_case_is_backlog_once_it_has_waited_longer_than_is_allowed(add, count):
    add(due_at=NOW - TOO_LONG)
    assert count() == AuditedCases(waiting=1)

    add(due_at=NOW - TOO_LONG - 1)
    assert count() == AuditedCases(waiting=2, backlog=1)


def test_the_traded_groups_are_those_of_all_assets_each_by_its_latest_class(add, store):
    add(asset="AAPL", of="stock")
    add(asset="BTC", of="unknown")
    add(asset="BTC", of="major_crypto")
    add(asset="XAU", of="commodity")
    add(asset="XAU", of="unknown")

    with reading(store) as conn:
        assert traded(conn) == ["crypto", "stock"]
