"""Processes that measure the ladder or weigh patterns are killed: nothing is lost or doubled.

In the end every table has the bytes of a run that nobody killed.
"""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.reconcile import free_frozen
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.patterns.area import WEIGH_PATTERNS
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR, book
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.testing import CLOCK_FILE
from tests.crash.conftest import Host
from tests.unit.reflection.worlds import chasing, flips, waves

pytestmark = pytest.mark.crash

ROLE = "market.spot.momentum"
DAYS, NUMBER = 60, 1_100
"""So many decisions are measured in three writes."""

WORK = """
import sys
from datetime import datetime
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import writing
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.crash import die_at
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

home, kind, crash_at, now = sys.argv[1:5]
clock, route = ManualClock(datetime.fromisoformat(now)), ROUTES[kind]
context = build_context(load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2))
store = context.stores.group("main")
if crash_at:
    die_at(crash_at)
with writing(store) as conn:
    promote(conn, clock())
    ids = [row.id for row in claim(conn, kind, 1, clock())]
    leases = lease(conn, ids, "holder", clock, route.kind)
assert leases.held
route.run(Work(context, "main", store, leases))
"""
"""One job, as a worker runs it, by a clock that stands still."""

TABLES = {
    "outcomes": "id",
    "outcome_stats": "window_hours",
    "role_memory": "id",
    "role_patterns": "id",
    "role_weighings": "role_id",
    "judge_evidence": "id",
}
MOMENTS = ("known_at", "weighed_at", "measure_at")
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """A home with judged decisions whose outcomes are still to be measured, of every window.

    Long after a rise always fails; the rest is chance.
    """
    home, chance = tmp_path_factory.mktemp("desk") / "home", Random(1)
    clock = ManualClock(NOW)
    stores = Stores(home, StoreOptions("OFF"), clock, seeded_uids(1))
    store, start = stores.group("main", create=True), NOW - (DAYS + 15) * 24 * HOUR
    closes = waves(DAYS)
    prices = book("SOLUSDT", start, closes)
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, start, clock(), clock()), clock)
    calls = chasing(DAYS)
    calls += flips(chance, len(closes), ["SOL"], NUMBER - len(calls))
    news = [
        NewDecision(
            ROLE,
            f"{one.direction} {number}",
            asset=one.asset,
            direction=one.direction,
            decided_at=start + one.hour * HOUR + timedelta(minutes=10),
        )
        for number, one in enumerate(sorted(calls))
    ]
    roles = load_roles(home)
    record_decisions(store, roles, news, clock, seeded_uids(2))
    reflect_role(Reflector(store, roles, HeuristicJudge(), StoredPrices, clock), ROLE)
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM outcomes")  # as of decisions from before the table
        conn.exec_driver_sql("DELETE FROM outcome_stats")
        conn.exec_driver_sql("DELETE FROM jobs")
    stores.close()
    return home


@pytest.fixture(scope="module")
def unkilled(desk, tmp_path_factory) -> Rows:
    """What both jobs store where nobody kills them."""
    home = copy_of(desk, tmp_path_factory.mktemp("unkilled"))
    begin(home)
    for kind in (MEASURE_OUTCOMES.name, WEIGH_PATTERNS.name):
        assert work(home, kind) == 0
    return stored(home)


def copy_of(desk: Path, folder: Path) -> Path:
    return Path(shutil.copytree(desk, folder / "home"))


def opened(home: Path) -> Stores:
    return Stores(home, StoreOptions("NORMAL"), ManualClock(NOW), seeded_uids(3))


def begin(home: Path) -> None:
    """Add the job that the schedule would add."""
    stores = opened(home)
    with writing(stores.group("main")) as conn:
        add(conn, MEASURE_OUTCOMES, {}, NOW, key="outcomes.measure")
    stores.close()


def work(home: Path, kind: str, crash_at: str = "") -> int:
    """Run a job in a process; return its exit status."""
    now = NOW + timedelta(minutes=kind == WEIGH_PATTERNS.name)  # it waits for half a minute
    line = [sys.executable, "-c", WORK, str(home), kind, crash_at, now.isoformat()]
    return subprocess.run(line, timeout=60, check=False).returncode


def free(home: Path) -> None:
    """Take the job from its dead holder, as reconcilers do."""
    stores = opened(home)
    with writing(stores.group("main")) as conn:
        free_frozen(conn, "holder", NOW)
    stores.close()


def open_jobs(home: Path) -> list[tuple[str, str]]:
    stores = opened(home)
    with reading(stores.group("main")) as conn:
        query = "SELECT kind, key FROM jobs WHERE kind LIKE '%e_outcomes' OR kind LIKE 'weigh%'"
        found = [tuple(row) for row in conn.exec_driver_sql(query)]
    stores.close()
    return found


def stored(home: Path) -> Rows:
    stores = opened(home)
    found = rows(stores.group("main"))
    stores.close()
    return found


def rows(store: Store) -> Rows:
    """Return the rows of every table that the two jobs write."""
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        return {
            table: [
                dict(row)
                for row in conn.exec_driver_sql(f"SELECT * FROM {table} ORDER BY {key}").mappings()
            ]
            for table, key in TABLES.items()
        }


def without_moments(found: Rows) -> Rows:
    """Return rows without the columns that say when something was done."""
    return {
        table: [{name: one for name, one in row.items() if name not in MOMENTS} for row in of_table]
        for table, of_table in found.items()
    }


@pytest.mark.parametrize(
    "point",
    [
        "store.wrote:1",  # after the lease
        "store.wrote:3",  # between two writes
        "outcomes.measured",  # after the last of them
        "store.finishing",  # before the commit that ends the job
        "store.finished",  # after it
    ],
)
def test_a_measuring_process_that_is_killed_leaves_what_an_unkilled_one_does(
    desk, unkilled, tmp_path, point
):
    home = copy_of(desk, tmp_path)
    begin(home)
    assert work(home, MEASURE_OUTCOMES.name, point) == -signal.SIGKILL
    free(home)
    if (MEASURE_OUTCOMES.name, "outcomes.measure") in open_jobs(home):
        assert point != "store.finished"
        assert work(home, MEASURE_OUTCOMES.name) == 0

    assert open_jobs(home) == [(WEIGH_PATTERNS.name, ROLE)]  # one, however often it was measured
    assert work(home, WEIGH_PATTERNS.name) == 0
    assert len(unkilled["outcomes"]) > 2 * NUMBER
    assert stored(home) == unkilled


@pytest.mark.parametrize(
    "point",
    ["store.wrote:2", "pattern.written", "store.finishing", "store.finished"],
)
def test_a_weighing_process_that_is_killed_leaves_what_an_unkilled_one_does(
    desk, unkilled, tmp_path, point
):
    home = copy_of(desk, tmp_path)
    begin(home)
    assert work(home, MEASURE_OUTCOMES.name) == 0
    assert work(home, WEIGH_PATTERNS.name, point) == -signal.SIGKILL
    free(home)
    if open_jobs(home):
        assert point != "store.finished"
        assert work(home, WEIGH_PATTERNS.name) == 0

    assert open_jobs(home) == []
    assert "confirmed" in [row["state"] for row in unkilled["role_patterns"]]
    assert stored(home) == unkilled


@pytest.fixture
def fleet(desk, home, redis_server) -> Iterator[Host]:
    """Real processes on a copy of the desk, whose clocks begin at its moment."""
    shutil.copytree(desk, home)
    behind = (NOW - system_clock()).total_seconds()
    (home / CLOCK_FILE).write_text(str(behind))
    one = Host(home, redis_server)
    yield one
    one.stop()


@pytest.mark.parametrize("point", ["jobs.leased", "store.wrote:4", "jobs.acking"])
def test_a_message_that_is_delivered_again_changes_nothing(fleet, unkilled, point):
    """A worker dies before its work, in it, or after it and before its message is acknowledged."""
    fleet.dispatcher()
    victim = fleet.worker(crash_at=point, queues=("upkeep",))
    begin(fleet.home)
    assert victim.wait(timeout=30) == -signal.SIGKILL
    client = redis.Redis.from_url(fleet.redis.url)
    for lock in client.scan_iter("*:lock:*"):  # that of the dead would be waited for
        client.delete(lock)
    fleet.worker()

    kinds = {MEASURE_OUTCOMES.name, WEIGH_PATTERNS.name}
    wait_until(lambda: {kind for kind, _ in fleet.states()} & kinds == {WEIGH_PATTERNS.name}, 30)
    with writing(fleet.store) as conn:  # not half a minute of waiting
        conn.exec_driver_sql("UPDATE jobs SET available_at = 0")
    fleet.drained(30)
    fleet.check()
    assert without_moments(rows(fleet.store)) == without_moments(unkilled)
