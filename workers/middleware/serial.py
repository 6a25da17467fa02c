"""Run jobs with the same lock one at a time.

The lock saves money; correctness needs only the ledger.
"""

from datetime import timedelta
from typing import Any

import redis
from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage
from redis.exceptions import LockError
from redis.lock import Lock

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.fail import postpone
from afterword.pipeline.core.jobs.inspect import payload_of
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.workers.broker.broker import Delivery
from afterword.workers.broker.outage import Outage

LOCK_S = 30.0
"""A holder that does not renew the lock for so long loses it; seconds."""

_RETRY_S = 1.0
"""How soon a job that found the lock taken tries again; seconds."""


class Serial(Middleware):
    """Takes the lock that an actor's option `serial` names; if it is taken, the job is postponed.

    Args:
        client: the Redis of the broker.
        namespace: namespace of the broker, so that installations do not share locks.
        outage: notes whether Redis answers.
    """

    def __init__(
        self,
        stores: Stores,
        clock: Clock,
        client: "redis.Redis",
        namespace: str,
        outage: Outage,
    ) -> None:
        self._stores, self._clock = stores, clock
        self._client, self._namespace, self._outage = client, namespace, outage
        self._locks: dict[Delivery, Lock] = {}

    @property
    def actor_options(self) -> set[str]:
        """Return the option by which an actor names its lock."""
        return {"serial"}

    def before_process_message(self, broker: Broker, message: Any) -> None:
        """Take the lock of a message's job; if it is taken, postpone the job.

        Raises:
            SkipMessage: the lock is taken, the job is gone, or Redis did not answer.
        """
        named = broker.get_actor(message.actor_name).options.get("serial")
        if named is None:
            return
        try:
            taken = self._take(named, message)
        except Exception as error:
            raise SkipMessage(f"serial gate failed: {error}") from error
        if not taken:
            raise SkipMessage("lock held")

    def after_process_message(
        self, broker: Broker, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        """Release the lock of a run that ended."""
        self._release(message)

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        """Release the lock of a message that another middleware skipped."""
        # This is also called for messages that this middleware never saw; they have no lock.
        self._release(message)

    def renew(self) -> None:
        """Renew the locks of the running jobs; called with every heartbeat."""
        for delivery, lock in list(self._locks.items()):
            try:
                with self._outage.watched("lock"):
                    lock.reacquire()
            except LockError as error:  # lost; the job's key and epoch still protect it
                emit("serial.lost", error=type(error).__name__)
                self._locks.pop(delivery, None)
            except redis.RedisError:
                return  # the next heartbeat tries again; each try may wait 5 s for a frozen Redis

    def _take(self, named: Any, message: Any) -> bool:
        group, job_ids = message.args
        store = self._stores.at(group)
        with reading(store) as conn:
            payload = payload_of(conn, job_ids[0])
        if payload is None:
            return False
        name = named(group, payload)
        # A worker thread takes it, the heartbeat thread renews it: no thread-local token.
        lock = Lock(
            self._client,
            f"{self._namespace}:lock:{name}",
            timeout=LOCK_S,
            blocking=False,
            thread_local=False,
        )
        if lock.acquire():
            self._locks[message] = lock
            return True
        now = self._clock()
        with writing(store) as conn:
            postpone(conn, job_ids, now + timedelta(seconds=_RETRY_S), f"lock {name}", now)
        return False

    def _release(self, message: Any) -> None:
        lock = self._locks.pop(message, None)
        if lock is None:
            return
        try:
            with self._outage.watched("lock"):
                lock.release()
        except LockError as error:  # expired while it was held
            emit("serial.lost", error=type(error).__name__)
        except redis.RedisError:
            pass  # Redis is away: the lock expires by itself
