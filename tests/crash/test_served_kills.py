"""32 clients beside a fleet under kills: nothing acknowledged is lost, nothing happens twice."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from itertools import count, takewhile
from pathlib import Path

import pytest

from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.served_fleet import CROWD_SIZE, ServedFleet, contents, run_crowd
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash


@pytest.fixture
def fleet(tmp_path: Path, redis_server: RedisServer) -> Iterator[ServedFleet]:
    settings = {"session_max_stores": 10_000, "token_daily_writes": 100_000}
    with NetworkDoor(tmp_path / "home", redis_url=redis_server.url, **settings) as door:
        fleet = ServedFleet(door, redis_server)
        fleet.start()
        yield fleet
        fleet.stop()


def test_kills_beside_a_fleet_lose_and_double_nothing(fleet: ServedFleet) -> None:
    outcome = run_crowd(fleet, for_s=8.0, seed=29, drain_s=90.0)

    assert outcome.problems == []
    assert outcome.kills.keys() == {"door", "worker", "dispatcher", "redis"}
    assert (outcome.lost, outcome.open_jobs) == (0, 0)
    assert outcome.most.pop("jobs for a memory") == 0  # all of them have ended
    assert set(outcome.most.values()) == {1}
    assert min(outcome.acknowledged, outcome.reads, outcome.repeats, outcome.cuts) > 0
    assert outcome.jobs_done >= outcome.acknowledged  # each memory's job for its edges


def test_a_server_that_is_told_to_end_under_load_finishes_what_is_under_way(
    tmp_path: Path,
) -> None:
    """A request that was cut off had no effect: no client of these repeats one."""
    answered: list[str] = []
    settings = {"session_max_stores": 10_000, "token_daily_writes": 100_000}
    with NetworkDoor(tmp_path / "home", **settings) as door:
        ended = threading.Event()

        def write(client: int) -> None:
            for step in takewhile(lambda _: not ended.is_set(), count()):
                content = f"client {client} at step {step}"
                body = {"type": "fact", "content": content}
                try:
                    answer = door.ask("POST", "/v1/tools/memory_store", body)
                except (OSError, HTTPException):
                    ended.wait(0.05)  # the door is gone
                else:
                    assert answer.status == 200
                    answered.append(content)

        with ThreadPoolExecutor(CROWD_SIZE) as clients:
            writing = [clients.submit(write, client) for client in range(CROWD_SIZE)]
            try:
                for enough in (60, 120):
                    wait_until(lambda n=enough: len(answered) > n, 60)
                    assert door.stop(signal.SIGTERM) == 0
                    door.start()
            finally:
                ended.set()
        assert [client.exception() for client in writing] == [None] * CROWD_SIZE

    assert sorted(contents(tmp_path / "home")) == sorted(answered)
