"""Dramatiq's Redis broker, changed so that a lost or repeated message costs only time.

The ledger is the truth, so the transport only has to be quick: no delay queues, no retries in the
client, a consumer that wakes at once, and messages of unknown form are removed.
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
from afterword.workers.broker.announcements import Announcements
from afterword.workers.broker.outage import Outage

IDLE_POLL_S = 0.1
"""How often an idle consumer polls Redis while its process has no subscription; seconds."""

SUBSCRIBED_POLL_S = 1.0
"""How often it polls while it is subscribed, because an announcement may be lost; seconds."""

FULL_POLL_S = 3.0
"""How often a consumer without free places asks Redis for nothing; seconds. Dramatiq's maintenance
takes a silent consumer for dead."""


class SilentServerError(UnavailableError):
    """Redis does not answer; it may come back by itself."""


class LedgerBroker(RedisBroker):
    """A RedisBroker whose messages carry ids of rows in the ledger.

    Args:
        client: from `connect` or `in_process`.
        instance_id: makes the namespace `afterword:<instance id>`.
        in_process: whether sender and consumers are in this process; the sender then wakes them.
        monotonic: seconds; measures how long an outage lasts.
    """

    def __init__(
        self,
        client: "redis.Redis",
        instance_id: str,
        in_process: bool = False,
        monotonic: Monotonic = monotonic,
    ) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # dramatiq leaves it untyped
            client=client,
            namespace=f"afterword:{instance_id}",
            middleware=[],
            # Dramatiq cleans up after dead workers at random: by default after some 12 minutes.
            maintenance_chance=1_000_000,
            heartbeat_timeout=10_000,
            dead_message_ttl=60_000,
        )
        self._poll_s = 5.0 if in_process else None
        self._announcements = Announcements(client, self._key("bell"), self._wake)
        self._wakeups: dict[str, threading.Event] = {}
        self.outage = Outage(monotonic)
        self._is_checked = in_process

    @property
    def consumer_class(self) -> type["LedgerConsumer"]:
        """Return the class of the consumers that dramatiq starts, one for each queue."""
        return LedgerConsumer

    def declare_queue(self, queue_name: str) -> None:
        """Declare a queue without a delay queue, which would keep messages in workers' memory."""
        if queue_name not in self.queues:
            self.emit_before("declare_queue", queue_name)
            self.queues.add(queue_name)
            self.emit_after("declare_queue", queue_name)

    def wakeup(self, queue_name: str) -> threading.Event:
        """Return the event that ends the sleep of this queue's consumers."""
        return self._wakeups.setdefault(queue_name, threading.Event())

    @property
    def idle_poll_s(self) -> float:
        """How long an idle consumer sleeps if nothing wakes it; seconds."""
        if self._poll_s is not None:
            return self._poll_s
        return SUBSCRIBED_POLL_S if self._announcements.is_subscribed else IDLE_POLL_S

    def listen(self) -> None:
        """Let the messages of other processes wake this one's consumers."""
        if self._poll_s is None:
            self._announcements.start()

    def prepare_stop(self) -> None:
        """Wake idle consumers now and often, so that they stop quickly."""
        self._announcements.stop()
        self._poll_s = 0.02
        self._wake("")

    def _wake(self, queue_name: str) -> None:
        """Wake the consumers of a queue, or of all queues for ""."""
        for name, wakeup in list(self._wakeups.items()):
            if queue_name in ("", name):
                wakeup.set()

    def check_once(self) -> None:
        """Refuse unsafe settings of the server before anything is sent to it.

        Raises:
            UnavailableError: a setting is unsafe; the message says what to change.
            redis.RedisError: Redis does not answer.
        """
        if not self._is_checked:
            with self.outage.watched("relay"):
                _refuse_unsafe(self.client)
            self._is_checked = True

    def send(self, messages: Iterable["dramatiq.Message[Any]"], urgent: bool = False) -> None:
        """Put messages on their queues in one round trip.

        Args:
            urgent: put them in front of the waiting messages.

        Raises:
            redis.RedisError: it is unknown which messages arrived; the ledger sends them again.
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
            self._wake(queue)

    def waiting(self, queues: Iterable[str], epoch: str = "epoch") -> tuple[bool, dict[str, int]]:
        """Return whether the epoch key exists, and how many messages wait on each queue.

        Args:
            epoch: the key of those whose lost messages this process sends again.

        Raises:
            redis.RedisError: Redis does not answer; no job may be claimed.
        """
        names = list(queues)
        with self.client.pipeline(transaction=False) as pipe:
            pipe.exists(self._key(epoch))
            for name in names:
                pipe.llen(self._key(name))
            with self.outage.watched("relay"):
                found = pipe.execute()
        return bool(found[0]), dict(zip(names, found[1:], strict=True))

    def begin_epoch(self, epoch: str = "epoch") -> None:
        """Set the epoch key, after all jobs whose messages were lost were made ready again."""
        self.client.set(self._key(epoch), 1)

    def end_epoch(self, epoch: str) -> None:
        """Remove an epoch key that nobody asks for any more."""
        self.client.delete(self._key(epoch))

    def drop(self, queue_name: str, data: bytes) -> None:
        """Remove a message of unknown form; it would be delivered again at every restart."""
        key, acks = (
            self._key(queue_name),
            f"{self.namespace}:__acks__.{self.broker_id}.{queue_name}",
        )
        for uid, body in self.client.hscan_iter(f"{key}.msgs"):
            if body == data:
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
    """Returns one message at a time, sleeps until woken, and removes messages of unknown form."""

    def __init__(self, broker: LedgerBroker, queue_name: str, prefetch: int, timeout: int) -> None:
        super().__init__(broker, queue_name, prefetch, timeout)  # type: ignore[no-untyped-call]
        self._wakeup = broker.wakeup(queue_name)

    def __next__(self) -> Delivery | None:
        try:
            while True:
                if not self.message_cache:
                    places = self.prefetch - self.outstanding_message_count
                    # With no free place it fetches nothing, but shows dramatiq that it is alive.
                    with self.broker.outage.watched("fetch"):
                        self.message_cache = self.broker.do_fetch(self.queue_name, max(0, places))
                    if not self.message_cache:
                        self._sleep(FULL_POLL_S if places <= 0 else self.broker.idle_poll_s)
                        return None
                message = self._decoded(self.message_cache.pop(0))
                if message is not None:
                    self.queued_message_ids.add(message.message_id)
                    return Delivery(message)
        except redis.RedisError as error:  # a time-out is not a ConnectionError
            raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]

    def ack(self, message: Any) -> None:
        """Acknowledge a message, and fetch the next one at once."""
        emit("jobs.acking")
        self._settled(super().ack, message)

    def nack(self, message: Any) -> None:
        """Reject a message, and fetch the next one at once."""
        self._settled(super().nack, message)

    def _settled(self, settle: Any, message: Any) -> None:
        # The ledger knows how the job ended. An error here would keep this worker thread in
        # dramatiq's retry loop until Redis is back. If the message comes again, it finds no work.
        try:
            with suppress(redis.RedisError, ConnectionClosed), self.broker.outage.watched("ack"):
                settle(message)
        finally:
            self._wakeup.set()

    def _sleep(self, seconds: float) -> None:
        self._wakeup.wait(seconds)
        self._wakeup.clear()

    def _decoded(self, data: bytes | None) -> "dramatiq.Message[Any] | None":
        if data is None:  # the message itself is gone, only its id is left
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
    """Return a client that fails at once and never retries by itself.

    A retry of a fetch or of a send would take or send messages twice.

    Raises:
        InvalidInputError: not a Redis URL. It may hold a password, so the message leaves it out.
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
        raise _no_redis_url(f"has an option unknown to the Redis client ({error})") from None
    except ValueError:
        raise _no_redis_url("cannot be read as a Redis URL") from None
    return client


def _no_redis_url(problem: str) -> InvalidInputError:
    accepted = "redis://HOST:PORT/DATABASE, the same with rediss://, or unix:///PATH?db=DATABASE"
    return InvalidInputError("AFTERWORD_REDIS_URL", problem, accepted)


def in_process() -> "redis.Redis":
    """Return a Redis server inside this process, for `up`, `demo` and tests."""
    return fakeredis.FakeRedis()


def check_server(client: "redis.Redis") -> None:
    """Refuse a Redis whose settings would lose or hide messages.

    Raises:
        SilentServerError: it does not answer.
        UnavailableError: it evicts keys, is a cluster, or shares its database with another
            program; the message says what to change.
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
            f"the Redis database holds keys of other programs (such as {foreign[0][:40]}); "
            "give Afterword a database of its own: the number at the end of AFTERWORD_REDIS_URL"
        )


def _is_ours(message: "dramatiq.Message[Any]", queue_name: str, actors: Container[str]) -> bool:
    """Say whether a message has the form that we send; any other could stop a thread of dramatiq.

    Args:
        actors: the actors of this process; dramatiq would dead-letter a message for any other.
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
