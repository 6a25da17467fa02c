"""Check each file of an installation, without writing to a damaged one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.failures import LOCKED, REFUSED, answered, code_of
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.identity import RESTORE, check_claim, identify
from afterword.pipeline.core.store.manifest import StoreKind, store_path
from afterword.pipeline.core.store.migrate import check_not_newer, newest, number_problem, version
from afterword.pipeline.core.store.names import check_plain_file, log_path
from afterword.pipeline.core.store.opening import StoreOptions, open_immutable, open_to_read
from afterword.pipeline.core.store.transaction import reading, writing
from afterword.pipeline.errors import PipelineError, UnavailableError

Invariants = Callable[[Connection], Sequence[str]]
"""Returns the broken invariants of a group's rows as text; the caller passes it in."""

MOST_LINES = 5
"""Lines of SQLite's report that are kept per file; the first ones are enough."""

FTS_TABLES = """
SELECT name FROM sqlite_schema
WHERE type = 'table' AND replace(lower(sql), ' ', '') LIKE '%usingfts5(%' ORDER BY name
"""
"""Names of the word indexes of a file."""


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The result of checking one file.

    Args:
        schema: its schema number; None if it cannot be read.
        newest: the schema number of this program.
        wal_bytes: size of its write-ahead log.
        problems: each problem with its remedy; empty if the file is sound.
    """

    kind: StoreKind
    name: str
    path: Path
    size: int
    wal_bytes: int
    schema: int | None
    newest: int
    problems: tuple[str, ...]


def check(home: Path, options: StoreOptions, invariants: Invariants) -> Iterator[FileCheck]:
    """Check every file of an installation, one after the other.

    Args:
        home: the installation's folder; no stores, since none opens on a damaged instance file.
        invariants: checked in each sound group.
    """
    instance = store_path(home, "instance", "instance")
    instance_id = _instance_id(instance)
    yield _checked("instance", "instance", instance, instance_id, options, lambda _conn: ())
    for path in sorted((home / "groups").glob("*.sqlite")):
        yield _checked("group", path.stem, path, instance_id, options, invariants)


def damage(conn: Any) -> str:
    """Return the damage that SQLite finds in a file (raw connection); empty if it is sound."""
    report = [str(row[0]) for row in conn.execute(f"PRAGMA integrity_check({MOST_LINES})")]
    if report != ["ok"]:
        return "; ".join(report)
    orphans = conn.execute("PRAGMA foreign_key_check").fetchmany(MOST_LINES)
    return "; ".join(
        f"row {row} of {table} needs a row of {parent} that is gone"
        for table, row, parent, _key in orphans
    )


def structural_damage(path: Path) -> str:
    """Return the damage in a file's pages; empty if they are sound or cannot be read now.

    A connection of its own reads all pages from the disk. Indexes are not compared with their
    tables, so this takes a fifth of the time of `check`.
    """
    # Where no process has the file open, a usual reader would leave an empty log beside it.
    if not log_path(path).exists() and not _bad_page(lambda: open_immutable(path)):
        return ""
    # A process that opens the file meanwhile may write: only a usual reader is reliable then.
    return _bad_page(lambda: open_to_read(path))


def _bad_page(opened: Callable[[], Any]) -> str:
    try:
        with closing(opened()) as conn:
            said = str(conn.execute("PRAGMA quick_check(1)").fetchone()[0])
            return "" if said == "ok" else said
    except dbapi.OperationalError:  # locked, or no descriptor is left: the file may be sound
        return ""
    except dbapi.DatabaseError as error:
        return str(error)


def _checked(
    kind: StoreKind,
    name: str,
    path: Path,
    instance_id: str | None,
    options: StoreOptions,
    invariants: Invariants,
) -> FileCheck:
    schema: int | None = None
    problems: list[str] = []
    try:
        with answered(path):
            check_plain_file(path)
        check_claim(path, identify(path), kind, instance_id)
        with answered(path), closing(open_to_read(path, options)) as conn:
            schema = version(conn)
            check_not_newer(schema, kind, str(path))
            if wrong := damage(conn):
                wrong = f"{wrong}; {RESTORE}"
            wrong = wrong or number_problem(conn, kind, str(path))
        # A file is opened for more than reading only if it is sound so far.
        problems = [wrong] if wrong else _inside(path, options, invariants)
    except (PipelineError, DBAPIError) as error:
        problems = [str(error)]
    return FileCheck(
        kind,
        name,
        path,
        _size(path),
        _size(path.with_name(f"{path.name}-wal")),
        schema,
        newest(kind),
        tuple(problems),
    )


def _inside(path: Path, options: StoreOptions, invariants: Invariants) -> list[str]:
    """Check the rows and the word indexes."""
    store = Store(path, options)
    try:
        with reading(store) as conn:
            problems = [f"{broken}; {RESTORE}" for broken in invariants(conn)]
            indexes = conn.exec_driver_sql(FTS_TABLES).scalars().all()
        for index in indexes:
            # SQLite treats the comparison of an index as a write, so it needs the write gate.
            try:
                with writing(store) as conn:
                    problems += index_problem(conn, index)
            except UnavailableError as error:
                problems.append(f"index {index} could not be compared with its table: {error}")
        return problems
    finally:
        store.close()


def index_problem(conn: Connection, index: str) -> list[str]:
    """Return how a word index differs from its table; empty if it does not."""
    try:
        # Rank 1 compares the index with its table; rank 0 would check only the index itself.
        conn.exec_driver_sql(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
    except DBAPIError as error:
        if code_of(error.orig) in REFUSED | LOCKED:
            raise  # the disk or another program prevents it; the index may be right
        return [
            f"index {index} does not match its table ({error.orig}); "
            "`afterword doctor --fix --apply --only fts` rebuilds it from the rows"
        ]
    return []


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _instance_id(path: Path) -> str | None:
    try:
        return identify(path).instance_id
    except PipelineError:  # the check of the file itself reports it
        return None
