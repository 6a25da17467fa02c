"""An older file is upgraded at its first use, and a copy of what it was stays beside it."""

from contextlib import closing
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate, newest, version
from afterword.pipeline.core.store.upgrade import copies_before_upgrade

OLDER = newest("group") - 1
NAME = "Maria Schulz"


def older_file(home: Path, stores: Stores, schema: int = OLDER, name: str = "main") -> Path:
    """Make the file of a group as an older program left it, with one memory."""
    path = home / "groups" / f"{name}.sqlite"
    with closing(dbapi.connect(str(path), isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        migrate(conn, "group", upto=schema)
        identity = ("group", name, stores.instance_id)
        conn.execute("INSERT INTO store_identity VALUES (1, ?, ?, ?, 0)", identity)
        conn.execute(
            "INSERT INTO memories (uid, category, content, origin, behavioral, known_at,"
            " created_at, updated_at) VALUES ('u', 'preference', ?, 'owner', 1, 7, 7, 7)",
            (f"{NAME} likes tea",),
        )
    stores.close()
    return path


def test_a_command_that_only_reads_keeps_a_copy_and_says_so(
    home: Path, stores: Stores, command, caplog: pytest.LogCaptureFixture
):
    path = older_file(home, stores)
    copy = path.with_name(f"main.sqlite.schema-{OLDER}")
    read = command("memory", "read")

    assert f"{NAME} likes tea" in read.out
    assert f"{path} was upgraded to schema {newest('group')}; {copy} is a copy" in caplog.text
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(dbapi.connect(str(copy))) as conn:
        assert version(conn) == OLDER
        assert conn.execute("SELECT content FROM memories").fetchall() == [(f"{NAME} likes tea",)]
    assert f"{copy.name} is a copy from before an upgrade" in command("doctor").out
    caplog.clear()
    command("memory", "read")
    assert "upgraded" not in caplog.text


def test_going_back_is_giving_the_copy_the_old_name(home: Path, stores: Stores, command):
    path = older_file(home, stores)
    command("memory", "write", "lesson", "since the upgrade")
    (copy,) = copies_before_upgrade(path)
    for beside in path.parent.glob("main.sqlite-*"):
        beside.unlink()
    copy.replace(path)

    contents = [row["content"] for row in command("memory", "read", "--json").json]
    assert contents == [f"{NAME} likes tea"]


def test_the_next_upgrade_replaces_the_copy_of_the_one_before(home: Path, stores: Stores, command):
    path = older_file(home, stores)
    earlier = path.with_name("main.sqlite.schema-1")
    earlier.write_bytes(b"the copy that the upgrade before this one made")
    command("memory", "read")

    assert [copy.name for copy in copies_before_upgrade(path)] == [f"main.sqlite.schema-{OLDER}"]


def test_where_no_copy_can_be_made_the_file_stays_as_it_is(home: Path, stores: Stores, command):
    path = older_file(home, stores)
    blocked = path.with_name(f"main.sqlite.schema-{OLDER}")
    blocked.mkdir()
    before = path.read_bytes()
    read = command("memory", "read")

    assert (read.code, f"{blocked}: Is a directory" in read.err) == (1, True), read
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.glob("*.part")] == []


def test_forget_names_the_copy_that_holds_what_was_erased(home: Path, stores: Stores, command):
    path = older_file(home, stores)
    forgotten = command("forget", "--subject", NAME, "--apply", "--yes")

    copy = path.with_name(f"main.sqlite.schema-{OLDER}")
    assert forgotten.code == 0, forgotten.err
    assert f"not changed: {copy} contains" in forgotten.out
