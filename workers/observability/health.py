"""Whether this process lives and whether it can work, each with its reasons.

Alive: its loops turn. A long job, a missing Redis or a locked file never make it look dead, since a
restart would cure none of them. Ready: it could take and settle a job now. Paused kinds and a
stopped budget are an operator's wish and no lack of readiness; they have metrics of their own.
"""

import shutil
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import redis

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store import StoreOptions, options_of
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.core.store.opening import connect
from afterword.pipeline.settings import Settings
from afterword.workers.worker.context import Context

KEPT_S = 2.0
"""An answer about readiness serves everybody who asks for so long; seconds."""

WRITER_WAIT_S = 1.0
"""How long the check waits for a file's writer; seconds."""

LEAST_FREE_BYTES = 64 * 1024 * 1024
"""Below it the next checkpoints of a few write-ahead logs may no longer fit."""

Check = Callable[[], str | None]
"""Returns why a process cannot work, in words, or None."""


@dataclass(slots=True)
class LoopHeartbeat:
    """One loop's sign of life.

    Args:
        limit_s: seconds without a beat after which the loop counts as stuck.
    """

    monotonic: Monotonic
    limit_s: float
    beaten_at: float

    def beat(self) -> None:
        """Show that the loop turns; called once each round."""
        self.beaten_at = self.monotonic()

    def age_s(self) -> float:
        """Return the seconds since the last beat."""
        return self.monotonic() - self.beaten_at


class Health:
    """What one process says about itself; not ready until `started` was called."""

    def __init__(self, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._pulses: dict[str, LoopHeartbeat] = {}
        self._starting: str | None = "files are being opened or upgraded"
        self._checks: dict[str, Check] = {"starting": lambda: self._starting}
        self._lock = threading.Lock()
        self._reasons: dict[str, str] = {}
        self._again_at = float("-inf")

    def pulse(self, loop: str, limit_s: float) -> LoopHeartbeat:
        """Return the pulse of a new loop, which lives from now on."""
        pulse = self._pulses[loop] = LoopHeartbeat(self._monotonic, limit_s, self._monotonic())
        return pulse

    def require(self, reason: str, check: Check) -> None:
        """Make readiness depend on a check.

        Args:
            reason: one stable word, a label of the metric `afterword_unready`.
        """
        self._checks[reason] = check

    def started(self) -> None:
        """Say that the process has begun to work."""
        self._starting = None
        self._again_at = float("-inf")

    def ages_s(self) -> dict[str, float]:
        """Return how long ago each loop last turned; seconds."""
        return {loop: pulse.age_s() for loop, pulse in self._pulses.items()}

    def stuck(self) -> list[str]:
        """Return the loops that no longer turn; a process with one should be restarted."""
        return [loop for loop, pulse in self._pulses.items() if pulse.age_s() > pulse.limit_s]

    def requirements(self) -> list[str]:
        """Return every reason there could be."""
        return list(self._checks)

    def reasons(self) -> dict[str, str]:
        """Return why this process cannot work, by reason; empty when it can."""
        with self._lock:
            if self._monotonic() >= self._again_at:
                found = {name: check() for name, check in self._checks.items()}
                self._reasons = {name: why for name, why in found.items() if why is not None}
                self._again_at = self._monotonic() + KEPT_S
            return self._reasons


def loop_limit_s(settings: Settings) -> float:
    """Return how long a round of a loop may take: a few waits for a locked file, or for Redis."""
    return max(120.0, 5 * settings.busy_timeout_s)


def require_parts(
    health: Health, context: Context, client: "redis.Redis", stopping: threading.Event
) -> None:
    """Make readiness depend on the files, the disk and Redis, and on not being told to stop."""
    home, options = context.settings.home, options_of(context.settings)
    paths = (context.stores.instance.path, group_path(home, context.settings.group))
    health.require("draining", lambda: "it was told to stop" if stopping.is_set() else None)
    health.require("ledger", lambda: unwritable(paths, options))
    health.require("disk", lambda: full(home))
    health.require("redis", lambda: silent(client))


def unwritable(paths: Iterable[Path], options: StoreOptions) -> str | None:
    """Return why nothing can be written to one of the files; missing ones are made when needed.

    It asks SQLite alone, past the queue of writers: a wait there could not be given up.
    """
    for path in paths:
        if not path.exists():
            continue
        try:
            conn = connect(path, replace(options, busy_timeout_s=WRITER_WAIT_S))
            try:
                conn.execute("BEGIN IMMEDIATE")
                conn.execute("ROLLBACK")
            finally:
                conn.close()
        except dbapi.Error as error:
            return f"{path.name} cannot be written: {error}"
    return None


def full(home: Path) -> str | None:
    """Return that the disk is as good as full, if it is."""
    free = shutil.disk_usage(home).free
    return None if free >= LEAST_FREE_BYTES else f"{free >> 20} MiB are free, too few to go on"


def silent(client: "redis.Redis") -> str | None:
    """Return that Redis does not answer, if it does not."""
    try:
        client.ping()
    except redis.RedisError as error:
        return f"Redis does not answer ({type(error).__name__})"
    return None
