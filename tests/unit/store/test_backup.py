"""A backup is complete and checked, or absent; a restore keeps the files it replaces."""

import hashlib
import json
import multiprocessing
import os
import re
import sqlite3
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.invariants import violations
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.operate import free_restored
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.backup import backup
from afterword.pipeline.core.store.check import FileCheck, check
from afterword.pipeline.core.store.manifest import read_manifest
from afterword.pipeline.core.store.restore import restore_all, restore_group
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import (
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    UnavailableError,
)
from afterword.pipeline.ids import seeded_uids

OPTIONS = StoreOptions(synchronous="NORMAL", busy_timeout_s=2)
NOW = datetime(2026, 1, 6, 7, 8, 9, tzinfo=UTC)
_READERS = {"-shm", "-wal"}
EMBED = Kind("embed_memories")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backup"


@pytest.fixture
def remember(writer: Writer):
    """Write one memory to the group main."""

    def write(content: str) -> None:
        write_memory(writer, NewMemory("lesson", content))

    return write


def contents(stores: Stores, group: str = "main") -> list[str]:
    return [memory.content for memory in read_memories(stores.group(group))]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return every file's bytes; SQLite's shared memory and empty logs come with any reader."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files if path.name[-4:] not in _READERS}


def damage(path: Path) -> None:
    """Overwrite the middle of a file, behind its first page."""
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096 * 6)


# Making one


def test_a_backup_lists_every_file_with_its_rows_and_digest(stores, remember, ids, target):
    stores.group("other", create=True)
    key = stores.home / "keys" / "audit.key"
    key.write_bytes(b"k" * 32)
    remember("buy low")
    made = backup(stores, target, NOW)

    assert read_manifest(target) == made
    assert made.created_at == "2026-01-06T07:08:09.000000Z"
    assert made.instance_id == stores.instance_id
    names = [(one.kind, one.name, one.rows.get("memories")) for one in made.files]
    assert names == [
        ("key", "audit.key", None),
        ("key", "hmac.key", None),
        ("instance", "instance", None),
        ("group", "main", 1),
        ("group", "other", 0),
    ]
    assert sorted(path.name for path in target.rglob("*") if path.is_file()) == [
        *("audit.key", "hmac.key", "instance.sqlite", "main.sqlite", "manifest.json"),
        "other.sqlite",
    ]
    for path in target.rglob("*.sqlite"):
        assert path.stat().st_mode & 0o777 == 0o600


def test_only_named_groups_are_copied(stores, store, ids, target):
    stores.group("other", create=True)
    made = backup(stores, target, NOW, groups=["other"])

    assert [one.name for one in made.files] == ["instance", "other"]


def test_what_exists_is_never_overwritten(stores, store, ids, target):
    target.mkdir()
    with pytest.raises(InvalidInputError, match=r"target: .* exists"):
        backup(stores, target, NOW)
    with pytest.raises(InvalidInputError, match="is not a folder"):
        backup(stores, target / "deep" / "deeper", NOW)
    target.rename(target.with_name("backup.part"))
    with pytest.raises(InvalidInputError, match="is running, or was killed"):
        backup(stores, target, NOW)
    assert [path.name for path in target.parent.glob("backup*")] == ["backup.part"]


def test_a_backup_beside_writers_is_one_moment_of_them(
    stores, store, clock, target, monkeypatch, writer
):
    """Two rows are written together each time: a torn copy would hold an odd number."""
    monkeypatch.setattr("afterword.pipeline.core.store.backup.PAGES_A_STEP", 16)
    write_memories(writer, [NewMemory("lesson", "x" * 2000)] * 2000)
    stop, started = threading.Event(), threading.Event()

    def write_pairs() -> None:
        own_ids = seeded_uids(2)
        while not stop.is_set():
            write_memories(Writer(store, clock, own_ids), [NewMemory("reference", "y" * 2000)] * 2)
            started.set()

    writer = threading.Thread(target=write_pairs)
    writer.start()
    assert started.wait(10)
    steps: dict[str, list[int]] = {"instance": [], "main": []}
    made = backup(stores, target, NOW, progress=lambda name, done, _: steps[name].append(done))
    stop.set()
    writer.join()
    copied = next(one for one in made.files if one.kind == "group")

    assert len(steps["main"]) > 50
    assert steps["main"] == sorted(steps["main"])  # a write in between starts nothing again
    assert copied.rows["memories"] % 2 == 0
    assert 2000 < copied.rows["memories"] <= len(rows_of(store))
    restore_group(target, stores, "again", OPTIONS, NOW, free_restored, named="main")
    assert rows_of(stores.group("again")) == rows_of(store)[: copied.rows["memories"]]


def rows_of(store: Store) -> list[tuple[object, ...]]:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql("SELECT * FROM memories ORDER BY id")]


def test_a_damaged_file_leaves_no_backup_behind(stores, store, remember, ids, target):
    for number in range(50):
        remember(f"lesson {number} " * 50)
    stores.close()
    damage(store.path)
    with pytest.raises(CorruptStoreError, match=r"main\.sqlite is damaged"):
        backup(stores, target, NOW)

    assert list(target.parent.glob("backup*")) == []


def test_a_full_disk_leaves_no_backup_behind(stores, store, ids, target, monkeypatch):
    def refuse(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("afterword.pipeline.core.store.backup.write_manifest", lambda *_: refuse(0))
    with pytest.raises(UnavailableError, match="No space left on device"):
        backup(stores, target, NOW)

    assert list(target.parent.glob("backup*")) == []


# Bringing it back


def test_a_group_comes_back_as_it_was_and_the_newer_file_is_kept(
    stores, store, remember, ids, target
):
    remember("before")
    backup(stores, target, NOW)
    remember("after")
    stores.close()
    done = restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)

    assert contents(stores) == ["before"]
    assert done.kept is not None
    assert done.kept.name == "main.sqlite.replaced-20260106T070809.000000Z"
    assert stores.groups() == ["main"]
    with sqlite3.connect(done.kept) as old:
        assert [row[0] for row in old.execute("SELECT content FROM memories ORDER BY id")] == [
            *("before", "after")
        ]
    old.close()


def test_a_group_that_exists_is_not_replaced_unasked(stores, store, remember, ids, target):
    remember("mine")
    backup(stores, target, NOW)
    stores.close()
    before = bytes_of(stores.home)
    with pytest.raises(InvalidInputError, match=r"group: .*exists; accepted: --replace"):
        restore_group(target, stores, "main", OPTIONS, NOW, free_restored)

    assert bytes_of(stores.home) == before


def test_a_group_of_another_installation_becomes_this_ones(
    stores, remember, ids, target, tmp_path, clock
):
    remember("from afar")
    backup(stores, target, NOW)
    here = Stores(tmp_path / "here", OPTIONS, clock, seeded_uids(9))
    restore_group(target, here, "guest", OPTIONS, NOW, free_restored, named="main")

    assert contents(here, "guest") == ["from afar"]
    assert here.instance_id != stores.instance_id
    here.close()


def test_restored_jobs_are_ready_and_new_ids_start_far_above(stores, store, clock, ids, target):
    with writing(store) as conn:
        for number in range(3):
            add(conn, EMBED, {"memory_id": number}, clock())
        claim(conn, "embed_memories", 2, clock())
        lease(conn, [1], "gone", clock, EMBED)
    backup(stores, target, NOW)
    stores.close()
    restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)
    restored = stores.group("main")
    with writing(restored) as conn:
        add(conn, EMBED, {}, clock())
        rows = listing(conn)

        assert [(row.state, row.attempts, row.lease_owner) for row in rows] == [
            ("ready", 0, None)
        ] * 4
        assert rows[3].id == 1_000_000_004
        assert violations(conn) == []


def test_a_whole_installation_comes_back_in_an_empty_home(
    stores, remember, ids, target, tmp_path, clock
):
    remember("all of it")
    (stores.home / "keys" / "audit.key").write_bytes(b"k" * 32)
    backup(stores, target, NOW)
    home, made = tmp_path / "new" / "home", sorted(target.rglob("*"))
    restore_all(target, home, OPTIONS, NOW, free_restored)
    there = Stores(home, OPTIONS, clock, ids)

    assert sorted(target.rglob("*")) == made  # reading a backup leaves nothing in it
    assert there.instance_id == stores.instance_id
    assert contents(there) == ["all of it"]
    hmac = (stores.home / "keys" / "hmac.key").read_bytes()
    assert bytes_of(home / "keys") == {
        f"{home}/keys/audit.key": b"k" * 32,
        f"{home}/keys/hmac.key": hmac,
    }
    assert {path.stat().st_mode & 0o077 for path in home.rglob("*")} == {0}
    there.close()


def test_another_installation_is_not_replaced(stores, store, ids, target, tmp_path, clock):
    backup(stores, target, NOW)
    other = Stores(tmp_path / "other", OPTIONS, clock, seeded_uids(9))
    other.close()
    before = bytes_of(other.home)
    with pytest.raises(ConflictError, match="another installation"):
        restore_all(target, other.home, OPTIONS, NOW, free_restored, replace=True)

    assert bytes_of(other.home) == before


def test_a_damaged_file_is_replaced_and_kept_with_its_log(stores, store, remember, ids, target):
    for number in range(50):
        remember(f"lesson {number} " * 50)
    backup(stores, target, NOW)
    stores.close()
    damage(store.path)
    log = store.path.with_name("main.sqlite-wal")
    log.write_bytes(b"a log that belongs to it")
    kept = restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True).kept

    assert len(contents(stores)) == 20  # the newest of the fifty
    assert kept is not None
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"a log that belongs to it"


@pytest.mark.parametrize("part", ["groups/main.sqlite", "manifest.json"])
def test_a_backup_that_was_changed_is_refused(stores, remember, ids, target, part):
    remember("mine")
    backup(stores, target, NOW)
    stores.close()
    before = bytes_of(stores.home)
    with (target / part).open("r+b") as file:
        file.write(b"X")
    with pytest.raises((CorruptStoreError, InvalidInputError), match="manifest"):
        restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)

    assert bytes_of(stores.home) == before


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "../../evil"},
        {"kind": "key", "name": "../evil"},
        {"kind": "key", "name": ".."},
        {"kind": "other"},
        {"sha256": None},
        {"rows": 7},
    ],
)
def test_a_manifest_cannot_lead_out_of_its_folder(stores, store, ids, target, tmp_path, entry):
    backup(stores, target, NOW, groups=["main"])
    manifest = json.loads((target / "manifest.json").read_text())
    manifest["files"][-1] |= entry
    (target / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises((InvalidInputError, CorruptStoreError)):
        restore_all(target, tmp_path / "new", OPTIONS, NOW, free_restored)

    assert not (tmp_path / "new" / "instance.sqlite").exists()
    assert list(tmp_path.rglob("evil*")) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"size": "4096"}, r"files\.1\.size: Input should be a valid integer"),
        ({"size": -1}, r"files\.1\.size: Input should be greater than or equal to 0"),
        ({"schema": 1.5}, r"files\.1\.schema: "),
        ({"rows": {"memories": "many"}}, r"files\.1\.rows\.memories: "),
        ({"kind": "instance", "name": "twin"}, r"it names instance\.sqlite 2 times"),
        ({"more": 1}, r"files\.1\.more: "),
        ({"size": 4096}, "does not match its manifest"),
    ],
)
def test_a_manifest_is_taken_only_whole_and_word_for_word(
    stores, store, command, target, tmp_path, change, said
):
    backup(stores, target, NOW, groups=["main"])
    path = target / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"][-1] |= change
    path.write_text(json.dumps(manifest))
    done = replace(command, home=tmp_path / "new")("store", "restore", str(target))

    assert re.search(said, done.err), done
    assert done.code in (1, 2) and done.err.count("\n") == 1
    assert not (tmp_path / "new" / "instance.sqlite").exists()


@pytest.mark.parametrize("name", ["main", "../main"])
def test_a_manifest_that_names_a_file_twice_is_refused(stores, store, target, tmp_path, name):
    backup(stores, target, NOW, groups=["main"])
    path = target / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"].append(manifest["files"][-1] | {"name": name})
    path.write_text(json.dumps(manifest))

    with pytest.raises(InvalidInputError, match=r"2 times|is not a group name"):
        restore_all(target, tmp_path / "new", OPTIONS, NOW, free_restored)


@pytest.mark.parametrize("sort", ["instance", "foreign"])
def test_a_backup_whose_file_is_no_groups_is_refused(stores, store, command, target, sort):
    backup(stores, target, NOW, groups=["main"])
    copy = target / "groups" / "main.sqlite"
    copy.unlink()
    if sort == "instance":
        copy.write_bytes((target / "instance.sqlite").read_bytes())
    else:
        with sqlite3.connect(copy) as conn:
            conn.execute("CREATE TABLE customers (id)")
        conn.close()
    manifest = json.loads((target / "manifest.json").read_text())
    digest = hashlib.sha256(copy.read_bytes()).hexdigest()
    manifest["files"][-1] |= {"sha256": digest, "size": copy.stat().st_size}
    (target / "manifest.json").write_text(json.dumps(manifest))
    done = command("store", "restore", str(target), "--group", "twin", "--from", "main")

    assert (done.code, "unexpected" in done.err, stores.groups()) == (1, False, ["main"]), done


def test_a_pipe_instead_of_a_file_holds_nothing_up(stores, store, command, target, tmp_path):
    backup(stores, target, NOW, groups=["main"])
    other = replace(command, home=tmp_path / "new")
    for name, said in (
        ("groups/main.sqlite", "does not match its manifest"),
        ("manifest.json", "it is not a plain file"),
    ):
        (target / name).unlink()
        os.mkfifo(target / name)
        done = other("store", "restore", str(target))
        assert done.code and said in done.err, done
    os.mkfifo(stores.home / "keys" / "pipe.key")
    done = command("store", "backup", str(tmp_path / "again"))
    assert (done.code, "pipe.key is not a regular file" in done.err) == (1, True), done


def test_a_backup_of_a_newer_program_is_refused(stores, store, ids, target):
    backup(stores, target, NOW)
    copy = target / "groups" / "main.sqlite"
    with sqlite3.connect(copy) as conn:
        conn.execute("PRAGMA user_version = 9999")
    conn.close()
    manifest = json.loads((target / "manifest.json").read_text())
    manifest["files"][-1]["sha256"] = hashlib.sha256(copy.read_bytes()).hexdigest()
    (target / "manifest.json").write_text(json.dumps(manifest))
    stores.close()
    with pytest.raises(UnavailableError, match="newer Afterword"):
        restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)


def test_nothing_is_restored_under_running_workers(stores, store, ids, target):
    backup(stores, target, NOW)
    with pytest.raises(UnavailableError, match="pid 12, 13"):
        restore_group(
            *(target, stores, "main", OPTIONS, NOW, free_restored), replace=True, running=[12, 13]
        )


def hold_open(path: Path, opened, done) -> None:
    store = Store(path, OPTIONS)
    with reading(store) as conn:
        conn.exec_driver_sql("SELECT count(*) FROM memories").scalar()
    opened.set()  # idle, between two transactions, as a long-lived process is
    done.wait(30)


def test_a_file_open_in_another_process_is_not_replaced(stores, store, remember, ids, target):
    remember("mine")
    backup(stores, target, NOW)
    stores.close()
    spawn = multiprocessing.get_context("spawn")
    opened, done = spawn.Event(), spawn.Event()
    other = spawn.Process(target=hold_open, args=(store.path, opened, done))
    other.start()
    assert opened.wait(30)
    with pytest.raises(UnavailableError, match="open in another process"):
        restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)
    done.set()
    other.join()
    stores.close()

    assert restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True).kept
    assert contents(stores) == ["mine"]


def test_a_writer_in_its_transaction_is_waited_for_and_then_refused(stores, store, ids, target):
    backup(stores, target, NOW)
    hasty = StoreOptions(busy_timeout_s=0.1)
    with writing(store), pytest.raises(UnavailableError, match="held the store"):
        restore_group(target, stores, "main", hasty, NOW, free_restored, replace=True)


def test_an_unfinished_restore_is_simply_done_again(stores, store, remember, ids, target):
    remember("mine")
    backup(stores, target, NOW)
    stores.close()
    (stores.home / "groups" / "main.sqlite.restoring").write_bytes(b"half a file")
    restore_group(target, stores, "main", OPTIONS, NOW, free_restored, replace=True)

    assert contents(stores) == ["mine"]


# Checking


def checked(stores: Stores) -> dict[str, FileCheck]:
    stores.close()
    return {one.name: one for one in check(stores.home, OPTIONS, violations)}


def test_sound_files_are_said_to_be_sound(stores, store, remember):
    remember("fine")
    found = checked(stores)

    assert {name: one.problems for name, one in found.items()} == {"instance": (), "main": ()}
    assert found["main"].schema == found["main"].newest
    files = [f"{store.path}{end}" for end in ("", ".lock", ".queue")]
    assert sorted(bytes_of(stores.home / "groups")) == files


def test_damaged_files_are_named_one_by_one_and_left_as_they_are(stores, clock, ids):
    for name in ("empty", "fine", "torn", "foreign", "linked", "renamed"):
        store = stores.group(name, create=True)
        write_memories(Writer(store, clock, ids), [NewMemory("lesson", "x" * 500)] * 50)
    stores.close()
    groups = stores.home / "groups"
    (groups / "empty.sqlite").write_bytes(b"")
    damage(groups / "torn.sqlite")
    with sqlite3.connect(groups / "foreign.sqlite") as conn:
        conn.execute("UPDATE store_identity SET instance_id = 'another'")
    conn.close()
    (groups / "linked.sqlite").rename(groups / "real")
    (groups / "linked.sqlite").symlink_to("real")
    (groups / "renamed.sqlite").rename(groups / "other.sqlite")
    before = bytes_of(groups)
    problems = {name: one.problems for name, one in checked(stores).items()}

    assert problems.pop("fine") == problems.pop("instance") == ()
    assert {name: len(found) for name, found in problems.items()} == dict.fromkeys(problems, 1)
    for name, word in {
        "empty": "is empty",
        "torn": "afterword store restore",
        "foreign": "another installation",
        "linked": "symbolic link",
        "other": "copied or renamed",
    }.items():
        assert word in problems[name][0]
    assert bytes_of(groups) == before


def test_a_damaged_instance_file_does_not_hide_the_groups(stores, store):
    stores.close()
    (stores.home / "instance.sqlite").write_bytes(b"not a database" * 1000)
    found = checked(stores)

    assert "damaged" in found["instance"].problems[0]
    assert found["main"].problems == ()


def test_an_index_that_missed_a_row_is_found(stores, store, remember):
    remember("buy low")
    with writing(store) as conn:
        conn.exec_driver_sql("DROP TRIGGER memories_au")
        conn.exec_driver_sql("UPDATE memories SET content = 'sell high'")

    (problem,) = checked(stores)["main"].problems
    assert "memories_fts does not match" in problem
    assert "doctor --fix --apply --only fts" in problem


def test_rows_that_break_the_ledgers_rules_are_found(stores, store, clock):
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())
        conn.exec_driver_sql("UPDATE jobs SET state = 'sent'")
        conn.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'jobs'")
        conn.exec_driver_sql("INSERT INTO sqlite_sequence VALUES ('jobs', 0)")

    problems = " ".join(checked(stores)["main"].problems)
    assert "1 jobs were sent without a time" in problems
    assert "1 jobs have an id that will be given to another job" in problems
