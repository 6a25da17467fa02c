"""What an operator reads while processes die, freeze and lose Redis."""

import json
import os
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.workers.broker.broker import connect

pytestmark = pytest.mark.crash


def test_jobs_that_wait_while_nothing_runs_are_wrong_and_the_doctor_says_what_to_start(site: Any):
    site.write()
    doctor, listed = site.run("doctor"), site.run("jobs", "ls")

    assert doctor.returncode == 1
    for answer in (doctor.stdout, listed.stdout, site.run("fleet").stdout):
        assert "no worker is alive: 1 job waits; start `afterword worker`" in answer
        assert "no dispatcher is alive" in answer

    site.start("dispatcher")
    wait_until(lambda: "no dispatcher" not in site.problems())
    assert "no worker is alive" in site.problems()

    site.start("worker")
    wait_until(lambda: site.run("fleet").returncode == 0)
    assert site.run("doctor").returncode == 0


def test_everything_in_one_process_is_a_dispatcher_and_a_worker_of_one_pid(site: Any):
    site.write()
    up = site.start("up", REDIS_URL="")
    wait_until(lambda: not json.loads(site.run("fleet", "--json", REDIS_URL="").stdout)["problems"])

    assert [(one["role"], one["pid"]) for one in site.fleet()["processes"]] == [
        ("dispatcher", up.pid),
        ("worker", up.pid),
    ]


@pytest.mark.parametrize("queues", ["llm,embed", "alone"])
def test_workers_of_other_queues_than_those_that_wait_are_named_as_such(site: Any, queues: str):
    site.write()
    site.start("dispatcher")
    site.start("worker", "--queues", queues)
    wait_until(lambda: site.pids() and "no worker" not in site.problems())

    assert "no live worker runs extract_edges (1 job waits)" in site.problems()
    assert site.run("doctor").returncode == 1


def test_a_stopped_worker_is_named_with_its_pid_within_seconds(site: Any):
    site.start("dispatcher")
    site.start("worker")
    wait_until(site.is_whole)
    (worker,) = site.pids("quick")
    for pid in site.pids():
        os.kill(pid, signal.SIGSTOP)
    site.write()
    wait_until(lambda: "no worker is alive" in site.problems(), timeout_s=30)

    assert f"worker {worker} has had no heartbeat for" in site.run("fleet").stdout


def test_a_killed_worker_is_dead_for_every_reader_at_once(site: Any):
    site.start("dispatcher")
    supervisor = site.start("worker", "--queues", "quick")
    wait_until(lambda: site.home.exists() and site.pids("quick"))
    (worker,) = site.pids("quick")
    supervisor.kill()
    os.kill(worker, signal.SIGKILL)
    site.write()

    assert "no worker is alive" in site.problems()


def test_processes_that_start_without_redis_wait_with_one_warning_and_go_on_by_themselves(
    site: Any, redis_server: RedisServer
):
    redis_server.kill()
    site.start("dispatcher")
    site.start("worker", "--queues", "quick")
    wait_until(lambda: all("redis.away" in site.log(one).read_text() for one in (0, 1)))
    site.write()
    assert "Redis does not answer" in site.problems()

    redis_server.start()
    wait_until(lambda: "jobs.ended outcome=done" in site.log(1).read_text())

    for log in (site.log(0).read_text(), site.log(1).read_text()):
        assert [log.count(word) for word in ("redis.away", "redis.back")] == [1, 1], log
    assert site.run("fleet").returncode == 0


def test_a_redis_that_comes_up_with_unsafe_settings_is_sent_nothing_until_they_are_mended(
    site: Any, tmp_path: Path
):
    forgetful = RedisServer(tmp_path, {"maxmemory-policy": "allkeys-lru"})
    site.redis_url = forgetful.url
    site.start("dispatcher")
    site.start("worker", "--queues", "quick")
    wait_until(lambda: all("redis.away" in site.log(one).read_text() for one in (0, 1)))
    site.write()
    forgetful.start()
    wait_until(lambda: "set `maxmemory-policy noeviction`" in site.log(0).read_text())
    assert "Redis may evict keys" in site.problems()

    client = connect(forgetful.url)
    client.config_set("maxmemory-policy", "noeviction")
    client.close()
    wait_until(lambda: "jobs.ended outcome=done" in site.log(1).read_text())
    forgetful.stop()


@pytest.mark.parametrize("command", ["worker", "dispatcher", "up"])
def test_whoever_is_told_to_fail_fast_leaves_with_one_line(
    site: Any, redis_server: RedisServer, command: str
):
    redis_server.kill()
    done = site.run(command, "--fail-fast")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("afterword: Redis does not answer")


def test_an_outage_is_one_warning_and_its_end_one_line(site: Any, redis_server: RedisServer):
    site.start("dispatcher")
    site.start("worker")
    wait_until(site.is_whole)
    pids = site.pids()
    redis_server.kill()
    wait_until(lambda: all(f"[{pid}] redis.away" in site.log(1).read_text() for pid in pids))
    wait_until(lambda: "redis.away" in site.log(0).read_text())
    redis_server.start()
    site.write()
    wait_until(lambda: all(f"[{pid}] redis.back" in site.log(1).read_text() for pid in pids))
    wait_until(lambda: "redis.back" in site.log(0).read_text())
    wait_until(lambda: "jobs.ended outcome=done" in site.log(1).read_text())
    for one in site.started:
        one.terminate()
    for one in site.started:
        one.wait()
    dispatcher, worker = site.log(0).read_text(), site.log(1).read_text()

    assert "CRITICAL" not in dispatcher + worker
    warnings = [line.split()[2:4] for line in worker.splitlines() if " WARNING " in line]
    assert {action for _pid, action in warnings} == {"redis.away"}
    assert len(warnings) == len({pid for pid, _action in warnings})  # one of each process
    assert dispatcher.count("redis.away") == dispatcher.count("redis.back") == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:6379/0", "redis://127.0.0.1/seven", "127.0.0.1:6379", "redis://h:x/0"]
)
def test_an_address_that_is_not_of_a_redis_is_refused_by_name_everywhere(site: Any, url: str):
    for line in (("worker",), ("dispatcher",), ("up",), ("doctor",), ("fleet",), ("jobs", "ls")):
        done = site.run(*line, REDIS_URL=url)

        assert done.returncode == 2, line
        assert done.stderr.startswith("afterword: AFTERWORD_REDIS_URL: must be redis://, rediss://")
        assert done.stderr.count("\n") == 1


def test_an_option_that_the_redis_client_does_not_know_is_refused_by_name(site: Any):
    for command in ("worker", "dispatcher", "up", "doctor", "fleet"):
        site.write()
        done = site.run(command, REDIS_URL=f"{site.redis_url}?colour=blue")

        assert done.returncode == 2, command
        assert "AFTERWORD_REDIS_URL" in done.stderr and "unexpected keyword" in done.stderr


def test_the_health_check_asks_each_process_by_name_and_finds_the_one_that_stands_still(
    site: Any,
):
    site.start("dispatcher")
    site.start("worker")
    wait_until(site.is_whole)

    def asked(process: str) -> set[tuple[int, int]]:
        found = json.loads(site.run("health", "--json").stdout)
        return {
            (one["pid"], int(one["address"].rpartition(":")[2]))
            for one in found
            if one["process"] == process
        }

    def registered(role: str, *queues: str) -> set[tuple[int, int]]:
        return {
            (one["pid"], one["port"])
            for one in site.fleet()["processes"]
            if one["role"] == role and set(queues) <= set(one["queues"])
        }

    wait_until(lambda: asked("worker") == registered("worker", "quick"))
    wait_until(lambda: asked("isolation") == registered("worker", "alone"))
    wait_until(lambda: asked("dispatcher") == registered("dispatcher"))
    assert site.run("health").returncode == 0

    (stopped, *_others) = site.pids("alone")
    os.kill(stopped, signal.SIGSTOP)
    sick = site.run("health", "--json")
    assert sick.returncode == 1
    assert [one["pid"] for one in json.loads(sick.stdout) if not one["alive"]] == [stopped]


def test_each_process_lists_itself_for_prometheus_until_it_ends_or_is_killed(site: Any):
    site.start("dispatcher")
    supervisor = site.start("worker", "--queues", "quick")
    folder = site.home / "scrape"
    wait_until(lambda: len(list(folder.glob("*.json"))) == 2)
    for path in folder.glob("*.json"):
        (one,) = json.loads(path.read_text())
        with urllib.request.urlopen(f"http://{one['targets'][0]}/metrics") as answer:
            assert b"afterword_build_info" in answer.read()
        assert path.stat().st_mode & 0o777 == 0o644

    (killed,) = site.pids("quick")
    os.kill(killed, signal.SIGKILL)  # the supervisor starts another one
    wait_until(lambda: site.pids("quick") not in ([], [killed]))
    wait_until(lambda: len(list(folder.glob("worker-*.json"))) == 1)
    (one,) = json.loads(next(folder.glob("worker-*.json")).read_text())
    assert [int(one["labels"]["pid"])] == site.pids("quick")

    supervisor.terminate()
    supervisor.wait()
    assert list(folder.glob("worker-*.json")) == []


def test_where_nothing_runs_the_health_check_fails(site: Any):
    done = site.run("health")

    assert done.returncode == 1
    assert done.stderr.startswith("afterword: no process of this host is listed in")
