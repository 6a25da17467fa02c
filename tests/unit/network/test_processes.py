"""Several processes behind one address: a killed one is replaced, and none outlives its parent."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until

FIRST_PORT = 49_620
"""The first port that is tried for the metrics of the processes."""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[NetworkDoor]:
    settings = {"http_processes": 2, "metrics_port": FIRST_PORT}
    with NetworkDoor(tmp_path / "home", **settings) as door:
        wait_until(lambda: len(serving(door)) == 2)
        yield door


def serving(door: NetworkDoor) -> set[int]:
    """Return the processes that serve, as their scrape files name them."""
    pids = set()
    for listed in (door.home / "scrape").glob("serve-*.json"):
        with suppress(FileNotFoundError):
            pids.add(int(json.loads(listed.read_text())[0]["labels"]["pid"]))
    return {pid for pid in pids if is_alive(pid)}


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_processes_share_sessions_keys_tokens_and_replace_each_other(door: NetworkDoor) -> None:
    """One story: limits and keys hold over all of them, also after one was killed."""
    before = serving(door)

    def store(number: int) -> int:
        body = {"type": "fact", "content": f"fact {number % 24}"}
        key = f"key {number % 24}"
        return door.ask("POST", "/v1/tools/memory_store", body, Idempotency_Key=key).status

    with ThreadPoolExecutor(16) as threads:
        statuses = list(threads.map(store, [*range(20), *range(20)]))
    assert statuses == [200] * 40  # 20 effects; each key was sent twice
    assert store(21) == 429

    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: len(serving(door)) == 2 and min(before) not in serving(door))
    assert [store(number) for number in range(20)] == [200] * 20
    told = door.ask("GET", "/v1/memory?limit=100", token="owner").body["memories"]
    assert len(told) == 20

    token = door.issue("agent")
    assert {door.ask("GET", "/v1/manifest", token=token).status for _ in range(20)} == {200}
    newest = run_afterword("token", "ls", home=door.home).stdout.splitlines()[-1].split()[0]
    run_afterword("token", "revoke", newest, home=door.home)
    assert {door.ask("GET", "/v1/manifest", token=token).status for _ in range(20)} == {401}

    served = serving(door)
    assert door.stop() == 0
    assert not any(map(is_alive, served))


def test_no_process_outlives_the_one_that_started_it(door: NetworkDoor) -> None:
    served = serving(door)

    door.stop(signal.SIGKILL)

    wait_until(lambda: not any(map(is_alive, served)))
    door.start()
    assert door.ask("GET", "/health", token=None).status == 200
