"""Disks that are full, read-only, out of inodes, or fail: a clear error, and nothing half written.

Some need a mount namespace or strace; where a machine has none, the test says so and is left out.
"""

import shutil
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate, newest
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.core.store.upgrade import copies_before_upgrade
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import CorruptStoreError, UnavailableError
from afterword.pipeline.ids import random_uid

pytestmark = pytest.mark.crash

QUICK = StoreOptions(synchronous="NORMAL")

COMMON = """
import os, sys
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.core.store import Stores, StoreOptions, reading
from afterword.pipeline.core.store.driver import dbapi
home = Path(sys.argv[1])
def opened(): return Stores(home, StoreOptions(), system_clock, random_uid)
def write(store, number):
    try:
        by = Writer(store, system_clock, random_uid)
        write_memory(by, NewMemory("observation", f"{number} " + "x " * 400))
        return True
    except PipelineError as error:
        print(type(error).__name__, error, flush=True)
        return False
def count(store):
    # A fresh connection: FTS5 checks a reused one against segments that were merged since.
    conn = dbapi.connect(str(store.path))
    try:
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return conn.execute("SELECT count(*) FROM memories").fetchone()[0]
    finally:
        conn.close()
"""


def runs(*command: str) -> bool:
    """Say whether this machine has the program and allows what it does."""
    return (
        shutil.which(command[0]) is not None
        and not subprocess.run(command, capture_output=True, check=False).returncode
    )


def in_small_disk(tmp_path: Path, options: str, script: str) -> str:
    """Run a script with its home on a file system of its own, and return what it printed."""
    if not runs("unshare", "-m", "true"):
        pytest.skip("this machine allows no mount namespace")
    home = tmp_path / "disk"
    home.mkdir()
    mount = f'mount -t tmpfs -o {options} tmpfs {home} && exec {sys.executable} -c "$0" {home}'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mount, COMMON + script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_full_disk_refuses_clearly_and_goes_on_without_a_restart(tmp_path: Path):
    said = in_small_disk(
        tmp_path,
        "size=8m",
        """
(home / "ballast").write_bytes(b"x" * 5_000_000)
store = opened().group("main", create=True)
kept = 0
while write(store, kept): kept += 1
assert count(store) == kept, (count(store), kept)
(home / "ballast").unlink()
for number in range(20): kept += write(store, number)
assert count(store) == kept
print("kept", kept)
""",
    )
    *errors, last = said.strip().splitlines()
    assert len(errors) == 1
    assert errors[0].startswith("UnavailableError") and "free some disk space" in errors[0]
    assert int(last.split()[1]) > 20


def test_a_read_only_disk_is_refused_clearly_and_writes_go_on_when_it_is_writable_again(
    tmp_path: Path,
):
    said = in_small_disk(
        tmp_path,
        "size=8m",
        """
stores = opened()
store = stores.group("main", create=True)
assert write(store, 1)
stores.close()
assert os.system(f"mount -o remount,ro {home}") == 0
assert not write(store, 2)
with reading(opened().group("main")) as conn:
    print("read", conn.exec_driver_sql("SELECT count(*) FROM memories").scalar())
assert os.system(f"mount -o remount,rw {home}") == 0
assert write(store, 3) and count(store) == 2
""",
    )
    first, second = said.strip().splitlines()
    assert first.startswith("UnavailableError") and "mounted read-only" in first
    assert second == "read 1"


def test_without_inodes_no_half_made_group_is_left(tmp_path: Path):
    said = in_small_disk(
        tmp_path,
        "size=8m,nr_inodes=14",
        """
stores = opened()
made = 0
try:
    while True:
        by = Writer(stores.group(f"g{made}", create=True), system_clock, random_uid)
        write_memory(by, NewMemory("observation", "a b c"))
        made += 1
except (OSError, PipelineError) as error:
    print(type(error).__name__, error)
for name in stores.groups():
    try: assert count(stores.group(name)) <= 1
    except PipelineError as error: print(type(error).__name__, error)
print("made", made)
""",
    )
    assert "made" in said
    assert "Corrupt" not in said


@pytest.mark.parametrize(
    "fault",
    [
        "fsync:error=EIO:when=9+11",
        "pwrite64:error=ENOSPC:when=60+23",
        "ftruncate:error=EIO:when=1+2",
    ],
)
def test_a_disk_that_fails_now_and_then_is_told_of_and_nothing_is_mixed(tmp_path: Path, fault: str):
    if not runs("strace", "-o", "/dev/null", "true"):
        pytest.skip("this machine allows no strace")
    script = """
store = opened().group("main", create=True)
for number in range(60):
    print("kept" if write(store, number) else "refused", flush=True)
"""
    home = tmp_path / "home"
    Stores(home, QUICK, system_clock, random_uid).group("main", create=True)
    call = fault.split(":", 1)[0]
    done = subprocess.run(
        [
            "strace",
            "-f",
            "-q",
            "-o",
            "/dev/null",
            "-e",
            f"trace={call}",
            "-e",
            f"inject={fault}",
            sys.executable,
            "-c",
            COMMON + script,
            str(home),
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = done.stdout.splitlines()
    kept, refused = said.count("kept"), said.count("refused")
    assert not [line for line in said if line.startswith("Traceback")]

    store = Stores(home, QUICK, system_clock, random_uid).group("main")
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        memories = conn.exec_driver_sql("SELECT count(*) FROM memories").scalar()
        jobs = conn.exec_driver_sql("SELECT count(*) FROM jobs").scalar()
        audited = conn.exec_driver_sql("SELECT count(*) FROM audit_log").scalar()
    assert memories == jobs == audited
    # A commit whose sync failed was refused and may be there or not: never half, never twice.
    assert kept <= memories <= kept + refused


def test_a_program_killed_in_the_middle_of_an_upgrade_leaves_a_file_that_opens(tmp_path: Path):
    script = (
        "import sys; from pathlib import Path\n"
        "from afterword.pipeline.clock import system_clock\n"
        "from afterword.pipeline.ids import random_uid\n"
        "from afterword.pipeline.core.store import Stores, StoreOptions\n"
        "from afterword.pipeline.testing.crash import die_at\n"
        "die_at(sys.argv[2])\n"
        "Stores(Path(sys.argv[1]), StoreOptions(), system_clock, random_uid).group('main')\n"
    )
    home, oldest = tmp_path / "home", newest("group") - 3
    stores = Stores(home, QUICK, system_clock, random_uid)
    path = home / "groups" / "main.sqlite"
    with closing(dbapi.connect(str(path), isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        migrate(conn, "group", upto=oldest)
        identity = ("group", "main", stores.instance_id)
        conn.execute("INSERT INTO store_identity VALUES (1, ?, ?, ?, 0)", identity)
    stores.close()
    # Each start gets a step further: two steps into the rest, one, and none.
    for number in (2, 2, 1):
        killed = subprocess.run(
            [sys.executable, "-c", script, str(home), f"store.migrating:{number}"],
            capture_output=True,
            check=False,
        )
        assert killed.returncode == -9, killed.stderr
    store = stores.group("main")
    write_memory(Writer(store, system_clock, random_uid), NewMemory("observation", "still fine"))

    assert list(home.glob("**/*.part")) == []
    # The copies of upgrades that did not end are gone, since the last one ended.
    assert [copy.name for copy in copies_before_upgrade(path)] == [
        f"main.sqlite.schema-{newest('group') - 1}"
    ]


def test_a_log_removed_while_everything_was_stopped_costs_only_what_was_in_it(tmp_path: Path):
    stores = Stores(tmp_path, QUICK, system_clock, random_uid)
    store = stores.group("main", create=True)
    write_memory(Writer(store, system_clock, random_uid), NewMemory("observation", "in the file"))
    tidy(store)
    write_memory(
        Writer(store, system_clock, random_uid), NewMemory("observation", "only in the log")
    )
    copy = tmp_path / "copy"
    (copy / "groups").mkdir(parents=True)
    for path in (store.path, stores.instance.path):
        shutil.copy(path, copy / path.relative_to(tmp_path))
    stores.close()

    store = Stores(copy, QUICK, system_clock, random_uid).group("main")
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert conn.exec_driver_sql("SELECT content FROM memories").scalars().all() == [
            "in the file"
        ]


def test_a_log_removed_under_a_running_program_is_never_followed_by_silent_nonsense(
    tmp_path: Path,
):
    stores = Stores(tmp_path, QUICK, system_clock, random_uid)
    store = stores.group("main", create=True)
    write_memory(Writer(store, system_clock, random_uid), NewMemory("observation", "one"))
    log_path(store.path).unlink()
    fresh = Stores(tmp_path, QUICK, system_clock, random_uid)
    outcomes = []
    for one in (stores, fresh):
        try:
            write_memory(
                Writer(one.group("main"), system_clock, random_uid), NewMemory("observation", "two")
            )
            outcomes.append("kept")
        except (UnavailableError, CorruptStoreError):
            outcomes.append("refused")
    stores.close()
    fresh.close()
    assert "refused" in outcomes or outcomes == ["kept", "kept"]
    conn = dbapi.connect(str(store.path))
    assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    conn.close()


def test_writers_checkpointers_and_readers_in_a_tight_loop_leave_the_file_whole(tmp_path: Path):
    """The load under which SQLite before 3.51.3 corrupts files by a reset of the log."""
    stores = Stores(tmp_path, QUICK, system_clock, random_uid)
    store = stores.group("main", create=True)
    stop = threading.Event()
    errors: list[BaseException] = []

    def forever(act) -> None:
        while not stop.is_set():
            try:
                act(store)
            except BaseException as error:
                errors.append(error)
                return

    acts = [write_one, write_one, tidy, tidy, read_one, read_one]
    threads = [threading.Thread(target=forever, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    stop.wait(8)
    stop.set()
    for thread in threads:
        thread.join()

    assert errors == []
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def write_one(store: Store) -> None:
    write_memory(Writer(store, system_clock, random_uid), NewMemory("observation", "a b c"))


def read_one(store: Store) -> None:
    with reading(store) as conn:
        conn.exec_driver_sql("SELECT count(*), max(content) FROM memories").all()
