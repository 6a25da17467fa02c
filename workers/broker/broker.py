"""Dramatiq's Redis broker with its sharp edges taken off; what it carries may vanish at any time.

The ledger is the truth, so the transport only has to be quick and never in the way: no delay
queues, no client-side retries, a consumer that wakes at once, and no message that can hurt.
"""

import threading
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import Any

import dramatiq
import fakeredis
import redis
from dramatiq.brokers.redis import RedisBroker, _RedisConsumer
from dramatiq.errors import ConnectionClosed, DecodeError
from redis.backoff import NoBackoff
from redis.retry import Retry

from afterword.pipeline import descriptors
from afterword.pipeline.clock import Monotonic, monotonic
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.workers.broker.bell import Bell
from afterword.workers.broker.outage import Outage

IDLE_POLL_S = 0.1
"""How often an idle consumer polls Redis while its process has no subscription; seconds."""

RUNG_POLL_S = 1.0
"""How often it polls while it is subscribed, for announcements that were lost; seconds."""

HEARTBEAT_S = 3.0
"""How often a consumer that is full shows dramatiq's maintenance that it lives."""


class SilentServerError(UnavailableError):
    """Redis does not answer; it may come back by itself."""


class LedgerBroker(RedisBroker):
    """A RedisBroker whose messages are hints: ids of rows in the ledger.

    Args:
        client: from `connect` or `in_process`.
        instance_id: makes the namespace `afterword:<instance id>`.
        doorbell: whether sender and consumers share this process, so that the sender wakes them.
        monotonic: seconds; measures how long an outage lasts.
    """

    def __init__(
        self,
        client: "redis.Redis",
        instance_id: str,
        doorbell: bool = False,
        monotonic: Monotonic = monotonic,
    ) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # dramatiq leaves it untyped
            client=client,
            namespace=f"afterword:{instance_id}",
            middleware=[],
            # Clean-up of dead workers runs by lottery; at the default a message waits ~12 minutes.
            maintenance_chance=1_000_000,
            heartbeat_timeout=10_000,
            dead_message_ttl=60_000,
        )
        self._poll_s = 5.0 if doorbell else None
        self._bell = Bell(client, self._key("bell"), self._ring)
        self._wakes: dict[str, threading.Event] = {}
        self.outage = Outage(monotonic)
        self._is_checked = doorbell

    @property
    def consumer_class(self) -> type["LedgerConsumer"]:
        return LedgerConsumer

    def declare_queue(self, queue_name: str) -> None:
        """Declare a queue without its delay twin, which holds messages in workers' memory."""
        if queue_name not in self.queues:
            self.emit_before("declare_queue", queue_name)
            self.queues.add(queue_name)
            self.emit_after("declare_queue", queue_name)

    def wake(self, queue_name: str) -> threading.Event:
        """Return the event that a consumer of this queue sleeps on."""
        return self._wakes.setdefault(queue_name, threading.Event())

    @property
    def idle_poll_s(self) -> float:
        """How long an idle consumer sleeps if nothing wakes it; seconds."""
        if self._poll_s is not None:
            return self._poll_s
        return RUNG_POLL_S if self._bell.is_heard else IDLE_POLL_S

    def listen(self) -> None:
        """Let the messages of other processes wake this one's consumers."""
        if self._poll_s is None:
            self._bell.start()

    def hurry(self) -> None:
        """Let idle consumers look up now and often, so that a stop is quick."""
        self._bell.stop()
        self._poll_s = 0.02
        self._ring("")

    def _ring(self, queue_name: str) -> None:
        """Wake the consumer of a queue, or all of them."""
        for name, wake in list(self._wakes.items()):
            if queue_name in ("", name):
                wake.set()

    def check_once(self) -> None:
        """Refuse unsafe settings of the server before anything is sent to it.

        Raises:
            UnavailableError: what to change.
            redis.RedisError: Redis does not answer.
        """
        if not self._is_checked:
            with self.outage.watched("relay"):
                _refuse_unsafe(self.client)
            self._is_checked = True

    def send(self, messages: Iterable["dramatiq.Message[Any]"], urgent: bool = False) -> None:
        """Put messages on their queues in one round trip.

        Args:
            urgent: in front of what waits there.

        Raises:
            redis.RedisError: nothing can be said about what arrived; the ledger sends again.
        """
        queues = set()
        with self.client.pipeline(transaction=True) as pipe:
            for message in messages:
                uid = message.message_id
                full = message.copy(options={"redis_message_id": uid})
                key = self._key(message.queue_name)
                pipe.hset(f"{key}.msgs", uid, full.encode())
                (pipe.lpush if urgent else pipe.rpush)(key, uid)
                queues.add(message.queue_name)
            for queue in queues:
                pipe.publish(self._key("bell"), queue)
            with self.outage.watched("relay"):
                pipe.execute()
        for queue in queues:
            self._ring(queue)

    def waiting(self, queues: Iterable[str]) -> tuple[bool, dict[str, int]]:
        """Return whether the namespace still has its epoch, and each queue's waiting messages.

        Raises:
            redis.RedisError: Redis does not answer; nothing may be claimed.
        """
        names = list(queues)
        with self.client.pipeline(transaction=False) as pipe:
            pipe.exists(self._key("epoch"))
            for name in names:
                pipe.llen(self._key(name))
            with self.outage.watched("relay"):
                found = pipe.execute()
        return bool(found[0]), dict(zip(names, found[1:], strict=True))

    def begin_epoch(self) -> None:
        """Mark the namespace as one whose lost messages have been given back."""
        self.client.set(self._key("epoch"), 1)

    def drop(self, queue_name: str, data: bytes) -> None:
        """Remove a message that cannot be understood; it would come back with every restart."""
        key, acks = (
            self._key(queue_name),
            f"{self.namespace}:__acks__.{self.broker_id}.{queue_name}",
        )
        for uid, held in self.client.hscan_iter(f"{key}.msgs"):
            if held == data:
                self.client.hdel(f"{key}.msgs", uid)
                self.client.srem(acks, uid)

    def _key(self, name: str) -> str:
        return f"{self.namespace}:{name}"


class Delivery(dramatiq.MessageProxy):
    """One delivery of a message to this process; compared and hashed by identity.

    A message can be delivered a second time while its first delivery still runs, so leases, locks
    and slots are kept per delivery, never per message id.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class LedgerConsumer(_RedisConsumer):
    """Hands out one message at a time, sleeps until woken, and throws away what is not ours."""

    def __init__(self, broker: LedgerBroker, queue_name: str, prefetch: int, timeout: int) -> None:
        super().__init__(broker, queue_name, prefetch, timeout)  # type: ignore[no-untyped-call]
        self._wake = broker.wake(queue_name)

    def __next__(self) -> Delivery | None:
        try:
            while True:
                if not self.message_cache:
                    room = self.prefetch - self.outstanding_message_count
                    # Asking for nothing is a heartbeat: without it a busy worker looks dead.
                    with self.broker.outage.watched("fetch"):
                        self.message_cache = self.broker.do_fetch(self.queue_name, max(0, room))
                    if not self.message_cache:
                        self._sleep(HEARTBEAT_S if room <= 0 else self.broker.idle_poll_s)
                        return None
                message = self._understood(self.message_cache.pop(0))
                if message is not None:
                    self.queued_message_ids.add(message.message_id)
                    return Delivery(message)
        except redis.RedisError as error:  # a time-out is no ConnectionError, and is not retried
            raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]

    def ack(self, message: Any) -> None:
        """Acknowledge, and fetch the next one at once."""
        emit("jobs.acking")
        self._settled(super().ack, message)

    def nack(self, message: Any) -> None:
        """Reject, and fetch the next one at once."""
        self._settled(super().nack, message)

    def _settled(self, settle: Any, message: Any) -> None:
        # The ledger knows how the job ended. Raising would hold this worker thread in
        # dramatiq's retry loop until Redis is back; a message delivered again finds no work.
        try:
            with suppress(redis.RedisError, ConnectionClosed), self.broker.outage.watched("ack"):
                settle(message)
        finally:
            self._wake.set()

    def _sleep(self, seconds: float) -> None:
        self._wake.wait(seconds)
        self._wake.clear()

    def _understood(self, data: bytes | None) -> "dramatiq.Message[Any] | None":
        if data is None:  # its id outlived its body
            return None
        try:
            message = dramatiq.Message.decode(data)
            if _is_ours(message, self.queue_name, self.broker.actors):
                return message
        except DecodeError:
            pass
        emit("broker.dropped", queue=self.queue_name, bytes=len(data))
        self.broker.drop(self.queue_name, data)
        return None


def connect(url: str) -> "redis.Redis":
    """Return a client that fails at once instead of retrying behind our back.

    A hidden retry of a fetch or an enqueue takes or sends messages twice.

    Raises:
        InvalidInputError: not a Redis URL; it may hold a password, so the message leaves it out.
    """
    try:
        client = redis.Redis.from_url(
            url,
            socket_timeout=5,
            socket_connect_timeout=2,
            retry=Retry(NoBackoff(), 0),
            retry_on_timeout=False,
            client_name="afterword",
        )
        pool = client.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # reads the options, and does not connect
    except TypeError as error:  # it names the option
        raise _no_redis_url(f"has an option the Redis client does not know ({error})") from None
    except ValueError:
        raise _no_redis_url("cannot be read as a Redis URL") from None
    return client


def _no_redis_url(problem: str) -> InvalidInputError:
    accepted = "redis://HOST:PORT/DATABASE, the same with rediss://, or unix:///PATH?db=DATABASE"
    return InvalidInputError("AFTERWORD_REDIS_URL", problem, accepted)


def in_process() -> "redis.Redis":
    """Return a Redis that lives in this process, for `up`, `demo` and tests."""
    return fakeredis.FakeRedis()


def check_server(client: "redis.Redis") -> None:
    """Refuse a Redis whose settings would lose or hide messages.

    Raises:
        SilentServerError: it does not answer.
        UnavailableError: an eviction policy, a cluster, or a database shared with
            another program; the message says what to change.
    """
    try:
        _refuse_unsafe(client)
    except redis.RedisError as error:
        if descriptors.is_want_of(error):
            raise descriptors.none_left("Redis") from None
        raise SilentServerError(
            f"Redis does not answer ({error}); start it, or check AFTERWORD_REDIS_URL"
        ) from None


def _refuse_unsafe(client: "redis.Redis") -> None:
    memory, server = client.info("memory"), client.info("cluster")
    keys = [repr(key) for key in client.scan(count=200)[1]]
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise UnavailableError(
            f"Redis may evict keys (maxmemory-policy {policy}); "
            "set `maxmemory-policy noeviction` in redis.conf"
        )
    if server.get("cluster_enabled"):
        raise UnavailableError("Redis Cluster is not supported; use a single Redis server")
    foreign = [key for key in keys if not key.startswith("b'afterword:")]
    if foreign:
        raise UnavailableError(
            f"the Redis database holds other programs' keys (such as {foreign[0][:40]}); "
            "give Afterword a database of its own: the number at the end of AFTERWORD_REDIS_URL"
        )


def _is_ours(message: "dramatiq.Message[Any]", queue_name: str, actors: Container[str]) -> bool:
    """Say whether a message has the only shape we send; any other could end a thread of dramatiq.

    Args:
        actors: the names that can be run here; dramatiq would dead-letter any other.
    """
    args = message.args
    return (
        message.queue_name == queue_name
        and isinstance(message.message_id, str)
        and isinstance(message.actor_name, str)
        and message.actor_name in actors
        and isinstance(message.options, dict)
        and isinstance(message.options.get("redis_message_id"), str)
        and "eta" not in message.options
        and message.kwargs == {}
        and len(args) == 2
        and isinstance(args[0], str)
        and isinstance(args[1], list)
        and all(type(job_id) is int for job_id in args[1])
    )
