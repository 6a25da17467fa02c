"""A full or read-only disk, a locked file, no descriptors left: met by a process that starts then.

Nothing is damaged, so no message tells the user to put a backup in its place. Reads go on where
SQLite can read; a write is refused with the cause and the remedy, and works once the cause is gone.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import newest

pytestmark = pytest.mark.crash

FALSE_ALARM = re.compile(r"damaged|corrupt|malformed|store restore|unexpected|Traceback", re.I)
"""Words that send a user to an old backup, or leave nothing to do."""

SMALL = "size=6m,nr_inodes=60,mode=700"
"""Options of a disk that is soon full."""

READS = (
    ("memory", "read"),
    ("memory", "search", "first"),
    ("snapshot",),
    ("page", "BTC"),
    ("jobs", "ls"),
)
LOOKS = (("store", "check"), ("doctor",))
WRITE = ("memory", "write", "observation", "BTC, under the fault")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one line printed and how it ended."""

    line: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


@dataclass(frozen=True, slots=True)
class Place:
    """A home, and how a process gets to see it.

    Args:
        wrap: put before each command.
    """

    home: Path
    wrap: tuple[str, ...] = ()

    def run(self, *command: str) -> None:
        """Run any program in the place."""
        subprocess.run([*self.wrap, *command], check=True)

    def afterword(self, *line: str, files: int | None = None, **env: str) -> Answer:
        """Run one line of the command in a process of its own.

        Args:
            files: how many the process may have open.
        """
        done = subprocess.run(
            [*self.wrap, sys.executable, "-m", "afterword", "--home", str(self.home), *line],
            capture_output=True,
            text=True,
            env=os.environ | {"AFTERWORD_BUSY_TIMEOUT_S": "1"} | env,
            preexec_fn=_limit(files),
            check=False,
        )
        return Answer(line, done.returncode, done.stdout, done.stderr)

    def write(self, text: str) -> None:
        """Write one memory, which must be taken."""
        done = self.afterword("memory", "write", "observation", text)
        assert done.code == 0, done

    def check(self) -> None:
        """The general oracle: everything answers, and what was written is read."""
        self.write("BTC, afterwards")
        for line in (*READS, ("store", "check")):
            done = self.afterword(*line)
            assert done.code == 0, done
        assert "afterwards" in self.afterword("memory", "read").out


def _limit(files: int | None):
    def limit() -> None:
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    return limit


def reads_go_on(place: Place, reads: Sequence[tuple[str, ...]] = READS) -> None:
    for line in reads:
        done = place.afterword(*line)
        assert (done.code, FALSE_ALARM.search(done.said)) == (0, None), done
    assert "BTC, first" in place.afterword("memory", "read").out


def writes_are_refused(place: Place, said: str) -> None:
    for line in (WRITE, (*WRITE, "--group", "new")):
        done = place.afterword(*line)
        assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
        assert re.search(said, done.err) and done.err.count("\n") == 1, done
    new = place.home / "groups" / "new.sqlite"
    place.run("sh", "-c", f"! test -e {new} && ! test -e {new}.new")


def looks_blame_no_file(place: Place) -> None:
    for line in LOOKS:
        done = place.afterword(*line)
        assert FALSE_ALARM.search(done.said) is None and done.err == "", done


def needs(program: str, *allowed: str) -> None:
    """Skip where this machine has no such program, or forbids what the test does with it."""
    missing = ""
    if shutil.which(program) is None:
        missing = f"there is no {program} on the PATH"
    elif subprocess.run([program, *allowed], capture_output=True, check=False).returncode:
        missing = f"`{program}` is not permitted here: it needs root"
    if missing and os.environ.get("AFTERWORD_TEST_EVERYTHING"):
        pytest.fail(f"{missing}, and nothing may be left out")
    if missing:
        pytest.skip(missing)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Place]:
    """A home on a small disk of its own, which no other process sees."""
    needs("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", str(tmp_path))
    mounted = tmp_path / "disk"
    mounted.mkdir()
    holder = subprocess.Popen(
        [
            *("unshare", "-m", "sh", "-c"),
            f'mount -t tmpfs -o {SMALL} tmpfs "$0" && echo mounted && exec cat',
            mounted,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin is not None and holder.stdout is not None
    assert holder.stdout.readline() == "mounted\n"
    place = Place(mounted / "home", ("nsenter", "-t", str(holder.pid), "-m", "--"))
    place.write("BTC, first")
    yield place
    holder.stdin.close()
    holder.stdout.close()
    holder.wait()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A home on an ordinary disk."""
    one = Place(tmp_path / "home")
    one.write("BTC, first")
    return one


def fill(disk: Place, leave_kib: int = 0) -> Path:
    """Fill the disk and return the file that does."""
    ballast = disk.home.parent / "ballast"
    disk.run("sh", "-c", f"cat /dev/zero > {ballast} 2>/dev/null || true")
    if leave_kib:
        disk.run("truncate", "-s", f"-{leave_kib}K", str(ballast))
    return ballast


def remount(disk: Place, how: str) -> None:
    disk.run("mount", "-o", f"remount,{how}", str(disk.home.parent))


def leave_a_log(disk: Place) -> None:
    """Add a memory that is in the write-ahead log only, as a killed process leaves it."""
    script = """
import os, sys
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.core.store import Stores, StoreOptions
store = Stores(Path(sys.argv[1]), StoreOptions(), system_clock, random_uid).group("main")
by = Writer(store, system_clock, random_uid)
write_memory(by, NewMemory("observation", "BTC, only in the log"))
os._exit(0)
"""
    disk.run(sys.executable, "-c", script, str(disk.home))


def test_a_full_disk_is_said_to_be_full_and_reads_go_on(disk: Place, tmp_path: Path):
    ballast = fill(disk)
    reads_go_on(disk)
    looks_blame_no_file(disk)
    writes_are_refused(disk, "disk is full; free some disk space and try again")
    backup = disk.afterword("store", "backup", str(tmp_path / "backup"))
    assert backup.code == 0, backup
    for line in (("store", "backup", str(disk.home.parent / "backup")), ("up",)):
        done = disk.afterword(*line)
        assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
        assert "disk is full; free some disk space and try again" in done.err, done

    disk.run("rm", str(ballast))
    disk.check()


def test_a_full_disk_hides_nothing_that_a_killed_process_left_in_the_log(disk: Place):
    leave_a_log(disk)
    disk.run("rm", str(disk.home / "groups" / "main.sqlite-shm"))
    ballast = fill(disk)
    assert "only in the log" in disk.afterword("memory", "read").out

    disk.run("rm", str(ballast))
    disk.check()


def test_a_read_only_disk_is_said_to_be_read_only_and_reads_go_on(disk: Place, tmp_path: Path):
    disk.run("mkdir", str(disk.home / "owners"))
    disk.run("touch", str(disk.home / "owners" / "gone.lock"))
    remount(disk, "ro")
    reads_go_on(disk)
    looks_blame_no_file(disk)
    writes_are_refused(disk, "disk is mounted read-only; mount it writable")
    backup = disk.afterword("store", "backup", str(tmp_path / "backup"))
    assert backup.code == 0, backup
    up = disk.afterword("up")
    assert (up.code, FALSE_ALARM.search(up.said)) == (1, None), up
    assert "disk is mounted read-only; mount it writable" in up.err, up

    remount(disk, "rw")
    disk.check()


@pytest.mark.parametrize("shared_memory", ["kept", "gone"])
def test_a_log_that_was_left_on_a_read_only_disk_is_read(disk: Place, shared_memory: str):
    leave_a_log(disk)
    if shared_memory == "gone":
        disk.run("rm", str(disk.home / "groups" / "main.sqlite-shm"))
    remount(disk, "ro")
    reads_go_on(disk)
    assert "only in the log" in disk.afterword("memory", "read").out

    remount(disk, "rw")
    disk.check()
    assert "only in the log" in disk.afterword("memory", "read").out


def test_a_mounted_backup_is_read_where_it_is(disk: Place, tmp_path: Path):
    copy = Place(disk.home.parent / "backup", disk.wrap)
    assert disk.afterword("store", "backup", str(copy.home)).code == 0
    remount(disk, "ro")

    reads_go_on(copy)


def test_a_disk_without_inodes_is_said_to_have_none(disk: Place):
    ballast = disk.home.parent / "ballast"
    disk.run("mkdir", str(ballast))
    touch = f"while touch {ballast}/$n 2>/dev/null; do n=$((n + 1)); done"
    disk.run("sh", "-c", f"n=0; {touch}")
    for line in (*READS, WRITE):
        done = disk.afterword(*line)
        assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
        assert "no inodes left" in done.err, done
    looks_blame_no_file(disk)

    disk.run("rm", "-r", str(ballast))
    disk.check()


def test_a_disk_that_fills_in_the_middle_of_an_upgrade_leaves_a_file_that_is_upgraded_later(
    disk: Place,
):
    path = disk.home / "groups" / "old.sqlite"
    script = """
import sys
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate
home, path = sys.argv[1:]
conn = dbapi.connect(path, isolation_level=None)
migrate(conn, "group", upto=1)
instance = dbapi.connect(home + "/instance.sqlite")
row = instance.execute("SELECT instance_id FROM store_identity").fetchone()
conn.execute("INSERT INTO store_identity VALUES (1, 'group', 'old', ?, 0)", row)
conn.close()
"""
    disk.run(sys.executable, "-c", script, str(disk.home), str(path))
    # Room for the shared memory and for the first steps, not for all of them.
    ballast = fill(disk, leave_kib=300)
    refused = disk.afterword("memory", "read", "--group", "old")
    assert (refused.code, FALSE_ALARM.search(refused.said)) == (1, None), refused
    assert re.search(rf"upgraded to {newest('group')} first; .* disk is full", refused.err), refused

    disk.run("rm", str(ballast))
    assert disk.afterword("memory", "read", "--group", "old").code == 0
    disk.check()


def test_an_upgrade_that_a_read_only_disk_forbids_is_said_to_be_due(disk: Place):
    set_number = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version=15')"
    )
    disk.run(sys.executable, "-c", set_number, str(disk.home / "groups" / "main.sqlite"))
    remount(disk, "ro")
    refused = disk.afterword("memory", "read")

    assert (refused.code, FALSE_ALARM.search(refused.said)) == (1, None), refused
    assert "has schema 15 and must be upgraded" in refused.err, refused
    assert "mounted read-only" in refused.err, refused


def test_a_damaged_page_is_said_to_be_damaged_on_a_read_only_disk_too(disk: Place):
    path = disk.home / "groups" / "main.sqlite"
    disk.run("sh", "-c", f"dd if=/dev/urandom of={path} bs=4096 seek=3 count=40 conv=notrunc 2>&1")
    remount(disk, "ro")
    checked = disk.afterword("store", "check")

    assert checked.code == 1
    assert "store restore" in checked.out and "instance" in checked.out, checked


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file as another program does that lets nobody in."""
    other = dbapi.connect(str(path), isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("COMMIT")  # the lock stays: that is what this mode is for
    try:
        yield
    finally:
        other.close()


def is_said_to_be_locked(place: Place, *line: str) -> None:
    done = place.afterword(*line)
    assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
    assert "another program holds the file; close it and try again" in done.err, done


def test_a_file_another_program_has_locked_is_said_to_be_locked(place: Place):
    with locked(place.home / "groups" / "main.sqlite"):
        for line in (*READS, WRITE):
            is_said_to_be_locked(place, *line)
        looks_blame_no_file(place)
    place.check()


def test_a_locked_installation_file_stops_only_what_needs_it(place: Place):
    with locked(place.home / "instance.sqlite"):
        for line in (("budget", "show"), ("switch", "ls")):
            is_said_to_be_locked(place, *line)
        for line in (*READS, WRITE):
            done = place.afterword(*line)
            assert (done.code, done.err) == (0, ""), done
        looks_blame_no_file(place)
    place.check()


def unprivileged(place: Place) -> Place:
    """Return the place as a user sees it whom permissions bind, as they do not bind root."""
    if os.geteuid():
        return place
    bound = ("--bounding-set=-dac_override,-dac_read_search", "--")
    needs("setpriv", *bound, "true")
    return Place(place.home, ("setpriv", *bound))


def test_a_folder_that_may_not_be_written_is_named(place: Place):
    user, groups = unprivileged(place), place.home / "groups"
    groups.chmod(0o500)
    try:
        for line in (*READS, WRITE):
            done = user.afterword(*line)
            assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
            assert f"make the folder {groups} writable and try again" in done.err, done
        looks_blame_no_file(user)
    finally:
        groups.chmod(0o700)
    place.check()


@pytest.mark.parametrize("end", ["", "-shm"])
def test_a_file_that_may_not_be_written_is_read(place: Place, end: str):
    leave_a_log(place)
    user, path = unprivileged(place), place.home / "groups" / f"main.sqlite{end}"
    path.chmod(0o400)
    try:
        done = user.afterword(*WRITE)
        assert (done.code, FALSE_ALARM.search(done.said)) == (1, None), done
        assert f"make the file {path} writable and try again" in done.err, done
        reads_go_on(user)
        looks_blame_no_file(user)
        assert "only in the log" in user.afterword("memory", "read").out
    finally:
        if path.exists():  # the last reader takes the shared memory away
            path.chmod(0o600)
    place.check()


def test_a_process_out_of_descriptors_names_the_limit_and_the_remedy(place: Place, tmp_path: Path):
    refused = []
    for files in range(5, 11):  # enough to start Python; the last suffice for most lines
        backup = ("store", "backup", str(tmp_path / f"backup-{files}"))
        empty = replace(place, home=tmp_path / f"demo-{files}")
        lines = [(place, READS[0]), (place, WRITE), (place, backup), (empty, ("demo",))]
        lines.append((place, ("audit", "run")))
        for at, line in lines:
            done = at.afterword(*line, files=files)
            assert FALSE_ALARM.search(done.said) is None, (files, done)
            if done.code:
                said = f"too many open files; this process may open {files}: raise the limit"
                assert said in done.err and done.err.count("\n") == 1, (files, done)
                refused.append(done.err)
    for what in ("instance.sqlite:", "main.sqlite:", "main.sqlite.lock:"):
        assert any(what in one for one in refused), (what, refused)
    place.check()


def test_a_connection_for_want_of_a_descriptor_is_not_blamed_on_the_service(place: Place):
    service = {
        "AFTERWORD_LLM_PROVIDER": "anthropic",
        "AFTERWORD_LLM_API_KEY": "sk-none",
        "AFTERWORD_LLM_BASE_URL": "http://127.0.0.1:9",
    }
    done = [place.afterword("llm", "check", files=files, **service) for files in range(8, 13)]

    assert not [one for one in done if FALSE_ALARM.search(one.said)]
    said = "model service: too many open files; this process may open"
    assert any(said in one.err for one in done), done


def test_a_redis_for_want_of_a_descriptor_is_not_said_to_be_away():
    script = """
import os, redis, resource
from afterword.pipeline.errors import UnavailableError
from afterword.workers.broker.broker import check_server
client = redis.Redis(port=9)
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
try:
    while True: os.open("/", os.O_RDONLY)
except OSError: pass
try: check_server(client)
except UnavailableError as error: print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("Redis: too many open files; this process may open 20: raise")
