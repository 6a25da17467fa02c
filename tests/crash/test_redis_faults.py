"""Redis is killed, emptied, frozen, absent or filled with rubbish: no job is lost."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
import redis

from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.broker.broker import connect
from afterword.workers.testing import FAIL, NOTE_KIND, TURN

pytestmark = pytest.mark.crash

NO_NAMES = ({}, [], 7, None, True)
"""JSON values that are no text, where a message's id or actor should be."""


def once(number: int) -> dict[str, int]:
    return {str(index): 1 for index in range(number)}


def under_way(host: Any, number: int, ms: int = 2) -> None:
    """Start a fleet on a backlog and wait until a part of it is done."""
    host.dispatcher()
    host.worker()
    host.add(NOTE_KIND, [{"id": index, "ms": ms} for index in range(number)])
    wait_until(lambda: len(host.effects()) > number // 10)


def test_redis_killed_and_back_empty_loses_nothing_and_flows_again_within_five_seconds(host: Any):
    under_way(host, 3000)
    host.redis.kill()
    before = len(host.effects())
    host.redis.start()

    wait_until(lambda: (NOTE_KIND.name, "sent") in host.states() or not host.states())
    assert wait_until(lambda: len(host.effects()) > before + 100) < 5
    host.drained()
    assert host.effects() == once(3000)
    host.check()


def test_redis_flushed_while_busy_loses_nothing(host: Any):
    under_way(host, 3000)
    client = connect(host.redis.url)
    for _ in range(3):
        client.flushall()
        before = len(host.effects())
        assert wait_until(lambda b=before: len(host.effects()) > b or not host.states()) < 5
    client.close()

    host.drained()
    assert host.effects() == once(3000)
    host.check()


def test_redis_frozen_for_seven_seconds_is_waited_for(host: Any):
    under_way(host, 2000)
    host.redis.freeze()
    with pytest.raises(TimeoutError):
        wait_until(lambda: not host.states(), timeout_s=7)
    host.redis.thaw()

    host.drained()
    assert host.effects() == once(2000)
    host.check()


def test_redis_refusing_at_the_start_and_for_a_long_time_holds_nothing_up_for_ever(host: Any):
    under_way(host, 1000)
    host.redis.kill()
    host.add(NOTE_KIND, [{"id": 1000 + index} for index in range(500)])  # writes go on meanwhile
    with pytest.raises(TimeoutError):
        wait_until(lambda: not host.states(), timeout_s=60)
    host.redis.start()

    host.drained()
    assert host.effects() == once(1500)
    host.check()


def test_redis_out_of_memory_holds_jobs_in_the_ledger_until_there_is_room(host: Any):
    under_way(host, 1000)
    client = connect(host.redis.url)
    client.config_set("maxmemory", 1)
    host.add(NOTE_KIND, [{"id": 1000 + index} for index in range(500)])  # writes go on meanwhile
    with pytest.raises(TimeoutError):
        wait_until(lambda: not host.states(), timeout_s=5)
    client.config_set("maxmemory", 0)
    client.close()

    host.drained()
    assert host.effects() == once(1500)
    host.check()


def test_the_same_message_delivered_five_times_has_one_effect(host: Any):
    host.worker()
    host.worker()
    host.add(NOTE_KIND, [{"id": 0, "ms": 50}])
    namespace = f"afterword:{host.stores.instance_id}"
    client = connect(host.redis.url)
    for number in range(5):
        push(client, namespace, f"m{number}", message("main", [1], f"m{number}"))
    wait_until(lambda: not host.states())

    host.dispatcher()
    wait_until(lambda: client.llen(f"{namespace}:quick") == 0)
    assert host.effects() == {"0": 1}
    client.close()


def test_the_same_message_delivered_again_while_its_run_fails_leaves_the_job_settled(host: Any):
    host.dispatcher()
    host.worker()
    host.worker()
    host.add(FAIL, [{"ms": 3000}])
    wait_until(lambda: host.states() == {(FAIL.name, "running"): 1})
    client = connect(host.redis.url)
    queue = f"afterword:{host.stores.instance_id}:quick"
    (uid,) = client.hkeys(f"{queue}.msgs")
    client.rpush(queue, *[uid] * 5)
    wait_until(lambda: not client.llen(queue))
    assert host.states() == {(FAIL.name, "running"): 1}, "the first delivery still runs"

    wait_until(lambda: host.states() == {(FAIL.name, "dead"): 1}, 40)
    (job,) = host.jobs()
    assert (job.attempts, job.last_error) == (2, "UnavailableError: the outside is away")
    client.close()


def test_rubbish_in_a_queue_is_dropped_and_the_worker_lives(host: Any):
    worker = host.worker(threads=2)
    namespace = f"afterword:{host.stores.instance_id}"
    client = connect(host.redis.url)
    rubbish = [
        b"\xff\xfe not json",
        b"{}",
        b"[1, 2]",
        b"null",
        json.dumps({"queue_name": "quick"}).encode(),
        message("main", ["one"], "m5"),
        message("main", [2**70], "m6", kind="no_such_kind"),
        message("../../etc", [1], "m7"),
        message("elsewhere", [1], "m8"),
        message("main", [999_999], "m9"),
        message("main", [1], "m10", queue="other"),
        message("main", [1], "m11", options={"eta": 1}),
        *(message("main", [1], "m12", message_id=uid) for uid in NO_NAMES),
        *(message("main", [1], "m13", actor_name=name) for name in NO_NAMES),
    ]
    for number, data in enumerate(rubbish):
        push(client, namespace, f"m{number}", data)
    host.dispatcher()
    host.add(NOTE_KIND, [{"id": index} for index in range(50)])

    host.drained()
    wait_until(lambda: client.llen(f"{namespace}:quick") == 0)
    wait_until(lambda: not client.exists(f"{namespace}:quick.msgs"))  # nothing may come back
    assert host.effects() == once(50)
    assert worker.poll() is None
    assert not (host.home / "groups" / "elsewhere.sqlite").exists()
    client.close()


def test_a_lock_left_by_a_killed_worker_frees_itself(host: Any):
    host.dispatcher()
    victim = host.worker(crash_at="jobs.working:1")
    host.add(TURN, [{"id": 0, "role": "a"}])
    assert victim.wait(timeout=30) == -signal.SIGKILL
    host.worker()

    host.drained(timeout_s=60)  # the lock lasts 30 s without renewal
    assert host.effects() == {"0": 1}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, "maxmemory-policy noeviction"),
        ({"cluster-enabled": "yes"}, "Cluster is not supported"),
    ],
)
def test_an_unsafe_redis_is_refused_at_start_with_the_remedy(
    tmp_path: Path, settings: dict[str, str], said: str, redis_server: RedisServer
):
    server = RedisServer(tmp_path, settings)
    server.start()
    try:
        assert said in refusal(tmp_path, server.url)
    finally:
        server.stop()


def test_a_shared_database_and_a_missing_server_are_refused_with_the_remedy(
    tmp_path: Path, redis_server: RedisServer
):
    client = redis.Redis.from_url(redis_server.url)
    client.set("somebody", "else")
    client.close()
    assert "database of its own" in refusal(tmp_path, redis_server.url)
    redis_server.kill()
    assert "AFTERWORD_REDIS_URL" in refusal(tmp_path, redis_server.url, "--fail-fast")


def refusal(folder: Path, url: str, *options: str) -> str:
    """Return what `afterword worker` says when it may not start."""
    done = run_afterword("worker", *options, home=folder / "h", redis_url=url)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


def push(client: Any, namespace: str, uid: str, data: bytes) -> None:
    client.hset(f"{namespace}:quick.msgs", uid, data)
    client.rpush(f"{namespace}:quick", uid)


def message(
    group: str,
    ids: list[Any],
    uid: str,
    kind: str = NOTE_KIND.name,
    queue: str = "quick",
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> bytes:
    return json.dumps(
        {
            "queue_name": queue,
            "actor_name": kind,
            "args": [group, ids],
            "kwargs": {},
            "options": {"redis_message_id": uid} | (options or {}),
            "message_id": uid,
            "message_timestamp": 0,
        }
        | fields
    ).encode()
