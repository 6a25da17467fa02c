"""A process says whether it lives and whether it can work, to loopback and to nobody else."""

import io
import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores
from afterword.pipeline.core.store.opening import connect as connect_file
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualSeconds
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.broker.broker import connect, in_process
from afterword.workers.observability import Metrics
from afterword.workers.observability.health import (
    READY_FREE_BYTES,
    Health,
    full,
    loop_limit_s,
    require_parts,
    silent,
    unwritable,
)
from afterword.workers.observability.health_server import REQUESTS_AT_ONCE, HealthServer, serving
from afterword.workers.observability.setup import observed
from afterword.workers.worker.app import build_context

FIRST_PORT = 39464


@pytest.fixture
def seconds() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def health(seconds: ManualSeconds) -> Health:
    return Health(seconds)


@pytest.fixture
def port(health: Health) -> Iterator[int]:
    """A server in front of `health`."""
    with serving(FIRST_PORT, health, Metrics(["extract_edges"]).registry) as port:
        yield port


def raw(port: int, request: bytes) -> bytes:
    """Send bytes, and return all bytes that come back."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as conn:
        conn.sendall(request)
        answer = b""
        while part := conn.recv(65536):
            answer += part
    return answer


def get(port: int, path: str, headers: str = "Host: localhost\r\n", verb: str = "GET") -> Any:
    """Return status, headers and body."""
    answer = raw(port, f"{verb} {path} HTTP/1.1\r\n{headers}\r\n".encode()).decode()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), head, body


def page(port: int, path: str) -> tuple[int, Any]:
    status, _head, body = get(port, path)
    return status, json.loads(body)


def test_a_process_is_alive_while_its_loops_run(health: Health, seconds: ManualSeconds, port: int):
    one = health.watch_loop("heartbeat", limit_s=60)
    other = health.watch_loop("dispatcher", limit_s=90)
    seconds.now = 59
    one.record()
    assert page(port, "/healthz") == (
        200,
        {"alive": True, "stuck": [], "loop_age_seconds": {"heartbeat": 0, "dispatcher": 59}},
    )

    seconds.now = 100
    assert page(port, "/healthz")[0] == 503
    assert page(port, "/healthz")[1]["stuck"] == ["dispatcher"]
    other.record()
    assert page(port, "/healthz")[0] == 200


def test_a_process_is_not_ready_before_it_has_started(health: Health, port: int):
    assert page(port, "/readyz") == (
        503,
        {"ready": False, "reasons": {"starting": "files are being opened or upgraded"}},
    )
    assert page(port, "/healthz")[0] == 200

    health.started()
    assert page(port, "/readyz") == (200, {"ready": True, "reasons": {}})


def test_readiness_is_asked_once_for_everybody_who_comes_within_two_seconds(
    health: Health, seconds: ManualSeconds, port: int
):
    asked: list[float] = []
    health.started()
    health.require("redis", lambda: asked.append(seconds.now))
    for _ in range(10):
        page(port, "/readyz")
    seconds.now = 2
    page(port, "/readyz")

    assert asked == [0, 2]


def test_a_draining_process_lives_but_takes_nothing(up: Callable[..., Up]):
    started, health = up(), Health(monotonic)
    health.watch_loop("heartbeat", loop_limit_s(started.context.settings))
    stopping = started.context.runtime.stopping
    require_parts(health, started.context, started.broker.client, stopping)
    health.started()
    before = health.reasons()
    stopping.set()
    health.started()

    assert (before, health.reasons()) == ({}, {"draining": "it was told to stop"})
    assert health.stuck() == []


def test_a_ledger_somebody_else_writes_to_is_not_ready_and_comes_back(store: Store):
    options = StoreOptions(busy_timeout_s=0.01)
    other = connect_file(store.path, options)
    other.execute("BEGIN IMMEDIATE")
    while_held = unwritable([store.path], options)
    other.execute("ROLLBACK")
    other.close()

    assert while_held == "main.sqlite cannot be written: database is locked"
    assert unwritable([store.path], options) is None


def test_asking_whether_a_file_can_be_written_makes_and_changes_none(stores: Stores, store: Store):
    missing = stores.home / "groups" / "missing.sqlite"
    before = store.path.read_bytes()

    assert unwritable([missing, store.path], StoreOptions()) is None
    assert not missing.exists()
    assert store.path.read_bytes() == before


def test_a_damaged_ledger_is_not_ready(stores: Stores):
    file = stores.home / "groups" / "main.sqlite"
    file.write_bytes(b"this is no database" * 100)

    assert unwritable([file], StoreOptions()) == (
        "main.sqlite cannot be written: file is not a database"
    )


def test_a_disk_with_room_is_no_reason(home: Path, stores: Stores):
    assert READY_FREE_BYTES > 0 and full(home) is None


@pytest.mark.redis
def test_a_redis_that_went_away_is_a_reason_until_it_is_back(redis_server: RedisServer):
    client = connect(redis_server.url)
    before = silent(client)
    redis_server.kill()
    away = silent(client)
    redis_server.start()

    assert (before, away) == (None, "Redis does not answer (ConnectionError)")
    assert silent(client) is None
    client.close()


def test_a_redis_nobody_started_is_a_reason(health: Health):
    client = redis.Redis(port=1, retry=None, socket_timeout=1)

    assert silent(client) == "Redis does not answer (ConnectionError)"


def test_a_process_shows_itself_before_its_files_are_open(home: Path):
    lines = io.StringIO()
    settings = load(home=home, metrics_port=FIRST_PORT)
    with observed(settings, "worker", ["extract_edges"], lines, system_clock) as observability:
        port = int(lines.getvalue().rpartition("=")[2])
        before = page(port, "/readyz")[1]["reasons"]
        loop = observability.watch_loop("heartbeat")
        context = build_context(settings)
        observability.watch(context, in_process(), context.runtime.stopping)
        observability.health.started()
        loop.record()

        assert list(before) == ["starting"]
        assert page(port, "/readyz") == (200, {"ready": True, "reasons": {}})
        assert page(port, "/healthz")[1]["loop_age_seconds"]["heartbeat"] < 10
        assert 'afterword_unready{reason="redis"} 0.0' in get(port, "/metrics")[2]
    context.stores.close()
    with pytest.raises(ConnectionRefusedError):
        page(port, "/healthz")


def test_metrics_come_as_openmetrics_to_those_who_ask_and_as_text_to_others(port: int):
    accept = "Host: localhost\r\nAccept: application/openmetrics-text; version=1.0.0\r\n"
    status, head, body = get(port, "/metrics", accept)
    families = {family.name for family in text_string_to_metric_families(body)}
    plain = get(port, "/metrics")

    assert status == plain[0] == 200
    assert "afterword_run_seconds" in families and body.endswith("# EOF\n")
    assert "Content-Type: application/openmetrics-text" in head
    assert "Content-Type: text/plain" in plain[1]


def test_each_process_takes_the_next_free_port(health: Health):
    with (
        serving(FIRST_PORT, health, CollectorRegistry()) as first,
        serving(FIRST_PORT, health, CollectorRegistry()) as second,
    ):
        assert FIRST_PORT <= first < second
        assert page(first, "/healthz")[0] == page(second, "/healthz")[0] == 200


def test_port_zero_means_no_server(health: Health):
    with serving(0, health, CollectorRegistry()) as port:
        assert port == 0


def test_a_process_without_a_free_port_works_on_and_says_so(health: Health):
    told: list[str] = []
    stop = listen(lambda action, _facts: told.append(action))
    with socket.create_server(("127.0.0.1", 65535)):
        with serving(65535, health, CollectorRegistry()) as port:
            stop()

    assert (port, told) == (0, ["metrics.unserved"])


def test_it_listens_on_loopback_only(port: int):
    sockets = Path("/proc/net/tcp").read_text().splitlines()
    ours = [line.split()[1] for line in sockets if f":{port:04X} 00000000:0000 0A" in line]

    assert ours == [f"0100007F:{port:04X}"]


@pytest.mark.parametrize(
    "path", ["/", "/metrics/", "/metrics?name[]=x", "/METRICS", "/healthz/..", "/<script>"]
)
def test_only_the_three_paths_exist_and_nothing_is_repeated(port: int, path: str):
    status, _head, body = get(port, path)

    assert (status, body) == (404, "404 Not Found\n")


@pytest.mark.parametrize("verb", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "<script>"])
def test_it_can_only_be_asked(port: int, verb: str):
    status, head, body = get(port, "/metrics", verb=verb)

    assert (status, body) == (405, "405 Method Not Allowed\n")
    assert "Allow: GET" in head


@pytest.mark.parametrize(
    "headers",
    [
        "",
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 127.0.0.1.evil.example:9464\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: localhost:9464@evil.example\r\n",
    ],
)
def test_a_page_that_points_its_own_name_here_learns_nothing(port: int, headers: str):
    status, _head, body = get(port, "/metrics", headers)

    assert (status, body) == (421, "421 Misdirected Request\n")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9464", "127.0.0.1:1", "[::1]:9464"])
def test_every_name_of_loopback_is_served(port: int, host: str):
    assert get(port, "/healthz", f"Host: {host}\r\n")[0] == 200


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET /metrics HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431),
        (b"GET /metrics HTTP/1.1\r\nA: " + b"x" * 70_000 + b"\r\n\r\n", 431),
        (b"<script> /metrics SPDY/9\r\n\r\n", 400),
    ],
)
def test_what_is_too_long_or_no_request_is_refused_in_a_few_bytes(
    port: int, request_line: bytes, status: int
):
    answer = raw(port, request_line)

    # A request without a version is answered without a status line.
    assert str(status).encode() in answer.split()[:2]
    assert len(answer) < 300 and b"script" not in answer


def test_it_does_not_say_what_it_is_written_in(port: int):
    _status, head, _body = get(port, "/healthz")

    assert "Server: afterword\r\n" in head and "Python" not in head


def test_silent_clients_cannot_take_more_than_their_places(health: Health):
    server = HealthServer(FIRST_PORT, health, CollectorRegistry())
    server.start()
    silent_ones = [
        socket.create_connection(("127.0.0.1", server.port)) for _ in range(REQUESTS_AT_ONCE)
    ]
    busy = "process_request_thread"
    wait_until(
        lambda: sum(busy in thread.name for thread in threading.enumerate()) == REQUESTS_AT_ONCE
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one_more:
        refused = one_more.recv(100)
    for conn in silent_ones:
        conn.close()
    wait_until(lambda: not any(busy in thread.name for thread in threading.enumerate()))
    answered = page(server.port, "/healthz")[0]
    server.stop()

    assert (refused, answered) == (b"", 200)


def test_a_broken_source_does_not_look_like_a_dead_process(health: Health):
    class Broken(Collector):
        def collect(self) -> Any:
            raise RuntimeError("a bug")

        def describe(self) -> Any:
            return []

    told: list[tuple[str, dict[str, Any]]] = []
    registry = CollectorRegistry()
    registry.register(Broken())
    with serving(FIRST_PORT, health, registry) as port:
        stop = listen(lambda action, facts: told.append((action, facts)))
        status, _head, body = get(port, "/metrics")
        stop()
        assert page(port, "/healthz")[0] == 200

    assert (status, body) == (500, "500 Internal Server Error\n")
    assert told == [("metrics.failed", {"error": "RuntimeError"})]


def test_the_limit_of_a_loop_allows_for_the_waits_a_setting_allows(home: Path):
    assert loop_limit_s(load(home=home)) == 120
    assert loop_limit_s(load(home=home, busy_timeout_s=60)) == 300
