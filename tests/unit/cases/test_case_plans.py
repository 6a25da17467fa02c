"""What a pass asks pass after pass begins with what is new, however many cases there are."""

import pytest

from afterword.pipeline.core.store import driver_cursor, reading
from afterword.pipeline.domain.cases import rows, vote_rows
from afterword.pipeline.domain.methodologies import lifecycle_rows
from afterword.pipeline.domain.synthesis import seed_rows

BY_NEWS = {
    "citing": (rows._CITING, "role_memory USING INDEX role_memory_citing (id>?)"),
    "withdrawn since": (rows._WITHDRAW_NEW, "o USING INTEGER PRIMARY KEY (rowid>?)"),
    "measured": (rows._MEASURED, "ci USING INDEX methodology_citations_open (due_at>? AND"),
    "measured late": (rows._MEASURED_LATE, "o USING INTEGER PRIMARY KEY (rowid>?)"),
    "overdue": (rows._OVERDUE, "methodology_citations USING INDEX methodology_citations_open"),
    "cases since": (vote_rows._CITED_SINCE, "c USING INTEGER PRIMARY KEY (rowid>?)"),
    "measured since": (vote_rows._MEASURED_SINCE, "o USING INTEGER PRIMARY KEY (rowid>?)"),
    "counts of cases": (vote_rows._COUNTS_OF_CASES, "c USING INTEGER PRIMARY KEY (rowid>?)"),
    "counts since": (vote_rows._COUNTS_SINCE, "o USING INTEGER PRIMARY KEY (rowid>?)"),
    "events of a day": (lifecycle_rows._ADJUSTED, "methodology_lifecycle_events_at (known_at>?)"),
}


def plan(store, statement):
    with reading(store) as conn:
        cursor = driver_cursor(conn)
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}", (1,) * statement.count("?"))
        return [detail for *_, detail in cursor.fetchall()]


@pytest.mark.parametrize("name", BY_NEWS)
def test_a_statement_begins_with_what_is_new(store, name):
    statement, begins_with = BY_NEWS[name]
    found = plan(store, statement)

    assert any(begins_with in one for one in found), found
    assert not [one for one in found if one.startswith("SCAN")], found


def test_seeds_begin_with_the_latest_case(store):
    found = plan(store, seed_rows._CASES)

    assert found[0] == "SCAN c" and not any("TEMP B-TREE" in one for one in found)
