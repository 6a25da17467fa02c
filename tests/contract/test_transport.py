"""Contract of the transport: on a Redis server, and inside this process."""

from collections.abc import Callable, Iterator
from contextlib import closing

import dramatiq
import fakeredis
import pytest
import redis

from afterword.pipeline.testing.redis_server import RedisServer
from afterword.workers.broker.broker import LedgerBroker, LedgerConsumer, connect, in_process

QUEUE = "quick"

Consume = Callable[..., LedgerConsumer]


@pytest.fixture(params=["in process", pytest.param("server", marks=pytest.mark.redis)])
def client(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    if request.param == "in process":
        yield in_process()
        return
    server: RedisServer = request.getfixturevalue("redis_server")
    with closing(connect(server.url)) as client:
        yield client


@pytest.fixture
def make(client: redis.Redis) -> Callable[[], LedgerBroker]:
    """Make the broker of another process of the same installation."""

    def broker() -> LedgerBroker:
        made = LedgerBroker(client, "i", in_process=isinstance(client, fakeredis.FakeRedis))
        made.declare_queue(QUEUE)
        made.prepare_stop()  # an idle consumer wakes at once
        dramatiq.actor(broker=made, actor_name="work", queue_name=QUEUE)(lambda _group, _ids: None)
        return made

    return broker


@pytest.fixture
def broker(make: Callable[[], LedgerBroker]) -> LedgerBroker:
    return make()


@pytest.fixture
def consume() -> Iterator[Consume]:
    consumers: list[LedgerConsumer] = []

    def start(broker: LedgerBroker, prefetch: int = 10) -> LedgerConsumer:
        consumers.append(broker.consume(QUEUE, prefetch=prefetch, timeout=10))
        return consumers[-1]

    yield start
    for consumer in consumers:
        consumer.close()


def message(*jobs: int) -> "dramatiq.Message[None]":
    return dramatiq.Message(QUEUE, "work", ("main", list(jobs)), {}, {})


def jobs(consumer: LedgerConsumer, most: int = 10) -> list[list[int]]:
    """Return the jobs of the next messages, until none waits."""
    found = []
    while len(found) < most and (one := next(consumer)) is not None:
        found.append(list(one.args[1]))
    return found


def test_messages_arrive_whole_in_the_order_they_were_sent(broker, consume):
    broker.send([message(1, 2), message(3)])
    broker.send([message(4)])

    assert jobs(consume(broker)) == [[1, 2], [3], [4]]


def test_an_urgent_message_goes_in_front_of_what_waits(broker, consume):
    broker.send([message(1), message(2)])
    broker.send([message(3)], urgent=True)

    assert jobs(consume(broker)) == [[3], [1], [2]]


def test_it_counts_what_waits_and_forgets_what_is_acknowledged(broker, consume, client):
    broker.send([message(1), message(2)])
    assert broker.waiting([QUEUE]) == (False, {QUEUE: 2})

    consumer = consume(broker)
    found = [next(consumer), next(consumer)]
    assert broker.waiting([QUEUE]) == (False, {QUEUE: 0})
    for one in found:
        consumer.ack(one)
    assert client.hlen(f"afterword:i:{QUEUE}.msgs") == 0


def test_no_more_is_taken_than_was_asked_for(broker, consume):
    broker.send([message(number) for number in range(5)])
    consumer = consume(broker, prefetch=2)

    assert jobs(consumer, most=2) == [[0], [1]]
    assert broker.waiting([QUEUE])[1] == {QUEUE: 3}


def test_a_message_reaches_one_of_two_processes(make, consume):
    ours, theirs = make(), make()
    ours.send([message(number) for number in range(4)])

    first, second = consume(ours, prefetch=2), consume(theirs, prefetch=2)
    assert sorted(jobs(first, most=2) + jobs(second, most=2)) == [[0], [1], [2], [3]]


def test_what_is_no_message_of_ours_is_dropped_and_the_others_arrive(broker, consume, client):
    for uid, body in (("rubbish", b"\xff not json"), ("foreign", message(1).encode())):
        broker.do_enqueue(QUEUE, uid, body)
    broker.send([message(2)])

    assert jobs(consume(broker)) == [[2]]
    assert client.hlen(f"afterword:i:{QUEUE}.msgs") == 1


def test_an_epoch_stands_until_the_server_comes_back_empty(broker, client):
    broker.begin_epoch()
    assert broker.waiting([QUEUE])[0]

    client.flushall()
    assert not broker.waiting([QUEUE])[0]


def test_two_installations_do_not_see_each_others_messages(broker, client, consume):
    other = LedgerBroker(client, "other")
    other.declare_queue(QUEUE)
    other.prepare_stop()
    broker.send([message(1)])

    assert other.waiting([QUEUE])[1] == {QUEUE: 0}
    assert jobs(consume(other)) == []


def test_what_a_process_puts_back_reaches_another_one(make, consume):
    ours, theirs = make(), make()
    ours.send([message(1)])
    stopping = consume(ours)
    stopping.requeue([next(stopping)])

    assert jobs(consume(theirs)) == [[1]]


def test_a_fresh_one_passes_the_check_of_its_settings(broker):
    broker.check_once()
