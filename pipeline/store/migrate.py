"""Bring a file to the newest schema, forward only, each step with its record or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pipeline.errors import UnavailableError
from pipeline.store.driver import dbapi
from pipeline.telemetry import tell

KINDS = ("group", "instance")


@dataclass(frozen=True, slots=True)
class Step:
    """One numbered migration file."""

    number: int
    name: str
    sql: str


@cache
def steps(kind: str) -> tuple[Step, ...]:
    """Return the migrations of a kind of file (`group` or `instance`), in order."""
    folder = files("pipeline.store") / "migrations" / "sqlite" / kind
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    return tuple(
        Step(int(entry.name[:4]), entry.name, entry.read_text(encoding="utf-8")) for entry in found
    )


def newest(kind: str) -> int:
    """Return the schema number this program writes."""
    return steps(kind)[-1].number


def version(conn: Any) -> int:
    """Return the schema number of an open file (raw DB-API connection)."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_not_newer(conn: Any, kind: str, name: str) -> None:
    """Refuse a file that a newer program wrote, leaving its bytes as they are.

    Raises:
        UnavailableError: the file's schema number is above the newest this program knows.
    """
    found = version(conn)
    if found > newest(kind):
        raise UnavailableError(
            f"{name} was written by a newer Afterword (schema {found}, this one knows "
            f"{newest(kind)}); upgrade with `pip install -U afterword`; the file was not changed"
        )


def migrate(conn: Any, kind: str, upto: int | None = None) -> list[str]:
    """Apply what is missing; the caller holds the file's write gate.

    Args:
        conn: raw DB-API connection in autocommit mode.
        upto: stop at this number; for tests of upgrades.

    Returns:
        Names of the steps applied now.
    """
    applied = []
    for step in steps(kind):
        if step.number <= version(conn) or (upto is not None and step.number > upto):
            continue
        conn.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements(step.sql):
                conn.execute(statement)
            conn.execute(f"PRAGMA user_version = {step.number}")
            tell("store.migrating", step=step.name)
        except BaseException:
            conn.execute("ROLLBACK")
            raise
        conn.execute("COMMIT")
        applied.append(step.name)
    return applied


def statements(sql: str) -> Iterator[str]:
    """Split a script at its statement ends, triggers whole (`executescript` would commit first)."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        if not pending and not line.strip():
            continue
        pending += line
        if dbapi.complete_statement(pending):
            yield pending
            pending = ""
