"""A replay is a file of its own kind: made whole, and removed without a rest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.gate import WriteGate
from afterword.pipeline.core.store.identity import Identity, identify
from afterword.pipeline.core.store.migrate import newest
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.errors import (
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock

OPENED = """
import sys, time
from pathlib import Path
from afterword.pipeline.core.store import Store, StoreOptions, reading, writing
store = Store(Path(sys.argv[1]), StoreOptions())
with writing(store) as conn:
    conn.exec_driver_sql("INSERT INTO paused_kinds VALUES ('theirs', 0, '')")
print("open", flush=True)
time.sleep(60)
"""


def note(store: Store, name: str) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (name,))


def notes(store: Store) -> list[str]:
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM paused_kinds ORDER BY 1").scalars())


def count(store: Store, table: str) -> int:
    with reading(store) as conn:
        found: int = conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
        return found


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "replays"


def test_a_replay_has_the_tables_of_a_group_and_is_none(stores: Stores, store: Store, home: Path):
    note(stores.replay("main", create=True), "a")

    assert (stores.groups(), stores.replays()) == (["main"], ["main"])
    assert stores.files() == [home / "instance.sqlite", home / "groups" / "main.sqlite"]
    assert (notes(store), notes(stores.replay("main"))) == ([], ["a"])
    found = identify(home / "replays" / "main.sqlite")
    assert found == Identity("replay", "main", stores.instance_id, newest("group"))
    with reading(store) as group, reading(stores.replay("main")) as replay:
        query = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
        tables = [set(conn.exec_driver_sql(query)) for conn in (group, replay)]
    assert tables[0] == tables[1]


def test_a_replay_syncs_less_than_a_group(home: Path, clock: ManualClock, ids: IdSource):
    stores = Stores(home, StoreOptions(synchronous="FULL"), clock, ids)
    found = [stores.group("main", create=True), stores.replay("past", create=True)]

    assert [one.options.synchronous for one in found] == ["FULL", "NORMAL"]
    stores.close()


def test_a_missing_replay_is_not_made_by_looking(stores: Stores, folder: Path):
    stores.replay("other", create=True)
    for look in (stores.replay, stores.remove_replay):
        with pytest.raises(NotFoundError, match="'past' does not exist; replays of this home: oth"):
            look("past")

    assert stores.replays() == ["other"]
    assert not [name for name in names(folder) if name.startswith("past")]


def test_without_replays_there_is_no_folder_for_them(stores: Stores, folder: Path):
    assert stores.replays() == []
    with pytest.raises(NotFoundError, match="replays of this home: none"):
        stores.remove_replay("past")

    assert not folder.exists()


@pytest.mark.parametrize("name", ["../x", "", "a" * 65, "a.b", "groß", "a\n", "-x", "_x", "CON"])
def test_a_name_that_no_group_could_have_is_refused(stores: Stores, store: Store, name: str):
    for use in (
        lambda: stores.replay(name, create=True),
        lambda: stores.remove_replay(name),
    ):
        with pytest.raises(InvalidInputError, match="is not a replay name; accepted: 1-64 of"):
            use()

    assert stores.replays() == []


def test_replays_and_groups_of_one_name_have_handles_of_their_own(
    home: Path, clock: ManualClock, ids: IdSource
):
    stores = Stores(home, StoreOptions(), clock, ids, max_open=2)
    group, first = stores.group("a", create=True), stores.replay("a", create=True)
    note(group, "group")
    note(first, "replay")
    assert stores.group("a") is group and stores.replay("a") is first
    stores.discard("a")  # of the group only
    assert stores.group("a") is not group and stores.replay("a") is first
    for name in ("b", "c"):
        note(stores.replay(name, create=True), name)

    assert stores.replay("a") is not first  # the longest idle one was closed
    assert (notes(stores.group("a")), notes(stores.replay("a"))) == (["group"], ["replay"])
    assert stores.close_idle(0, now=float("inf")) == 2
    stores.close()


def test_a_file_in_the_wrong_folder_is_refused_as_it_is(stores: Stores, store: Store, folder: Path):
    stores.replay("past", create=True)
    stores.close()
    (folder / "main.sqlite").write_bytes(store.path.read_bytes())
    (store.path.parent / "past.sqlite").write_bytes((folder / "past.sqlite").read_bytes())

    with pytest.raises(CorruptStoreError, match=r"groups/past.* belongs to replay 'past'"):
        stores.group("past")
    with pytest.raises(CorruptStoreError, match=r"groups/past.* belongs to replay 'past'"):
        stores.look("past", lambda _conn: None)
    for use in (stores.replay, stores.remove_replay):
        with pytest.raises(CorruptStoreError, match=r"replays/main.* belongs to group 'main'"):
            use("main")
    assert (folder / "main.sqlite").exists()


def test_what_a_killed_removal_left_is_never_read_by_a_new_replay(stores: Stores, folder: Path):
    past = stores.replay("past", create=True)
    note(past, "of the old one")
    log = log_path(past.path).read_bytes()
    assert b"of the old one" in log
    stores.close()
    past.path.unlink()
    log_path(past.path).write_bytes(log)

    assert notes(stores.replay("past", create=True)) == []
    stores.close()
    past.path.unlink()
    log_path(past.path).write_bytes(log)
    stores.remove_replay("past")  # finishes the removal
    assert names(folder) == []


def test_a_removed_replay_leaves_no_file(stores: Stores, store: Store, folder: Path):
    for name in ("past", "other"):
        note(stores.replay(name, create=True), name)
    stores.remove_replay("past")

    assert stores.replays() == ["other"]
    assert all(name.startswith("other.") for name in names(folder))
    assert (notes(stores.replay("other")), stores.groups()) == (["other"], ["main"])
    assert notes(stores.replay("past", create=True)) == []


def test_a_replay_in_use_is_not_removed(stores: Stores, folder: Path):
    past = stores.replay("past", create=True)
    with writing(past), pytest.raises(ConflictError, match="this process uses it"):
        stores.remove_replay("past")
    line = [sys.executable, "-c", OPENED, str(past.path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(UnavailableError, match=r"another process has .* open; wait until it"):
            stores.remove_replay("past")
        process.kill()

    assert notes(stores.replay("past")) == ["theirs"]
    stores.remove_replay("past")
    assert names(folder) == []


def test_a_damaged_replay_can_be_removed_while_it_says_what_it_is(stores: Stores, folder: Path):
    paths = [stores.replay(name, create=True).path for name in ("past", "lost")]
    with reading(stores.replay("past")) as conn:
        query = (
            "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'jobs'"
        )
        page, size = conn.exec_driver_sql(query).one()
    stores.close()
    with paths[0].open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    os.truncate(paths[1], 8192)
    stores.remove_replay("past")
    with pytest.raises(CorruptStoreError, match="is damaged, or another program's file"):
        stores.remove_replay("lost")

    assert names(folder) == [f"lost.sqlite{end}" for end in ("", ".lock", ".queue")]


def test_a_writer_whose_lock_was_deleted_waits_at_the_new_one(tmp_path: Path):
    lock = tmp_path / "past.sqlite.lock"
    old, new = WriteGate(lock, 5), WriteGate(lock, 0.05)
    with old.held():
        pass  # its descriptors stay open
    lock.unlink()
    (tmp_path / "past.sqlite.queue").unlink()
    with old.held(), pytest.raises(UnavailableError), new.held():
        pass
    for gate in (old, new):
        gate.close()
