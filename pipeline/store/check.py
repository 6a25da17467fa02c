"""Prove the files sound, each for itself, without ever writing to one that is not."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from pipeline.errors import PipelineError
from pipeline.store.driver import dbapi
from pipeline.store.file import Store, StoreOptions
from pipeline.store.manifest import StoreKind, store_path
from pipeline.store.migrate import newest, version
from pipeline.store.names import check_plain_file
from pipeline.store.shelf import check_readable
from pipeline.store.transaction import reading, writing

Invariants = Callable[[Connection], Sequence[str]]
"""Returns what is wrong with the rows of a group, in words; given by the room that owns them."""

MOST_LINES = 5
"""Lines of SQLite's own report that are kept of one file; the first ones say it."""

RESTORE = "stop all processes, then use `afterword store restore` from a backup"

FTS_TABLES = """
SELECT name FROM sqlite_schema
WHERE type = 'table' AND replace(lower(sql), ' ', '') LIKE '%usingfts5(%' ORDER BY name
"""
"""Names of the word indexes of a file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file.

    Args:
        schema: its schema number; None if it cannot be read.
        newest: the number this program writes.
        wal_bytes: size of its write-ahead log now.
        problems: what is wrong and what to do about it, a line each; empty if it is sound.
    """

    kind: StoreKind
    name: str
    path: Path
    size: int
    wal_bytes: int
    schema: int | None
    newest: int
    problems: tuple[str, ...]


def check(home: Path, options: StoreOptions, invariants: Invariants) -> Iterator[Checked]:
    """Check every file of an installation, one after the other, damaged or not.

    Args:
        home: the installation's folder; no shelf, since none opens on a damaged instance file.
        invariants: asked of each sound group.
    """
    instance = store_path(home, "instance", "instance")
    instance_id = _instance_id(instance)
    yield _checked("instance", "instance", instance, instance_id, options, lambda _conn: ())
    for path in sorted((home / "groups").glob("*.sqlite")):
        yield _checked("group", path.stem, path, instance_id, options, invariants)


def open_to_read(path: Path) -> Any:
    """Return a raw connection that cannot change the file."""
    return dbapi.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=10
    )


def damage(conn: Any) -> str:
    """Return what SQLite finds wrong with a file (raw connection); empty if it is sound."""
    report = [str(row[0]) for row in conn.execute(f"PRAGMA integrity_check({MOST_LINES})")]
    if report != ["ok"]:
        return "; ".join(report)
    orphans = conn.execute("PRAGMA foreign_key_check").fetchmany(MOST_LINES)
    return "; ".join(
        f"row {row} of {table} needs a row of {parent} that is gone"
        for table, row, parent, _key in orphans
    )


def _checked(
    kind: StoreKind,
    name: str,
    path: Path,
    instance_id: str | None,
    options: StoreOptions,
    invariants: Invariants,
) -> Checked:
    schema: int | None = None
    problems: list[str] = []
    try:
        check_plain_file(path)
        check_readable(path, kind)
        with closing(open_to_read(path)) as conn:
            schema = version(conn)
            wrong = damage(conn) or _claim_problem(conn, kind, name, instance_id)
        # Only a file that is sound so far is opened for more than reading.
        problems = [f"{wrong}; {RESTORE}"] if wrong else _inside(path, options, invariants)
    except (PipelineError, OSError, dbapi.Error, DBAPIError) as error:
        problems = [str(error)]
    return Checked(
        kind,
        name,
        path,
        _size(path),
        _size(path.with_name(f"{path.name}-wal")),
        schema,
        newest(kind),
        tuple(problems),
    )


def _claim_problem(conn: Any, kind: str, name: str, instance_id: str | None) -> str:
    """Say if this is another file than its name and place claim."""
    row = conn.execute("SELECT kind, group_name, instance_id FROM store_identity").fetchone()
    if row is None:
        return "it does not say whose it is"
    if (row[0], row[1]) != (kind, name):
        return f"it belongs to {row[0]} {row[1]!a}: it was copied or renamed"
    if instance_id is not None and row[2] != instance_id:
        return f"it belongs to another installation ({row[2]})"
    return ""


def _inside(path: Path, options: StoreOptions, invariants: Invariants) -> list[str]:
    """Check what the file's own structure does not show."""
    store = Store(path, options)
    try:
        with reading(store) as conn:
            problems = [f"{broken}; {RESTORE}" for broken in invariants(conn)]
            indexes = conn.exec_driver_sql(FTS_TABLES).scalars().all()
        for index in indexes:
            # Comparing an index counts as a write, though it writes nothing: it waits its turn.
            with writing(store) as conn:
                problems += index_problem(conn, index)
        return problems
    finally:
        store.close()


def index_problem(conn: Connection, index: str) -> list[str]:
    """Say whether a word index differs from its table; ask on a connection made for it."""
    try:
        # Rank 1 compares the index with its table; at rank 0 it would only agree with itself.
        conn.exec_driver_sql(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
    except DBAPIError as error:
        return [
            f"index {index} does not match its table ({error.orig}); "
            "`afterword doctor --fix --apply --only fts` makes it anew from the rows"
        ]
    return []


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _instance_id(path: Path) -> str | None:
    try:
        with closing(open_to_read(path)) as conn:
            return str(conn.execute("SELECT instance_id FROM store_identity").fetchone()[0])
    except (dbapi.Error, TypeError):  # the check of the file itself says why
        return None
