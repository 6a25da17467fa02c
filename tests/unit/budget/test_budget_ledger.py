"""An edited, damaged or missing ledger admits nothing, and the error names it."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.errors import BudgetExceededError, CorruptStoreError, PipelineError
from afterword.pipeline.gateway.budget import Budget, Purpose, Usage
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps

DOLLAR = 1_000_000
PURPOSE = Purpose("learning", "main", "embed_memories", "text-embedding-3-small")


@pytest.fixture
def budget(instance: Store, clock: ManualClock, ids: IdSource) -> Budget:
    """A budget of one dollar a day: half of it spent, a quarter held."""
    budget = Budget(instance, level_caps(DOLLAR, 10 * DOLLAR), clock, ids)
    spent = budget.reserve(PURPOSE, DOLLAR // 2, ttl_s=60)
    budget.settle(spent.uid, Usage(1, 1, DOLLAR // 2))
    budget.reserve(PURPOSE, DOLLAR // 4, ttl_s=60)
    return budget


def edit(store: Store, sql: str, *, by_force: bool = False) -> None:
    """Change the file as a person with an SQL shell would; by force: without its own rules."""
    conn = dbapi.connect(str(store.path), isolation_level=None)
    try:
        if by_force:
            conn.execute("PRAGMA ignore_check_constraints = ON")
            for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
                conn.execute(f"DROP TRIGGER {row[0]}")
        conn.execute(sql)
    finally:
        conn.close()


EDITS = [
    "UPDATE llm_usage SET cost_micro_usd = 0",
    "DELETE FROM llm_usage",
    "INSERT INTO llm_usage SELECT 9, 'gifts', group_name, task, model, 1, 1, 1, date, ts, NULL, "
    "basis, NULL FROM llm_usage",
    "INSERT INTO llm_usage SELECT 9, category, group_name, task, model, 1, 1, -5, date, ts, NULL, "
    "basis, NULL FROM llm_usage",
    "INSERT INTO llm_usage SELECT 9, category, group_name, task, model, 1, 1, 1, 'today', ts, "
    "NULL, basis, NULL FROM llm_usage",
    "UPDATE budget_windows SET spent_micro_usd = 0",
    "UPDATE budget_windows SET spent_micro_usd = -1",
    "UPDATE budget_windows SET spent_micro_usd = 'NaN'",
    "UPDATE budget_windows SET spent_micro_usd = 1e300",
    "UPDATE budget_windows SET window_key = '1999-01-01'",
    "DELETE FROM budget_windows",
    "UPDATE budget_reservations SET estimate_micro_usd = 1 WHERE state = 'open'",
    "UPDATE budget_reservations SET estimate_micro_usd = -1",
    "UPDATE budget_reservations SET day_key = '1999-01-01'",
    "UPDATE budget_reservations SET state = 'open' WHERE state = 'settled'",
    "UPDATE budget_reservations SET state = 'forgiven'",
    "DELETE FROM budget_reservations WHERE state = 'open'",
]


@pytest.mark.parametrize("sql", EDITS)
def test_an_edit_that_would_free_money_is_refused_by_the_file_itself(
    budget: Budget, instance: Store, sql: str
) -> None:
    before = budget.overview()

    with pytest.raises(dbapi.IntegrityError):
        edit(instance, sql)
    assert budget.overview() == before


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE budget_windows SET spent_micro_usd = -5000000",
        "UPDATE budget_reservations SET estimate_micro_usd = -5000000 WHERE state = 'open'",
    ],
)
def test_a_negative_amount_forced_into_the_file_admits_nothing(
    budget: Budget, instance: Store, sql: str
) -> None:
    edit(instance, sql, by_force=True)

    with pytest.raises(CorruptStoreError, match="negative"):
        budget.check("learning", "main")
    with pytest.raises(CorruptStoreError, match="negative"):
        budget.reserve(PURPOSE, 1, ttl_s=60)


@pytest.mark.parametrize("day", ["someday", "9999-12-31", "2026-99-99"])
def test_a_day_forced_into_the_file_that_never_ends_admits_nothing(
    budget: Budget, instance: Store, day: str
) -> None:
    edit(instance, f"UPDATE llm_usage SET date = '{day}'", by_force=True)

    with pytest.raises(CorruptStoreError, match=day):
        budget.check("learning", "main")
    with pytest.raises(CorruptStoreError, match=day):
        budget.reserve(PURPOSE, 1, ttl_s=60)


def test_a_huge_amount_forced_into_the_file_closes_the_window(
    budget: Budget, instance: Store
) -> None:
    edit(instance, f"UPDATE budget_windows SET spent_micro_usd = {2**62}", by_force=True)

    with pytest.raises(BudgetExceededError):
        budget.check("learning", "main")
    with pytest.raises(CorruptStoreError, match="llm_usage sums to 500000"):
        budget.check_counted()


def test_the_books_are_found_wrong_whichever_side_was_edited(
    budget: Budget, instance: Store
) -> None:
    budget.check_counted()
    edit(instance, "UPDATE llm_usage SET cost_micro_usd = 1", by_force=True)

    with pytest.raises(CorruptStoreError, match="counts 500000 micro-USD, but llm_usage sums to 1"):
        budget.check_counted()


def test_a_damaged_file_admits_nothing(budget: Budget, instance: Store) -> None:
    with writing(instance) as conn:  # fold the log into the file, so that the damage is read
        conn.execute(text("SELECT 1"))
    edit(instance, "PRAGMA wal_checkpoint(TRUNCATE)")
    instance.close()
    whole = instance.path.read_bytes()
    instance.path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))

    with pytest.raises(CorruptStoreError):
        budget.check("learning", "main")
    with pytest.raises(CorruptStoreError):
        budget.reserve(PURPOSE, 1, ttl_s=60)


def test_a_missing_table_admits_nothing(budget: Budget, instance: Store) -> None:
    edit(instance, "DROP TABLE budget_reservations", by_force=True)

    with pytest.raises((PipelineError, DatabaseError)):
        budget.check("learning", "main")
