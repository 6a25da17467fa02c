"""Upgrade a file to the newest schema, forward only; each step and its number are one commit."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import code_of, removed
from afterword.pipeline.core.store.identity import RESTORE
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import CorruptStoreError, UnavailableError

FILE_KINDS = ("group", "instance")
"""The kinds of file with migrations of their own."""

MIGRATIONS = files("afterword.pipeline.core.store") / "migrations" / "sqlite"
"""A folder for each kind of file, with its numbered steps."""

_MAKES_TABLE: Final = re.compile(r"CREATE (VIRTUAL )?TABLE\b", re.IGNORECASE)

_OF = {"replay": "group"}
"""The kinds that have the migrations of another kind."""


@dataclass(frozen=True, slots=True)
class Step:
    """One numbered migration file."""

    number: int
    name: str
    sql: str


@cache
def steps(kind: str) -> tuple[Step, ...]:
    """Return the migrations of a kind of file, in order: `group`, `instance`, or `replay`."""
    folder = MIGRATIONS / _OF.get(kind, kind)
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    return tuple(
        Step(int(entry.name[:4]), entry.name, entry.read_text(encoding="utf-8")) for entry in found
    )


def newest(kind: str) -> int:
    """Return the schema number of this program."""
    return steps(kind)[-1].number


def version(conn: Any) -> int:
    """Return the schema number of an open file (raw DB-API connection)."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_not_newer(found: int, kind: str, name: str) -> None:
    """Refuse a file of a newer program without changing it.

    Args:
        found: its schema number.
        name: of the file, for the message.

    Raises:
        UnavailableError: the file's schema number is above the newest this program knows.
    """
    if found > newest(kind):
        raise UnavailableError(
            f"{name} was written by a newer Afterword (schema {found}, this one knows "
            f"{newest(kind)}); install that release, or a later one; the file was not changed"
        )


def migrate(conn: Any, kind: str, upto: int | None = None, name: str = "the file") -> list[str]:
    """Apply the missing steps; the caller holds the file's write gate.

    Args:
        conn: raw DB-API connection in autocommit mode.
        upto: stop at this number; for tests of upgrades.
        name: of the file, for messages.

    Returns:
        Names of the steps applied now.

    Raises:
        CorruptStoreError: the schema number does not match the tables, or a step fails on them;
            the file is unchanged.
    """
    missing = [
        step
        for step in steps(kind)
        if step.number > version(conn) and (upto is None or step.number <= upto)
    ]
    if missing and (wrong := number_problem(conn, kind, name)):
        raise CorruptStoreError(f"{name}: {wrong}")
    for step in missing:
        try:
            _apply(conn, step)
        except dbapi.OperationalError as error:
            if code_of(error) != dbapi.SQLITE_ERROR:
                raise
            raise CorruptStoreError(
                f"{name} cannot be upgraded with {step.name} ({error}); {RESTORE}"
            ) from error
    return [step.name for step in missing]


def number_problem(conn: Any, kind: str, name: str) -> str:
    """Return why a file's schema number does not match its tables; empty if it does.

    Args:
        name: of the file, as a path.
    """
    there, number = _objects(conn), version(conn)
    made = [known for known, objects in _made(kind) if objects == there] if there else []
    if number in made:
        return ""
    expected = dict(_made(kind)).get(number, frozenset())
    gone = sorted(_tables(expected) - _tables(there)) if there else []
    # A number that was set too low names tables that a later step may have dropped.
    if gone and not any(known > number for known in made):
        return removed(Path(name), gone)
    if not made:
        return ""
    return (
        f"its schema number is {number}, its tables are those of {made[-1]}; stop all "
        f"processes and put the number right: `sqlite3 {name} 'PRAGMA user_version = {made[-1]}'`"
    )


@cache
def _made(kind: str) -> tuple[tuple[int, frozenset[Any]], ...]:
    """Return the tables and indexes of each schema number."""
    with closing(dbapi.connect(":memory:", isolation_level=None)) as conn:
        found = []
        for step in steps(kind):
            for statement in statements(step.sql):
                conn.execute(statement)
            found.append((step.number, _objects(conn)))
        return tuple(found)


def _apply(conn: Any, step: Step) -> None:
    conn.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(step.sql):
            conn.execute(statement)
        conn.execute(f"PRAGMA user_version = {step.number}")
        emit("store.migrating", step=step.name)
    except BaseException:
        if conn.in_transaction:  # on a full disk SQLite has rolled back by itself
            conn.execute("ROLLBACK")
        raise
    conn.execute("COMMIT")


def _objects(conn: Any) -> frozenset[Any]:
    query = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return frozenset(conn.execute(query))


def _tables(objects: frozenset[Any]) -> set[str]:
    return {name for name, sql in objects if sql and _MAKES_TABLE.match(sql)}


def statements(sql: str) -> Iterator[str]:
    """Split a script into statements, triggers whole (`executescript` would commit first)."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        if not pending and not line.strip():
            continue
        pending += line
        if dbapi.complete_statement(pending):
            yield pending
            pending = ""
