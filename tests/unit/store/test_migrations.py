"""The schema: the declared tables are the sum of the migrations, and old files come along."""

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import MetaData

import afterword
from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import KINDS, migrate, newest, statements, steps, version
from afterword.pipeline.core.store.tables import group_tables, instance_tables
from afterword.pipeline.errors import CorruptStoreError

DECLARED = {"group": group_tables, "instance": instance_tables}

Columns = list[tuple[str, str, bool, bool]]
"""Name, type, whether it must not be null, whether it is of the primary key."""


@pytest.fixture(scope="module", autouse=True)
def _every_table_is_declared() -> None:
    for module in pkgutil.walk_packages(afterword.__path__, "afterword."):
        if module.name.endswith(".tables"):
            import_module(module.name)


def migrated(path: Path, kind: str, upto: int | None = None):
    conn = dbapi.connect(str(path), isolation_level=None)
    migrate(conn, kind, upto)
    return conn


def real(path: Path, kind: str) -> dict[str, Columns]:
    """Return the tables of a new file, without those that a word index makes for itself."""
    conn = migrated(path, kind)
    found = {
        name: [
            (column[1], column[2], bool(column[3]) or bool(column[5]), bool(column[5]))
            for column in conn.execute(f"PRAGMA table_info({name})")
        ]
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'"
        )
    }
    conn.close()
    return found


def test_each_table_belongs_to_one_area(tmp_path: Path):
    tables = {name for kind in KINDS for name in real(tmp_path / kind, kind)}
    declared = [table.name for area in all_areas() for table in area.tables]

    assert sorted(declared) == sorted(tables)


@pytest.mark.parametrize("kind", KINDS)
def test_the_columns_that_statements_use_are_those_of_the_migrations(tmp_path: Path, kind: str):
    used = columns(DECLARED[kind])
    made = real(tmp_path / "file", kind)

    assert used
    assert used == {name: made[name] for name in used}


def columns(metadata: MetaData) -> dict[str, Columns]:
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
