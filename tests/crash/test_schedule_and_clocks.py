"""The schedule and the clocks under fire: no tick lost or doubled, nobody expired by a step."""

import os
import signal
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from pipeline.clock import system_clock
from pipeline.jobs.add import add
from pipeline.store import reading, writing
from pipeline.testing.wait import wait_until
from schedules.tables import cron_ticks
from workers.testing import CLOCK_FILE, NOTE

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
    with reading(host.store) as conn:
        return bool(conn.exec_driver_sql("SELECT count(*) FROM cron_entries").scalar())


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
    host.add(NOTE, [{"id": 0}])

    host.drained()
    assert no_gap(slots(host))
    with reading(host.store) as conn:
        done = conn.exec_driver_sql(
            "SELECT jobs FROM job_stats WHERE kind = 'do_nothing' AND outcome = 'done'"
        ).scalar()
    assert done == len(slots(host))


def test_clock_steps_of_two_hours_expire_nobody_and_strand_nothing(host: Any):
    host.dispatcher(cron=True)
    host.worker(threads=2)
    wait_until(lambda: known(host))
    for number, hours in enumerate((2, -2, 2, 0)):
        host.add(NOTE, [{"id": f"{number}-{job}", "ms": 300} for job in range(10)])
        wait_until(lambda: (NOTE.name, "running") in host.states())
        step_clock(host, hours * 3600)
        wait_until(lambda n=number: f"{n}-9" in host.effects(), 30)

    host.drained()
    assert set(host.effects().values()) == {1}
    with reading(host.store) as conn:
        outcomes = set(conn.exec_driver_sql("SELECT outcome FROM job_stats").scalars())
    assert outcomes == {"done"}, "nobody was thought dead, frozen or hung"
    host.check()


def test_a_waiting_job_is_found_when_its_time_comes_after_everybody_was_killed(host: Any):
    dispatcher, worker = host.dispatcher(), host.worker()
    due = system_clock() + timedelta(seconds=3)
    with writing(host.store) as conn:
        add(conn, NOTE, {"id": 0}, system_clock(), run_at=due)
    dispatcher.kill()
    worker.kill()
    host.dispatcher()
    host.worker()

    host.drained()
    assert host.effects() == {"0": 1}
    assert system_clock() >= due
