"""The story of many groups: idle ones stay closed and untouched, and each is heard at once."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid, seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.ports import free_port
from afterword.pipeline.testing.process import ask_port
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.up import Up
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context

NAMES = [f"g{number:02}" for number in range(30)]
IDLE, USED = NAMES[:-1], NAMES[-1]

Start = Callable[..., Up]


@pytest.fixture
def start(home: Path, clock: ManualClock) -> Iterator[Start]:
    """Start everything in this process with the whole schedule, and wait until all is looked at."""
    started: list[Up] = []

    def start() -> Up:
        settings = load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2, group=USED)
        up = Up(build_context(settings, clock=clock), routes=ROUTES, threads=2)
        started.append(up)
        up.start()
        wait_until(lambda: up.dispatcher.starting() is None)
        return up

    yield start
    for up in started:
        if up.is_alive():
            up.stop()


@pytest.fixture
def groups(stores: Stores) -> Stores:
    """Thirty groups, each used once and closed."""
    for name in NAMES:
        with writing(stores.group(name, create=True)):
            pass
    stores.close()
    return stores


def traces(folder: Path) -> dict[str, tuple[int, int]]:
    """Return what the file system knows of the idle groups' files: their logs would be among it."""
    files = (path for path in folder.iterdir() if not path.name.startswith(USED))
    return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def has_edges(stores: Stores, group: str) -> bool:
    with reading(stores.group(group)) as conn:
        return bool(conn.exec_driver_sql("SELECT 1 FROM memory_edges LIMIT 1").first())


def ticks(stores: Stores, group: str) -> list[str]:
    with reading(stores.group(group)) as conn:
        return list(conn.exec_driver_sql("SELECT entry FROM cron_ticks ORDER BY slot").scalars())


def write(
    stores: Stores, group: str, clock: ManualClock, said: str = "bought BTC for 100 USD"
) -> int:
    written = write_memory(
        Writer(stores.group(group), clock, seeded_uids(7)),
        NewMemory("context", said, type="context"),
    )
    return written.id


def let_pass(up: Up, clock: ManualClock, **time: float) -> None:
    """Move the clock, and wait until the schedule has decided on every group since."""
    clock.advance(**time)
    moment = clock()
    wait_until(
        lambda: all(
            group.decided_until is not None and group.decided_until >= moment
            for group in up.dispatcher.groups
        )
    )


def test_a_day_of_slots_leaves_no_trace_in_the_files_of_idle_groups(
    groups: Stores, start: Start, clock: ManualClock
):
    before = traces(groups.folder)
    up = start()
    for _hour in range(24):
        let_pass(up, clock, hours=1)

    assert traces(groups.folder) == before
    assert {name: ticks(groups, name) for name in IDLE} == {name: [] for name in IDLE}


def test_no_idle_group_is_held_open(groups: Stores, start: Start, clock: ManualClock):
    up = start()
    let_pass(up, clock, minutes=30)

    held = [os.readlink(fd.path) for fd in os.scandir("/proc/self/fd") if fd.is_symlink()]  # noqa: PTH115
    assert [path for path in held if str(groups.folder) in path] == []


def test_a_write_into_any_idle_group_has_its_effect(
    groups: Stores, start: Start, clock: ManualClock
):
    start()
    for name in NAMES[::7]:
        write(groups, name, clock)
        wait_until(lambda name=name: has_edges(groups, name))


def test_a_deleted_memory_is_purged_when_its_month_is_over_though_nobody_uses_the_group(
    groups: Stores, start: Start, clock: ManualClock
):
    written = write(groups, "g03", clock, "a memory to be deleted")
    delete_memory(Writer(groups.group("g03"), clock, random_uid), written)
    groups.close()
    up = start()

    def is_gone() -> bool:
        with reading(groups.group("g03")) as conn:
            query = text("SELECT count(*) FROM memories WHERE id = :id")
            return conn.execute(query, {"id": written}).scalar_one() == 0

    for _week in range(4):
        let_pass(up, clock, days=7)
    let_pass(up, clock, days=1)
    assert not is_gone()
    for _day in range(3):
        let_pass(up, clock, days=1)
    wait_until(is_gone)
    assert ticks(groups, "g03").count("memory.purge") == 1


def test_a_group_that_is_brought_while_it_runs_is_looked_at(
    groups: Stores, start: Start, clock: ManualClock, tmp_path: Path
):
    write(groups, "g05", clock)
    groups.close()
    away = Path(shutil.move(groups.folder / "g05.sqlite", tmp_path / "away"))
    up = start()
    assert up.dispatcher.groups.find("g05") is None

    shutil.copy(away, groups.folder / "g05.sqlite")
    wait_until(lambda: has_edges(groups, "g05"))


def test_files_that_are_no_groups_and_damaged_ones_stop_none_of_the_others(
    groups: Stores, start: Start, clock: ManualClock
):
    (groups.folder / "my old copy.sqlite").write_bytes(b"x" * 5_000)
    (groups.folder / "g01.sqlite").write_bytes(b"this is no database" * 300)
    (groups.folder / "g02.sqlite").unlink()
    (groups.folder / "g02.sqlite").symlink_to(groups.folder / "g03.sqlite")
    start()
    write(groups, USED, clock)

    wait_until(lambda: has_edges(groups, USED))


def test_slots_missed_while_a_group_had_work_are_caught_up_by_the_next_dispatcher(
    groups: Stores, start: Start, clock: ManualClock
):
    written = write(groups, "g04", clock, "superseded")
    with writing(groups.group("g04")) as conn:
        values = {"id": written, "at": int(datetime(2025, 9, 1, tzinfo=UTC).timestamp() * 1e6)}
        conn.execute(text("UPDATE memories SET deleted_at = :at WHERE id = :id"), values)
    groups.close()
    start().stop()
    clock.advance(days=5)
    up = start()
    let_pass(up, clock, minutes=1)

    wait_until(lambda: ticks(groups, "g04").count("memory.purge") == 1)


def copies(stores: Stores, number: int) -> None:
    """Make groups quickly, as copies of one, each with its own name inside."""
    first = stores.group("c000", create=True).path
    stores.close()
    for place in range(1, number):
        path = first.with_name(f"c{place:03}.sqlite")
        shutil.copyfile(first, path)
        conn = dbapi.connect(str(path), isolation_level=None)
        conn.execute("UPDATE store_identity SET group_name = ?", (path.stem,))
        conn.close()


def test_a_first_start_with_many_groups_is_alive_and_says_how_far_it_is(stores: Stores, home: Path):
    copies(stores, 300)
    port = free_port()
    environment = os.environ | {"AFTERWORD_HOME": str(home), "AFTERWORD_METRICS_PORT": str(port)}
    alive: list[int] = []
    ready: list[tuple[int, str]] = []

    def is_ready() -> bool:
        with suppress(OSError):  # it does not listen yet
            alive.append(ask_port(port, "/healthz")[0])
            ready.append(ask_port(port, "/readyz"))
        return bool(ready) and ready[-1][0] == 200

    command = [sys.executable, "-m", "afterword", "up"]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(command, env=environment, cwd=root, stderr=subprocess.DEVNULL)
    try:
        wait_until(is_ready, 60)
    finally:
        process.terminate()
        process.wait(30)

    assert set(alive) == {200}
    assert all("starting" in body for status, body in ready if status != 200)


def test_a_start_says_how_many_groups_were_looked_at(groups: Stores):
    known = GroupTracker(groups, monotonic)
    known.scan(at_once=True)
    seen = [known.progress()]
    for place, group in enumerate(known.unknown()):
        if place == 10:
            seen.append(known.progress())
        known.begin_read(group)
        known.end_read(group, None, (), in_flight=False)

    assert seen == ["starting: 0 of 30 groups", "starting: 10 of 30 groups"]
    assert known.progress() is None
