"""An idle worker rarely asks Redis, and starts a message as soon as it is sent."""

from typing import Any

import pytest

from afterword.pipeline.testing.wait import wait_until
from afterword.workers.broker.broker import connect
from afterword.workers.routes import QUEUES
from afterword.workers.testing import NOTE_KIND

pytestmark = pytest.mark.crash


@pytest.fixture
def client(host: Any):
    found = connect(host.redis.url)
    yield found
    found.close()


def calls(client: Any, command: str) -> int:
    return int(client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


def listeners(host: Any, client: Any) -> int:
    ((_, number),) = client.pubsub_numsub(f"afterword:{host.stores.instance_id}:bell")
    return int(number)


def test_an_idle_worker_asks_redis_about_once_a_second_for_each_queue(host: Any, client: Any):
    host.dispatcher()
    host.worker()
    wait_until(lambda: listeners(host, client) == 1)
    looks, fetches = calls(client, "exists"), calls(client, "evalsha")
    wait_until(lambda: calls(client, "exists") >= looks + 8)  # the dispatcher's: two a second
    seconds = (calls(client, "exists") - looks) / 2

    assert calls(client, "evalsha") - fetches <= 2 * len(QUEUES) * seconds


def test_a_message_reaches_an_idle_worker_without_a_poll(host: Any, client: Any):
    host.worker()
    wait_until(lambda: listeners(host, client) == 1)
    host.dispatcher()
    for number in range(20):
        host.add(NOTE_KIND, [{"id": number}])
        wait_until(lambda n=number: len(host.effects()) == n + 1)

    with host.store.readers().connect() as conn:
        waited = conn.exec_driver_sql("SELECT waited_us FROM job_runs ORDER BY waited_us").all()
    assert waited[10][0] < 250_000, "half of the jobs started sooner than a poll would find them"


def test_the_bell_is_heard_again_after_redis_came_back(host: Any, client: Any):
    host.dispatcher()
    host.worker()
    wait_until(lambda: listeners(host, client) == 1)
    host.redis.kill()
    host.redis.start()

    wait_until(lambda: listeners(host, client) == 1)
    host.add(NOTE_KIND, [{"id": 0}])
    host.drained()
    assert host.effects() == {"0": 1}
