"""The schema: the declared tables are the sum of the migrations, and old files come along."""

from pathlib import Path

import pytest
from sqlalchemy import MetaData

import afterword.pipeline.core.jobs.tables as _jobs
import afterword.pipeline.domain.decisions.tables as _roles
import afterword.pipeline.domain.facts.tables as _facts
import afterword.pipeline.domain.history.tables as _history
import afterword.pipeline.domain.memory.tables as _memory
import afterword.pipeline.domain.prices.tables as _prices
import afterword.pipeline.domain.sessions.tables as _sessions
import afterword.pipeline.gateway.budget.tables as _budget
import afterword.pipeline.gateway.http.tables as _service
import afterword.pipeline.gateway.switches.tables as _switches
import afterword.pipeline.operations.forget.tables as _forget
import afterword.pipeline.recall.prompts.tables as _recall
import afterword.schedules.tables as _schedules
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import KINDS, migrate, newest, statements, steps, version
from afterword.pipeline.core.store.tables import group_tables, instance_tables
from afterword.pipeline.errors import CorruptStoreError

AREAS = (
    _budget,
    _facts,
    _forget,
    _history,
    _jobs,
    _memory,
    _prices,
    _recall,
    _roles,
    _sessions,
    _schedules,
    _service,
    _switches,
)
"""Importing an area declares its tables."""

DECLARED = {"group": group_tables, "instance": instance_tables}


def migrated(path: Path, kind: str, upto: int | None = None):
    conn = dbapi.connect(str(path), isolation_level=None)
    migrate(conn, kind, upto)
    return conn


@pytest.mark.parametrize("kind", KINDS)
def test_the_declared_tables_are_the_sum_of_the_migrations(tmp_path: Path, kind: str):
    conn = migrated(tmp_path / "file", kind)
    real = {
        name: [
            (column[1], column[2], bool(column[3]) or bool(column[5]), bool(column[5]))
            for column in conn.execute(f"PRAGMA table_info({name})")
        ]
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE '%\\_fts%' ESCAPE '\\'"
        )
    }
    conn.close()

    assert real == declared(DECLARED[kind])


def declared(metadata: MetaData) -> dict[str, list[tuple[str, str, bool, bool]]]:
    return {
        table.name: [
            (
                column.name,
                str(column.type).upper(),
                not column.nullable,
                column.primary_key,
            )
            for column in table.columns
        ]
        for table in metadata.tables.values()
    }


@pytest.mark.parametrize("kind", KINDS)
def test_steps_are_numbered_without_gaps(kind: str):
    assert [step.number for step in steps(kind)] == list(range(1, newest(kind) + 1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_any_earlier_version_is_upgraded_with_its_rows(tmp_path: Path, kind: str):
    for start in range(1, newest(kind)):
        conn = migrated(tmp_path / str(start), kind, upto=start)
        conn.execute("INSERT INTO store_identity VALUES (1, ?, 'g', 'i', 0)", (kind,))
        applied = migrate(conn, kind)
        assert len(applied) == newest(kind) - start
        assert version(conn) == newest(kind)
        assert conn.execute("SELECT group_name FROM store_identity").fetchone() == ("g",)
        conn.close()


def test_a_step_that_fails_leaves_the_version_before_it(tmp_path: Path):
    conn = migrated(tmp_path / "file", "group", upto=1)
    conn.execute("CREATE TABLE memories (in_the_way)")
    with pytest.raises(CorruptStoreError, match=r"cannot be upgraded with 0002.*memories"):
        migrate(conn, "group")
    assert version(conn) == 1
    conn.close()


def test_a_trigger_is_one_statement():
    script = (
        "-- a comment; with a semicolon\nCREATE TABLE a (b);\n\n"
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\n  SELECT 2;\nEND;\n"
    )
    found = list(statements(script))
    assert len(found) == 2
    assert found[1].endswith("END;\n")
