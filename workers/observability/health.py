"""Whether this process is alive and whether it is ready, with the reasons if not.

Alive: its loops run. A long job, a missing Redis or a locked file do not make a process look dead,
because a restart would not help. Ready: it could run and settle a job now. Paused kinds and a
stopped budget are an operator's wish: the process is ready, and they have metrics of their own.
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

_KEPT_S = 2.0
"""How long an answer about readiness is used again; seconds."""

WRITER_WAIT_S = 1.0
"""How long the check waits for a file's writer; seconds."""

READY_FREE_BYTES = 64 * 1024 * 1024
"""Least free space of a ready process: below it, checkpoints of write-ahead logs may fail."""

Check = Callable[[], str | None]
"""Returns in words why a process is not ready, or None."""


@dataclass(slots=True)
class LoopHeartbeat:
    """When a loop of this process last ran.

    Args:
        limit_s: seconds without a round after which the loop counts as stuck.
        recorded_at: monotonic seconds; when the last round began.
    """

    monotonic: Monotonic
    limit_s: float
    recorded_at: float

    def record(self) -> None:
        """Record that the loop runs; call it once in each round."""
        self.recorded_at = self.monotonic()

    def age_s(self) -> float:
        """Return the seconds since the last round began."""
        return self.monotonic() - self.recorded_at


class Health:
    """The health of one process; it is not ready until `started` was called."""

    def __init__(self, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._loops: dict[str, LoopHeartbeat] = {}
        self._starting: str | None = "files are being opened or upgraded"
        self._checks: dict[str, Check] = {"starting": lambda: self._starting}
        self._lock = threading.Lock()
        self._reasons: dict[str, str] = {}
        self._again_at = float("-inf")

    def watch_loop(self, name: str, limit_s: float) -> LoopHeartbeat:
        """Return the heartbeat of a loop that must run from now on."""
        loop = self._loops[name] = LoopHeartbeat(self._monotonic, limit_s, self._monotonic())
        return loop

    def require(self, reason: str, check: Check) -> None:
        """Make readiness depend on a check.

        Args:
            reason: one stable word; a label of the metric `afterword_unready`.
        """
        self._checks[reason] = check

    def started(self) -> None:
        """Note that the process has begun to work."""
        self._starting = None
        self._again_at = float("-inf")

    def ages_s(self) -> dict[str, float]:
        """Return how long ago each loop last ran; seconds, by name."""
        return {name: loop.age_s() for name, loop in self._loops.items()}

    def stuck(self) -> list[str]:
        """Return the names of the loops that no longer run; restart a process that has one."""
        return [name for name, loop in self._loops.items() if loop.age_s() > loop.limit_s]

    def requirements(self) -> list[str]:
        """Return the names of all reasons that are checked."""
        return list(self._checks)

    def reasons(self) -> dict[str, str]:
        """Return why this process is not ready, in words by reason; empty if it is ready."""
        with self._lock:
            if self._monotonic() >= self._again_at:
                found = {name: check() for name, check in self._checks.items()}
                self._reasons = {name: why for name, why in found.items() if why is not None}
                self._again_at = self._monotonic() + _KEPT_S
            return self._reasons


def loop_limit_s(settings: Settings) -> float:
    """Return how long a round of a loop may take; seconds. It may wait for a file or for Redis."""
    return max(120.0, 5 * settings.busy_timeout_s)


def require_parts(
    health: Health, context: Context, client: "redis.Redis", stopping: threading.Event
) -> None:
    """Make readiness depend on the files, the disk, Redis, and on whether the process must stop."""
    home, options = context.settings.home, options_of(context.settings)
    paths = (context.stores.instance.path, group_path(home, context.settings.group))
    health.require("draining", lambda: "it was told to stop" if stopping.is_set() else None)
    health.require("ledger", lambda: unwritable(paths, options))
    health.require("disk", lambda: full(home))
    health.require("redis", lambda: silent(client))


def unwritable(paths: Iterable[Path], options: StoreOptions) -> str | None:
    """Return why one of the files cannot be written; a missing file is made when it is needed.

    It asks SQLite directly, without the writers' gate: a wait at the gate has no time limit.
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
    """Return a sentence if the disk is almost full, else None."""
    free = shutil.disk_usage(home).free
    return None if free >= READY_FREE_BYTES else f"only {free >> 20} MiB are free on the disk"


def silent(client: "redis.Redis") -> str | None:
    """Return a sentence if Redis does not answer, else None."""
    try:
        client.ping()
    except redis.RedisError as error:
        return f"Redis does not answer ({type(error).__name__})"
    return None
