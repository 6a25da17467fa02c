"""A message that is delivered again while its first delivery runs changes nothing for that run.

Dramatiq's maintenance does this to the messages of a worker that stood still for a while.
"""

from collections.abc import Callable

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.testing import FAIL, HANG, NOTE_KIND, TEST_ROUTES, TURN, traces

Start = Callable[..., Up]


@pytest.fixture
def one(up: Start) -> Up:
    return up(threads=4)


def store_of(up: Up) -> Store:
    return up.context.stores.group("main")


def states(up: Up) -> dict[tuple[str, str], int]:
    with reading(store_of(up)) as conn:
        return counts(conn)


def start_running(up: Up, kind: Kind, **payload: object) -> None:
    with writing(store_of(up)) as conn:
        add(conn, kind, payload, system_clock())
    wait_until(lambda: (kind.name, "running") in states(up))


def deliver_again(up: Up, kind: Kind) -> None:
    """Put the message that runs back on its queue, and wait until a second thread had it."""
    queue = f"{up.broker.namespace}:{TEST_ROUTES[kind.name].queue}"
    client = up.broker.client
    (uid,) = client.hkeys(f"{queue}.msgs")
    client.rpush(queue, uid)
    up.broker.wakeup(TEST_ROUTES[kind.name].queue).set()
    wait_until(lambda: not client.exists(f"{queue}.msgs"))  # acknowledged by the second delivery
    assert states(up) == {(kind.name, "running"): 1}, "the first delivery still runs"


def test_a_run_that_fails_is_retried_at_its_time(one: Up):
    start_running(one, FAIL, ms=1500)
    deliver_again(one, FAIL)

    wait_until(lambda: states(one) == {(FAIL.name, "later"): 1})
    with reading(store_of(one)) as conn:
        (job,) = listing(conn)
    assert (job.attempts, job.last_error) == (1, "UnavailableError: the outside is away")


def test_a_run_that_hangs_is_ended_by_its_deadline(one: Up):
    start_running(one, HANG, id=1, seconds=4)
    deliver_again(one, HANG)

    wait_until(lambda: states(one) != {(HANG.name, "running"): 1})
    with reading(store_of(one)) as conn:
        (job,) = listing(conn)
    assert job.last_error == "passed its deadline of 1 s"


def test_a_run_that_is_stopped_is_handed_back(one: Up):
    start_running(one, NOTE_KIND, id=1, ms=5000)
    deliver_again(one, NOTE_KIND)
    one.stop()

    assert set(states(one)) <= {(NOTE_KIND.name, "ready"), (NOTE_KIND.name, "sent")}


def test_a_run_keeps_its_slot_and_its_lock(one: Up):
    start_running(one, TURN, id=1, role="a", ms=1500)
    deliver_again(one, TURN)

    assert one.runner.heartbeat.busy() == 1
    assert one.broker.client.exists(f"{one.broker.namespace}:lock:role a")
    wait_until(lambda: not states(one))
    with reading(store_of(one)) as conn:
        assert traces(conn) == {"1": 1}
