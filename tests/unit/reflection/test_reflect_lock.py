"""The lock of a role: one lost is told and given up, the others are kept."""

from collections.abc import Callable

import dramatiq
import fakeredis
import pytest
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import SkipMessage

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.settings import load
from afterword.workers.broker.broker import Delivery
from afterword.workers.broker.outage import Outage
from afterword.workers.middleware.serial import LOCK_S, Serial
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context


@pytest.fixture
def client():
    return fakeredis.FakeStrictRedis()


@pytest.fixture
def begin(home, client) -> Callable[[str], tuple[Serial, object]]:
    """Let a worker's middleware see the message of one more job of a role."""
    context = build_context(load(home=home, synchronous="NORMAL"))
    store = context.stores.group("main", create=True)
    runtime = context.runtime
    outage = Outage(runtime.monotonic)
    serial = Serial(context.stores, runtime.clock, client, "test", outage)
    broker = StubBroker(middleware=[serial])
    kind = REFLECT_ENTRIES.name

    @dramatiq.actor(broker=broker, actor_name=kind, serial=ROUTES[kind].serial)
    def reflect(group: str, ids: list[int]) -> None:
        """Only its options count here."""

    def one(role: str):
        with writing(store) as conn:
            add(conn, REFLECT_ENTRIES, {"role": role}, system_clock())
        with reading(store) as conn:
            newest = max(job.id for job in listing(conn))
        delivery = Delivery(reflect.message("main", [newest]))
        serial.before_process_message(broker, delivery)
        return delivery

    one.serial, one.broker, one.store = serial, broker, store
    yield one
    context.stores.close()


def test_a_second_job_of_a_role_is_handed_back_and_says_what_it_waits_for(begin):
    begin("desk.a")
    begin("desk.b")
    with pytest.raises(SkipMessage, match="lock held"):
        begin("desk.a")

    with reading(begin.store) as conn:
        waits = [job.waits_for for job in listing(conn)]
    assert waits.count("lock role main desk.a") == 1


def test_a_lost_lock_is_given_up_and_the_others_are_renewed(begin, client):
    begin("desk.a")
    begin("desk.b")
    client.delete("test:lock:role main desk.a")  # Redis was emptied, or it expired in a freeze
    client.pexpire("test:lock:role main desk.b", 5_000)
    told = []
    stop = listen(lambda action, _facts: told.append(action))
    for _ in range(2):
        begin.serial.renew()
    stop()

    assert client.pttl("test:lock:role main desk.b") > (LOCK_S - 1) * 1_000
    assert told == ["serial.lost"]
    begin("desk.a")  # it is free


def test_a_worker_that_wakes_does_not_release_the_lock_of_another(begin, client):
    frozen = begin("desk.a")
    client.delete("test:lock:role main desk.a")
    begin("desk.a")
    begin.serial.after_process_message(begin.broker, frozen)

    with pytest.raises(SkipMessage):
        begin("desk.a")
