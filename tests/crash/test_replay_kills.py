"""A replay through the fleet, killed at any point, ends in the state of one undisturbed process."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.model import MAX_CRASHES
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.testing.process import command_of, environment_of, run_afterword
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.broker.broker import connect
from afterword.workers.routes import QUEUES
from tests.unit.replay.worlds import price_file

pytestmark = pytest.mark.crash

LANES = tuple(queue for queue in QUEUES if queue != "alone")
ASKED = ("--rule", "momentum:lookback_hours=96", "--horizon", "1d", "--no-placebos", "--slice", "1")
"""Slices of a day, so that a run of four weeks has some thirty of them."""


class Fleet:
    """A host, and the commands of a replay on it."""

    def __init__(self, host: Any, prices: Path) -> None:
        self.host, self.prices = host, prices
        self.settings = {"redis_url": host.redis.url, "synchronous": "NORMAL"}

    def begin(self, *line: str) -> "subprocess.Popen[bytes]":
        """Start `replay run`, or the line."""
        line = line or ("run", "past", "--prices", str(self.prices), *ASKED)
        process = subprocess.Popen(
            command_of("replay", *line, home=self.host.home), env=environment_of(**self.settings)
        )
        self.host.processes.append(process)
        return process

    def here(self) -> str:
        """Return the hash of the same replay in one process, without Redis."""
        line = ("replay", "run", "here", "--prices", str(self.prices), *ASKED, "--json")
        return hash_of(run_afterword(*line, home=self.host.home))

    def resume(self) -> str:
        """Resume the replay, and return the hash it ends in."""
        line = ("replay", "resume", "past", "--slice", "1", "--json")
        return hash_of(run_afterword(*line, home=self.host.home, **self.settings))

    @property
    def store(self) -> Store:
        return self.host.stores.replay("past")

    def done(self) -> float:
        """Return the share that is done; 0 before it was prepared."""
        try:
            found = status_of(self.store)
        except (ConflictError, NotFoundError):
            return 0.0
        begin, end = found.settings.begins_at, found.settings.ends_at
        return max(0.0, (found.cursor - begin) / (end - begin))

    def hash(self) -> str:
        assert status_of(self.store).state == "done"
        return status_of(self.store).state_hash


def hash_of(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["replay"]["state_hash"])


@pytest.fixture
def fleet(host: Any, tmp_path: Path) -> Iterator[Fleet]:
    yield Fleet(host, price_file(tmp_path, days=28))


@pytest.mark.parametrize(
    "point",
    [
        "jobs.leased:2",  # after the lease of the second slice
        "replay.keeping:2",  # in its transaction, after everything was written
        "replay.kept:2",  # after its commit
        "jobs.acking:2",  # before its acknowledgement
    ],
)
def test_a_worker_killed_in_a_slice_costs_this_slice_at_most(fleet: Fleet, point: str):
    victim = fleet.host.worker(crash_at=point, queues=("replay",), threads=1)
    run = fleet.begin()
    assert victim.wait(timeout=60) == -signal.SIGKILL
    before = fleet.done()

    fleet.host.worker(queues=LANES)
    fleet.host.worker(queues=("alone",), threads=1)
    assert run.wait(timeout=120) == 0
    assert 0 < before < 1
    assert fleet.hash() == fleet.here()


def test_a_run_killed_on_its_way_is_resumed_and_redis_may_lose_everything_meanwhile(fleet: Fleet):
    fleet.host.worker()
    run = fleet.begin()
    wait_until(lambda: fleet.done() > 0.2, 60)
    client = connect(fleet.host.redis.url)
    client.flushall()
    wait_until(lambda: fleet.done() > 0.4, 60)
    run.kill()
    run.wait()
    client.flushall()
    client.close()
    assert fleet.done() < 1

    assert fleet.resume() == fleet.here()


def test_a_run_killed_while_it_prepares_is_begun_anew(fleet: Fleet):
    fleet.host.worker()
    run = fleet.begin()
    wait_until(lambda: "past" in fleet.host.stores.replays(), 60)
    run.kill()
    run.wait()

    if not fleet.done():  # it was killed before its slices
        assert fleet.begin().wait(timeout=120) == 0
    assert fleet.resume() == fleet.here()


def test_a_slice_that_kills_every_worker_ends_the_run_and_says_so(fleet: Fleet):
    run = fleet.begin()
    deaths = 0
    workers = [fleet.host.worker(crash_at="replay.keeping:1", threads=1)]
    while run.poll() is None and deaths < 6:
        wait_until(lambda: workers[-1].poll() is not None or run.poll() is not None, 60)
        if run.poll() is None:
            deaths += 1
            workers.append(fleet.host.worker(crash_at="replay.keeping:1", threads=1))

    assert (run.wait(), deaths) == (1, MAX_CRASHES)
    with reading(fleet.store) as conn:
        (job,) = listing(conn)
    assert (job.state, job.last_error) == ("dead", "killed its worker")
    workers[-1].kill()
    fleet.host.worker()
    assert fleet.resume() == fleet.here()
