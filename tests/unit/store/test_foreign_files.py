"""A file of another program under a name of ours is refused unchanged."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate, newest

LINES = (
    ("memory", "read"),
    ("memory", "search", "x"),
    ("memory", "write", "observation", "x"),
    ("snapshot",),
    ("page", "BTC"),
    ("jobs", "ls"),
    ("role", "list"),
    ("forget", "--subject", "Jane Doe", "--apply"),
    ("store", "check"),
    ("doctor",),
    ("doctor", "--fix", "--apply"),
)
NEWEST = newest("group")
WHOLE_HOME = {"store", "doctor"}


def seen(path: Path) -> tuple[str, list[str]]:
    """Return a digest of a file, and the names of SQLite's files beside it."""
    beside = sorted(one.name for one in path.parent.glob(f"{path.name}-*"))
    return hashlib.sha256(path.read_bytes()).hexdigest(), beside


@contextmanager
def customers(path: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Make another program's database, and leave it open in that program."""
    conn = sqlite3.connect(path, isolation_level=None)
    for statement in (
        *statements,
        "CREATE TABLE customers (id)",
        "INSERT INTO customers VALUES (1)",
    ):
        conn.execute(statement)
    yield conn
    conn.close()


def closed(*statements: str) -> Callable[[Path], None]:
    """Return what makes another program's database and closes it."""

    def make(path: Path) -> None:
        with customers(path, *statements):
            pass

    return make


FOREIGN = {
    "plain": closed(),
    "with a schema number": closed("PRAGMA user_version = 7"),
    "with our schema number": closed("PRAGMA user_version = 16"),
    "with a newer schema number": closed("PRAGMA user_version = 9999"),
    "with a write-ahead log": closed("PRAGMA journal_mode = WAL"),
    "with a table of that name": closed("CREATE TABLE store_identity (owner TEXT)"),
    "with an empty table of that name": closed(
        "CREATE TABLE store_identity (kind, group_name, instance_id)"
    ),
    "text": lambda path: path.write_text("not a database at all\n" * 400),
    "empty": lambda path: path.touch(),
}


@pytest.mark.parametrize("line", LINES, ids=" ".join)
@pytest.mark.parametrize("sort", FOREIGN)
def test_a_foreign_file_among_the_groups_is_refused_and_stays_as_it_is(
    stores: Stores, command, sort: str, line: tuple[str, ...]
):
    stores.group("main", create=True)
    stores.close()
    path = stores.home / "groups" / "app.sqlite"
    FOREIGN[sort](path)
    before = seen(path)
    named = () if line[0] in WHOLE_HOME else ("--group", "app")
    done = command(*line, *named)

    assert seen(path) == before
    assert done.code == 1, done
    assert "unexpected" not in done.out + done.err
    if line[0] not in WHOLE_HOME:
        assert done.err.count("\n") == 1, done
        assert (str(path) in done.err and "not changed" in done.err) or sort == "empty", done


@pytest.mark.parametrize("sort", FOREIGN)
def test_a_foreign_instance_file_is_refused_and_stays_as_it_is(stores: Stores, command, sort: str):
    stores.group("main", create=True)
    stores.close()
    path = stores.instance.path
    path.unlink()
    FOREIGN[sort](path)
    before = seen(path)
    done = [command(*line) for line in LINES]

    assert seen(path) == before
    assert {one.code for one in done} == {1}
    assert not [one for one in done if "unexpected" in one.out + one.err]


def test_a_foreign_file_in_use_keeps_its_log(stores: Stores, command):
    path = stores.home / "groups" / "app.sqlite"
    with customers(path, "PRAGMA journal_mode = WAL") as conn:
        log = path.with_name("app.sqlite-wal")
        before, logged = seen(path), log.read_bytes()
        for line in LINES:
            command(*line, *(() if line[0] in WHOLE_HOME else ("--group", "app")))
            assert (seen(path), log.read_bytes()) == (before, logged), line
        assert logged and conn.execute("SELECT count(*) FROM customers").fetchone() == (1,)


def test_a_folder_of_that_name_is_refused(stores: Stores, command):
    (stores.home / "groups" / "app.sqlite").mkdir()
    done = command("memory", "read", "--group", "app")

    assert (done.code, "is not a regular file; move it away" in done.err) == (1, True)


def test_a_restore_keeps_the_foreign_file_it_replaces_as_it_is(stores: Stores, command, tmp_path):
    stores.group("main", create=True)
    assert command("store", "backup", str(tmp_path / "backup")).code == 0
    path = stores.home / "groups" / "app.sqlite"
    FOREIGN["with a write-ahead log"](path)
    before = seen(path)
    line = ("store", "restore", str(tmp_path / "backup"), "--group", "app", "--from", "main")
    done = command(*line, "--replace", "--json").json

    digest, beside = seen(Path(done[0]["kept"]))
    assert (digest, beside) == (before[0], [])
    assert command("memory", "read", "--group", "app").code == 0


@pytest.mark.parametrize("number", range(-1, NEWEST))
def test_a_schema_number_that_was_set_back_is_said_and_can_be_put_right(
    stores: Stores, command, number: int
):
    path = stores.group("main", create=True).path
    command("memory", "write", "observation", "first")
    stores.close()
    set_number(path, number)
    read, checked = command("memory", "read"), command("store", "check")

    for said in (read.err, checked.out):
        assert f"its schema number is {number}, its tables are those of {NEWEST}" in said
    assert (read.code, checked.code, "unexpected" in read.err) == (1, 1, False)
    set_number(path, NEWEST)  # the remedy it names
    assert "first" in command("memory", "read").out


def test_a_schema_number_that_was_set_forward_is_found_by_the_check(stores: Stores, command):
    path = stores.group("main", create=True).path
    stores.close()
    older = path.with_suffix(".older")
    conn = dbapi.connect(str(older), isolation_level=None)
    migrate(conn, "group", upto=NEWEST - 1)
    conn.execute("ATTACH ? AS whole", (str(path),))
    conn.execute("INSERT INTO store_identity SELECT * FROM whole.store_identity")
    conn.close()
    older.replace(path)
    set_number(path, NEWEST)

    assert f"its tables are those of {NEWEST - 1}" in command("store", "check").out


def set_number(path: Path, number: int) -> None:
    conn = sqlite3.connect(path)
    conn.execute(f"PRAGMA user_version = {number}")
    conn.close()
