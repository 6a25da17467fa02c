"""Log one warning when Redis stops answering and one line when it answers again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from dramatiq.errors import ConnectionClosed
from redis.exceptions import LockError

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.telemetry import emit


class Outage:
    """Whether Redis answers this process; shared by all its threads.

    Every failure is counted (`redis.failed`). The log shows the beginning and the end of an outage
    (`redis.away`, `redis.back`), not each failure.
    """

    def __init__(self, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._began_at: float | None = None
        self._back_at = float("-inf")

    @contextmanager
    def watched(self, where: str) -> Iterator[None]:
        """Note whether Redis answers the requests of the block.

        Args:
            where: the part that sends them: `relay`, `fetch`, `ack` or `lock`.
        """
        asked_at = self._monotonic()
        try:
            yield
        except (redis.ConnectionError, redis.TimeoutError, ConnectionClosed) as error:
            self._failed(where, error, asked_at)
            raise
        except LockError:  # Redis answered: another process holds the lock
            self._answered()
            raise
        except redis.RedisError as error:  # it answered with an error: out of memory, read-only
            emit("redis.failed", level="DEBUG", where=where, error=type(error).__name__)
            emit("redis.refused", where=where, error=f"{type(error).__name__}: {error}")
            raise
        else:
            self._answered()

    def _failed(self, where: str, error: Exception, asked_at: float) -> None:
        emit("redis.failed", level="DEBUG", where=where, error=type(error).__name__)
        with self._lock:
            # A request sent before the end of the last outage does not begin another one.
            if self._began_at is not None or asked_at < self._back_at:
                return
            self._began_at = self._monotonic()
        emit("redis.away", error=str(error), next="work continues when Redis answers again")

    def _answered(self) -> None:
        if self._began_at is None:  # nearly always: no lock is taken
            return
        with self._lock:
            if self._began_at is None:
                return
            away_s = self._monotonic() - self._began_at
            self._began_at, self._back_at = None, self._monotonic()
        emit("redis.back", away_s=round(away_s, 1))
