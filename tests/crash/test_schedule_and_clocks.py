"""The schedule and the clocks under faults: no tick lost or doubled, no process expired."""

import os
import signal
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.tables import cron_ticks
from afterword.workers.testing import CLOCK_FILE, FAIL, NOTE_KIND

pytestmark = pytest.mark.crash

MINUTE = 60


def step_clock(host: Any, seconds: float) -> None:
    fresh = host.home / "clock_offset.new"
    fresh.write_text(str(seconds))
    fresh.rename(host.home / CLOCK_FILE)


def slots(host: Any) -> list[int]:
    with reading(host.store) as conn:
        return [row.slot for row in conn.execute(cron_ticks.select().order_by("slot"))]


def known(host: Any) -> bool:
    with reading(host.stores.instance) as conn:
        return bool(conn.exec_driver_sql("SELECT count(*) FROM cron_specs").scalar())


def done_ticks(host: Any) -> int:
    """Return how often the job of the test's schedule has ended."""
    with reading(host.store) as conn:
        found = conn.exec_driver_sql(
            "SELECT jobs FROM job_stats WHERE kind = 'do_nothing' AND outcome = 'done'"
        )
        return int(found.scalar_one())


def no_gap(found: list[int]) -> bool:
    return all(later - earlier == MINUTE * 1_000_000 for earlier, later in pairwise(found))


def test_the_only_dispatcher_killed_again_and_again_loses_and_doubles_no_tick(host: Any):
    dispatcher = host.dispatcher(cron=True)
    wait_until(lambda: known(host))
    for number in range(1, 6):
        dispatcher.kill()
        dispatcher.wait()
        step_clock(host, number * 7 * MINUTE)
        dispatcher = host.dispatcher(cron=True)
        wait_until(lambda n=number: len(slots(host)) >= n * 7 - 1)

    assert no_gap(slots(host))


@pytest.mark.parametrize("dispatchers", [2, 5])
def test_several_dispatchers_fire_each_slot_once(host: Any, dispatchers: int):
    started = [host.dispatcher(cron=True) for _ in range(dispatchers)]
    host.worker()
    wait_until(lambda: known(host))
    os.kill(started[0].pid, signal.SIGSTOP)
    for number in range(1, 5):
        step_clock(host, number * 3 * MINUTE)
        wait_until(lambda n=number: len(slots(host)) >= n * 3 - 1)
    os.kill(started[0].pid, signal.SIGCONT)
    host.add(NOTE_KIND, [{"id": 0}])

    host.drained()
    assert no_gap(slots(host))
    assert done_ticks(host) == len(slots(host))


def test_clock_steps_of_two_hours_expire_nobody_and_strand_nothing(host: Any):
    host.dispatcher(cron=True)
    host.worker(threads=2)
    wait_until(lambda: known(host))
    for number, hours in enumerate((2, -2, 2, 0)):
        host.add(NOTE_KIND, [{"id": f"{number}-{job}", "ms": 300} for job in range(10)])
        wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
        step_clock(host, hours * 3600)
        wait_until(lambda n=number: f"{n}-9" in host.effects(), 30)

    host.drained()
    assert set(host.effects().values()) == {1}
    with reading(host.store) as conn:
        outcomes = set(conn.exec_driver_sql("SELECT outcome FROM job_stats").scalars())
    assert outcomes == {"done"}, "nobody was thought dead, frozen or hung"
    host.check()


class Clocks:
    """Wall clocks of real processes, each moved by its own file, with `libfaketime`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)

    def of(self, name: str) -> tuple[str, ...]:
        """Return the command in front of a process whose wall clock is `name`."""
        self.move(name, 0)
        return (
            "env",
            f"LD_PRELOAD={self.library}",
            f"FAKETIME_TIMESTAMP_FILE={self.folder / name}",
            "FAKETIME_CACHE_DURATION=1",
            "DONT_FAKE_MONOTONIC=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1",
            "NO_FAKE_STAT=1",
        )

    def move(self, name: str, hours: int) -> None:
        """Step one wall clock; the process sees it within a second."""
        fresh = self.folder / f"{name}.new"
        fresh.write_text(f"{hours * 3600:+d}")
        fresh.rename(self.folder / name)


@pytest.fixture
def clocks(tmp_path: Path) -> Clocks:
    found = Clocks(tmp_path)
    if found.library is None:
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail("libfaketime is not installed, and nothing may be left out")
        pytest.skip("libfaketime is not installed (Debian: faketime)")
    return found


def test_processes_whose_wall_clocks_step_two_hours_apart_expire_nobody(host: Any, clocks: Clocks):
    names = ("one dispatcher", "other dispatcher", "one worker", "other worker")
    for name in names[:2]:
        host.dispatcher(cron=True, wrap=clocks.of(name))
    for name in names[2:]:
        host.worker(threads=2, wrap=clocks.of(name))
    wait_until(lambda: known(host))
    for number, hours in enumerate(((0, 0, 0, 0), (2, -2, -2, 2), (-2, 2, -2, 2), (0, 2, 2, -2))):
        host.add(NOTE_KIND, [{"id": f"{number}-{job}", "ms": 300} for job in range(20)])
        host.add(FAIL, [{"ms": 300}])
        wait_until(lambda: (NOTE_KIND.name, "running") in host.states())
        for name, moved in zip(names, hours, strict=True):
            clocks.move(name, moved)
        wait_until(lambda n=number: f"{n}-19" in host.effects(), 40)

    wait_until(lambda: set(host.states()) == {(FAIL.name, "dead")}, 60)
    assert host.effects() == {f"{number}-{job}": 1 for number in range(4) for job in range(20)}
    found = slots(host)
    assert found[-1] - found[0] >= 60 * MINUTE * 1_000_000, "the clocks did move"
    assert done_ticks(host) == len(found), "each slot fired once"
    with reading(host.store) as conn:
        outcomes = set(conn.exec_driver_sql("SELECT outcome FROM job_stats").scalars())
    assert outcomes == {"done", "retried", "dead"}, "nobody was thought dead, frozen or hung"
    host.check()


def test_a_waiting_job_is_found_when_its_time_comes_after_everybody_was_killed(host: Any):
    dispatcher, worker = host.dispatcher(), host.worker()
    due = system_clock() + timedelta(seconds=3)
    with writing(host.store) as conn:
        add(conn, NOTE_KIND, {"id": 0}, system_clock(), run_at=due)
    dispatcher.kill()
    worker.kill()
    host.dispatcher()
    host.worker()

    host.drained()
    assert host.effects() == {"0": 1}
    assert system_clock() >= due
