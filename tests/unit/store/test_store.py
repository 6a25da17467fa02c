"""Files are created whole, opened safely, written by one at a time, refused when unsafe."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.core.store.driver import check_driver, dbapi, is_safe
from afterword.pipeline.core.store.filesystem import check_local, filesystem_type
from afterword.pipeline.core.store.migrate import migrate, newest, version
from afterword.pipeline.core.store.names import checked_new_group, log_path
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.errors import (
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from afterword.pipeline.ids import IdSource, seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command

QUICK = StoreOptions(synchronous="NORMAL", busy_timeout_s=0.3)


def note(store: Store, name: str) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (name,))


def notes(store: Store) -> list[str]:
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM paused_kinds ORDER BY 1").scalars())


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("name", ["../x", "", "a" * 65, "a.b", "a/b", "groß", "a\n", "a\0b", " "])
def test_a_bad_group_name_is_refused_before_a_path_is_built(stores: Stores, name: str):
    with pytest.raises(InvalidInputError, match="group"):
        stores.group(name, create=True)

    assert stores.groups() == []


@given(st.text())
def test_only_plain_ascii_names_are_groups(name: str):
    try:
        checked_new_group(name)
    except InvalidInputError:
        return
    assert name.isascii()
    assert name[0].isalnum()
    assert name.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("name", ["-x", "_x", "CON", "nul", "Prn", "aux", "COM1", "lpt9"])
def test_a_new_group_begins_with_a_letter_or_a_digit_and_is_no_device(
    stores: Stores, command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
):
    refused = (
        f"group: {name!r} must not be the name of a new group; accepted: 1-64 of the characters"
    )
    with pytest.raises(InvalidInputError, match=refused):
        stores.group(name, create=True)
    with pytest.raises(InvalidInputError, match=refused):
        Agent.open(name, home=tmp_path / "other")
    assert command("store", "backup", str(tmp_path / "backup")).code == 0
    lines = (
        ("memory", "write", "observation", "x", f"--group={name}"),
        ("memory", "read", f"--group={name}"),
        ("store", "restore", str(tmp_path / "backup"), f"--group={name}", "--from", "main"),
    )
    for line in lines:
        done = command(*line)
        assert (done.code, refused in done.err) == (2, True), done
    monkeypatch.setenv("AFTERWORD_GROUP", name)
    assert command("memory", "write", "observation", "x").code == 2

    assert (stores.groups(), (tmp_path / "other").exists()) == ([], False)


@pytest.mark.parametrize("name", ["con1", "com10", "nul-", "9", "A_-"])
def test_names_that_only_resemble_a_device_or_an_older_rule_are_groups(stores: Stores, name: str):
    assert stores.group(name, create=True).name == name


def test_a_group_whose_name_is_of_the_older_rule_is_opened_with_a_warning(
    stores: Stores, store: Store, command, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    note(store, "kept")
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE store_identity SET group_name = '_old'")
    stores.close()
    store.path.rename(store.path.with_name("_old.sqlite"))
    backup = str(tmp_path / "backup")

    assert notes(stores.group("_old")) == ["kept"]
    assert "store restore DIR --group NEW --from=_old" in caplog.text
    assert command("memory", "read", "--group=_old").code == 0
    assert command("store", "backup", backup).code == 0
    stores.close()
    elsewhere = Command(tmp_path / "elsewhere", ManualClock(), seeded_uids(2))
    assert elsewhere("store", "restore", backup).code == 0
    assert elsewhere("memory", "read", "--group=_old").code == 0
    assert elsewhere("store", "restore", backup, "--group=new", "--from=_old").code == 0


def test_a_lock_that_is_a_link_or_a_pipe_is_refused_and_nothing_is_made_behind_it(
    store: Store, stores: Stores, tmp_path: Path
):
    target = tmp_path / "elsewhere"
    for lock in (
        store.path.with_name("main.sqlite.lock"),
        store.path.with_name("main.sqlite.queue"),
    ):
        stores.close()
        lock.unlink(missing_ok=True)
        lock.symlink_to(target)
        with pytest.raises(UnavailableError, match=rf"{lock.name} is a symbolic link; remove it"):
            note(stores.group("main"), "a")
        lock.unlink()
        os.mkfifo(lock)
        with pytest.raises(UnavailableError, match=rf"{lock.name} is not a plain file; remove it"):
            note(stores.group("main"), "a")
        lock.unlink()

    assert not target.exists()
    note(stores.group("main"), "b")


def test_a_newer_file_whose_number_is_in_the_log_only_is_refused(store: Store, stores: Stores):
    stores.close()
    killed = (
        "import os, sys; from afterword.pipeline.core.store.driver import dbapi\n"
        "conn = dbapi.connect(sys.argv[1], isolation_level=None)\n"
        "conn.execute('PRAGMA user_version = 9999'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", killed, str(store.path)], check=True)
    log = log_path(store.path)
    before = store.path.read_bytes(), log.read_bytes()
    with pytest.raises(UnavailableError, match=r"newer Afterword .* install that release"):
        stores.group("main")

    assert before[1] and (store.path.read_bytes(), log.read_bytes()) == before


def test_a_group_is_made_once_and_a_missing_one_is_not_made_by_looking(stores: Stores):
    with pytest.raises(NotFoundError, match="write to it once"):
        stores.group("main")
    assert stores.groups() == []
    assert stores.group("main", create=True) is stores.group("main")


def test_a_write_waits_a_bounded_time_for_another_programs_transaction(
    home: Path, clock: ManualClock, ids: IdSource
):
    store = Stores(home, QUICK, clock, ids).group("main", create=True)
    other = dbapi.connect(str(store.path), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(UnavailableError, match="another program holds the file"):
            note(store, "a")
    finally:
        other.execute("ROLLBACK")
        other.close()
    note(store, "b")
    assert notes(store) == ["b"]


def test_a_frozen_writer_stops_nobody_for_ever(home: Path, clock: ManualClock, ids: IdSource):
    store = Stores(home, QUICK, clock, ids).group("main", create=True)
    holder = _holder(store)
    try:
        with pytest.raises(UnavailableError, match=r"held the store for 0\.3 s"):
            note(store, "a")
    finally:
        holder.kill()
        holder.wait()
    note(store, "b")  # a killed holder frees the gate
    assert notes(store) == ["b"]


def test_waits_given_up_on_a_frozen_writer_do_not_pile_up(
    home: Path, clock: ManualClock, ids: IdSource
):
    options = StoreOptions(synchronous="NORMAL", busy_timeout_s=0.05)
    store = Stores(home, options, clock, ids).group("main", create=True)
    note(store, "before")
    holder = _holder(store)
    threads, files = threading.active_count(), open_files()
    for _ in range(12):
        with pytest.raises(UnavailableError):
            note(store, "a")
    assert threading.active_count() <= threads + 1
    assert open_files() <= files
    holder.kill()
    holder.wait()

    note(store, "b")
    note(store, "c")
    assert notes(store) == ["b", "before", "c"]


def test_an_idle_store_gives_its_handles_back_and_opens_again(
    home: Path, clock: ManualClock, ids: IdSource
):
    stores = Stores(home, QUICK, clock, ids, max_open=2)
    names = [f"g{number}" for number in range(12)]
    stores.group(names[0], create=True)
    note(stores.group(names[0]), "x")
    before = open_files()
    for name in names[1:]:
        note(stores.group(name, create=True), name)
    assert open_files() <= before + 4 * 2
    assert [notes(stores.group(name)) for name in names[1:]] == [[name] for name in names[1:]]
    assert stores.close_idle(0, now=float("inf")) == 2


def test_a_file_of_a_newer_program_is_refused_and_its_bytes_stay(store: Store, stores: Stores):
    stores.close()
    conn = dbapi.connect(str(store.path))
    conn.execute("PRAGMA user_version = 9999")
    conn.commit()
    conn.close()
    before = store.path.read_bytes()

    with pytest.raises(UnavailableError, match=r"newer Afterword .* install that release"):
        stores.group("main")
    assert store.path.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_bytes(b"\0" * 8192), "is damaged"),
        (lambda path: path.write_bytes(b"not a database at all" * 500), "is damaged"),
        (lambda path: (path.unlink(), path.mkdir()), "not a regular file"),
        (lambda path: os.truncate(path, 5000), "damaged|malformed|no identity row"),
    ],
)
def test_a_damaged_file_is_refused_with_the_remedy_and_others_go_on(
    store: Store, stores: Stores, damage: object, said: str
):
    note(stores.group("other", create=True), "fine")
    note(store, "a")
    tidy(store)
    stores.close()
    damage(store.path)  # type: ignore[operator]

    with pytest.raises(CorruptStoreError, match=said):
        stores.group("main")
    assert notes(stores.group("other")) == ["fine"]


def test_links_and_copies_of_a_group_are_refused(store: Store, stores: Stores):
    folder = store.path.parent
    stores.close()
    (folder / "soft.sqlite").symlink_to(store.path)
    with pytest.raises(CorruptStoreError, match="symbolic link"):
        stores.group("soft")
    (folder / "hard.sqlite").hardlink_to(store.path)
    with pytest.raises(CorruptStoreError, match="2 hard links"):
        stores.group("hard")
    (folder / "hard.sqlite").unlink()
    (folder / "copy.sqlite").write_bytes(store.path.read_bytes())
    with pytest.raises(CorruptStoreError, match="belongs to group 'main'"):
        stores.group("copy")


def test_a_file_of_another_installation_is_refused(
    store: Store, stores: Stores, tmp_path: Path, clock: ManualClock
):
    stores.close()
    other = Stores(tmp_path / "other", QUICK, clock, lambda: "0" * 32)
    (other.home / "groups" / "main.sqlite").write_bytes(store.path.read_bytes())

    with pytest.raises(CorruptStoreError, match="another installation"):
        other.group("main")


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 4), True),
    ],
)
def test_releases_with_the_wal_reset_race_are_unsafe(version: tuple[int, int, int], safe: bool):
    assert is_safe(version) is safe


def test_an_unsafe_sqlite_is_refused_with_the_remedy():
    with pytest.raises(UnavailableError, match=r"3\.40\.1 has the WAL-reset race.*pysqlite3"):
        check_driver(SimpleNamespace(sqlite_version="3.40.1"))  # type: ignore[arg-type]
    assert is_safe(tuple(int(part) for part in check_driver().split(".")))  # type: ignore[arg-type]


def test_a_network_file_system_is_refused(tmp_path: Path):
    mounts = f"/dev/vda / ext4 rw 0 0\nhost:/x {tmp_path} nfs4 rw 0 0\n"
    assert filesystem_type(tmp_path / "home", mounts) == "nfs4"
    assert filesystem_type(Path("/etc"), mounts) == "ext4"
    table = tmp_path / "mounts"
    table.write_text(mounts)
    with pytest.raises(UnavailableError, match=r"nfs4.*AFTERWORD_HOME"):
        check_local(tmp_path, table)


def test_the_content_hash_sees_every_change_and_nothing_else(store: Store):
    def digest() -> str:
        with reading(store) as conn:
            return content_hash(conn, "paused_kinds")

    empty = digest()
    note(store, "a")
    one = digest()
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE paused_kinds SET note = 'touched'")
    assert len({empty, one, digest()}) == 3
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE paused_kinds SET note = ''")
    assert digest() == one


def test_tidying_empties_the_write_ahead_log(store: Store):
    for number in range(50):
        note(store, str(number))
    assert log_path(store.path).stat().st_size > 0
    assert tidy(store)
    assert log_path(store.path).stat().st_size == 0


def _holder(store: Store) -> "subprocess.Popen[bytes]":
    """Start a process that takes the store's gate and never lets go."""
    lock = store.path.with_name(store.path.name + ".lock")
    script = (
        "import fcntl, sys, time\n"
        f"file = open({str(lock)!r}, 'a')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    return process


def test_starters_at_the_same_time_make_one_installation(tmp_path: Path):
    script = (
        "import sys; from pathlib import Path\n"
        "from afterword.pipeline.core.store import Stores, StoreOptions\n"
        "from afterword.pipeline.clock import system_clock\n"
        "from afterword.pipeline.ids import random_uid\n"
        f"s = Stores(Path({str(tmp_path / 'home')!r}), StoreOptions(), system_clock, random_uid)\n"
        "s.group('main', create=True); print(s.instance_id)\n"
    )
    started = time.monotonic()
    processes = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    found = {process.communicate(timeout=60)[0] for process in processes}

    assert len(found) == 1, found
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert time.monotonic() - started < 60


def test_starters_at_the_same_time_upgrade_a_file_once(store: Store, stores: Stores):
    stores.close()
    store.path.unlink()
    conn = dbapi.connect(str(store.path), isolation_level=None)
    migrate(conn, "group", upto=1)
    identity = ("group", "main", stores.instance_id)
    conn.execute("INSERT INTO store_identity VALUES (1, ?, ?, ?, 0)", identity)
    conn.close()
    script = (
        "import sys; from pathlib import Path\n"
        "from afterword.pipeline.core.store import Stores, StoreOptions\n"
        "from afterword.pipeline.clock import system_clock\n"
        "from afterword.pipeline.ids import random_uid\n"
        f"s = Stores(Path({str(stores.home)!r}), StoreOptions(), system_clock, random_uid)\n"
        "s.group('main')\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]

    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    conn = dbapi.connect(str(store.path))
    assert version(conn) == newest("group")
    conn.close()
