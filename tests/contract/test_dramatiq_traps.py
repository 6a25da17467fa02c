"""What plain dramatiq 2.2 does, trap by trap, and how the ledger's broker is safe from it.

The first half of each test is a canary: when a new dramatiq behaves differently, it fails and
says which precaution may go.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import dramatiq
import fakeredis
import pytest
from dramatiq.brokers.redis import RedisBroker
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import Middleware, SkipMessage

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.broker.broker import LedgerBroker, connect
from afterword.workers.testing import NOTE_KIND, SPEND, TURN, traces

Start = Callable[..., Up]


class Ran:
    """A plain dramatiq actor on a broker, and what happened to its messages."""

    def __init__(self, broker: dramatiq.Broker, *middleware: Middleware) -> None:
        self.broker, self.times = broker, 0
        for one in middleware:
            broker.add_middleware(one)

        def work() -> None:
            self.times += 1

        self.actor = dramatiq.actor(broker=broker, actor_name="work")(work)

    def run_one(self) -> None:
        worker = dramatiq.Worker(self.broker, worker_timeout=10, worker_threads=1)
        worker.start()
        self.actor.send()
        self.broker.join("default")
        worker.join()
        worker.stop()


class Breaks(Middleware):
    """Raises a plain exception from a hook."""

    def __init__(self, hook: str, error: Exception) -> None:
        def fail(*_args: Any, **_kwargs: Any) -> None:
            raise error

        setattr(self, hook, fail)


def effects(up: Up) -> dict[str, int]:
    with reading(up.context.stores.group("main")) as conn:
        return traces(conn)


def states(up: Up) -> dict[tuple[str, str], int]:
    with reading(up.context.stores.group("main")) as conn:
        return counts(conn)


def test_a_plain_error_in_a_gate_lets_the_job_run_and_ours_holds_it(up: Start):
    plain = Ran(StubBroker(middleware=[]), Breaks("before_process_message", ValueError("gate")))
    plain.run_one()
    assert plain.times == 1, "dramatiq used to log the error and run the job"

    ours = up()
    with writing(ours.context.stores.instance) as conn:
        conn.exec_driver_sql("DROP TABLE budget_switch")
    with writing(ours.context.stores.group("main")) as conn:
        add(conn, SPEND, {"id": 1}, system_clock())
        add(conn, NOTE_KIND, {"id": 2}, system_clock())
    wait_until(lambda: "2" in effects(ours))
    assert effects(ours) == {"2": 1}
    assert states(ours) == {(SPEND.name, "sent"): 1}


def test_a_skipped_message_is_acknowledged_so_the_ledger_must_hold_the_job():
    broker = RedisBroker(client=fakeredis.FakeRedis(), middleware=[])
    plain = Ran(broker, Breaks("before_process_message", SkipMessage("not now")))
    plain.run_one()

    assert (plain.times, broker.do_qsize("default")) == (0, 0), "dropped, not deferred"


def test_an_error_in_an_after_hook_is_swallowed():
    broker = RedisBroker(client=fakeredis.FakeRedis(), middleware=[])
    plain = Ran(broker, Breaks("after_process_message", ValueError("settling failed")))
    plain.run_one()

    assert (plain.times, broker.do_qsize("default")) == (1, 0), "acknowledged all the same"


def test_after_skip_hooks_run_for_middleware_that_never_began(up: Start):
    called: list[str] = []

    class Innermost(Middleware):
        def before_process_message(self, *_message: Any) -> None:
            called.append("before")

        def after_skip_message(self, *_message: Any) -> None:
            called.append("after")

    plain = Ran(
        StubBroker(middleware=[]),
        Breaks("before_process_message", SkipMessage("held")),
        Innermost(),
    )
    plain.run_one()
    assert called == ["after"]

    # Ours: a second job of a role is skipped by the lock, and must not free the first one's.
    ours = up(threads=4)
    with writing(ours.context.stores.group("main")) as conn:
        for number in range(3):
            add(conn, TURN, {"id": number, "role": "a", "ms": 200}, system_clock())
    most = [0]

    def one_at_a_time() -> bool:
        running = states(ours).get((TURN.name, "running"), 0)
        most[0] = max(most[0], running)
        return not states(ours)

    wait_until(one_at_a_time)
    assert most[0] == 1


def test_an_undecodable_message_strands_its_batch_and_ours_drops_it():
    plain = RedisBroker(client=fakeredis.FakeRedis(), middleware=[])
    ran = Ran(plain)
    plain.do_enqueue("default", "rubbish", b"\xff not json")
    for _ in range(3):
        ran.actor.send()
    consumer = plain.consume("default", prefetch=10, timeout=10)
    with pytest.raises(Exception, match="decode"):
        next(consumer)
    assert plain.client.scard(f"dramatiq:__acks__.{plain.broker_id}.default") == 4

    ours = LedgerBroker(fakeredis.FakeRedis(), "i")
    dramatiq.actor(broker=ours, actor_name="work", queue_name="quick")(lambda _group, _ids: None)
    ours.do_enqueue("quick", "rubbish", b"\xff not json")
    good: dramatiq.Message[Any] = dramatiq.Message("quick", "work", ("main", [1]), {}, {})
    ours.send([good])
    found = next(ours.consume("quick", prefetch=10, timeout=10))
    assert found is not None and found.message_id == good.message_id
    assert ours.client.hlen("afterword:i:quick.msgs") == 1


def test_one_client_with_a_wrong_clock_takes_a_live_workers_message():
    client = fakeredis.FakeRedis()
    worker = RedisBroker(client=client, middleware=[], maintenance_chance=1_000_000)
    ran = Ran(worker)
    ran.actor.send()
    assert next(worker.consume("default", prefetch=1, timeout=10)) is not None
    assert client.llen("dramatiq:default") == 0

    ahead = int(time.time() * 1000) + 90_000
    args = ["enqueue", ahead, "default", "another client", 60_000, 1, 1, 1000, "x", b"{}"]
    worker.scripts["dispatch"](args=args, keys=["dramatiq"])
    assert client.llen("dramatiq:default") == 2, "the live worker's message came back"
    # Ours: a second delivery finds no lease (tests/crash/test_redis_faults.py), and who is dead is
    # told by a lock the kernel frees, not by a clock (tests/unit/jobs/test_jobs_reconcile.py).


def test_clean_up_after_the_dead_is_a_lottery_and_ours_is_not():
    client = fakeredis.FakeRedis()
    assert RedisBroker(client=client).maintenance_chance == 1000
    ours = LedgerBroker(client, "i")
    assert ours.maintenance_chance == 1_000_000
    assert ours.heartbeat_timeout == 10_000


def test_delayed_messages_live_in_a_workers_memory_and_ours_has_no_delay_queue():
    plain = RedisBroker(client=fakeredis.FakeRedis(), middleware=[])
    plain.declare_queue("quick")
    ours = LedgerBroker(fakeredis.FakeRedis(), "i")
    ours.declare_queue("quick")

    assert (plain.delay_queues, ours.delay_queues) == ({"quick.DQ"}, set())


def test_an_unknown_actor_is_dead_lettered_and_ours_keeps_it_for_a_minute():
    broker = LedgerBroker(fakeredis.FakeRedis(), "i")
    assert broker.dead_message_ttl == 60_000


def test_redis_clients_retry_behind_our_back_and_ours_does_not():
    import redis

    plain, ours = redis.Redis(), connect("redis://127.0.0.1:1/0")
    assert plain.get_retry() is not None and plain.get_retry()._retries > 0
    started = time.monotonic()
    with pytest.raises(redis.ConnectionError):
        ours.ping()
    assert time.monotonic() - started < 1
    assert ours.get_retry()._retries == 0
    assert ours.connection_pool.connection_kwargs["socket_timeout"] == 5


def test_prefetch_takes_twice_the_threads_out_of_order_and_ours_takes_no_more_than_it_runs(
    up: Start,
):
    plain = dramatiq.Worker(StubBroker(middleware=[]), worker_threads=4)
    assert plain.queue_prefetch == 8
    assert up(threads=4).runner._worker.queue_prefetch == 4


def test_stopping_while_redis_is_away_raises_and_ours_hands_back_first(
    redis_server: RedisServer, up: Start
):
    ours = up(threads=2, redis_url=redis_server.url)
    with writing(ours.context.stores.group("main")) as conn:
        for number in range(6):
            add(conn, NOTE_KIND, {"id": number, "ms": 3000}, system_clock())
    wait_until(ours.runner.heartbeat.busy)
    redis_server.kill()
    stopping = threading.Thread(target=ours.stop)
    stopping.start()

    wait_until(lambda: all(state != "running" for _kind, state in states(ours)), 10)
    stopping.join(timeout=30)
    assert not stopping.is_alive()


def test_prometheus_shows_nothing_if_imported_before_its_folder_is_set_so_we_use_none():
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ
    import prometheus_client

    assert "Multi" not in prometheus_client.values.ValueClass.__name__
