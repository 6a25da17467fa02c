"""The signs a process gives of itself: log lines, metrics, health."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

import redis

from afterword.pipeline.clock import Clock, Monotonic, monotonic
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.settings import Settings
from afterword.workers.observability import Metrics, watch
from afterword.workers.observability.health import (
    Health,
    LoopHeartbeat,
    loop_limit_s,
    require_parts,
)
from afterword.workers.observability.health_server import serving
from afterword.workers.observability.ledger import CronRows
from afterword.workers.observability.scrape import listed, scrape_folder
from afterword.workers.worker.context import Context


@dataclass(frozen=True, slots=True)
class Observability:
    """What the parts of a process report to, and who shows it."""

    settings: Settings
    metrics: Metrics
    health: Health
    port: int
    """Port of this process's /metrics and /healthz; 0: none."""

    def pulse(self, loop: str) -> LoopHeartbeat:
        """Return the pulse of a loop that lives from now on."""
        return self.health.pulse(loop, loop_limit_s(self.settings))

    def watch(
        self,
        context: Context,
        client: "redis.Redis",
        stopping: threading.Event,
        cron: CronRows | None = None,
    ) -> None:
        """Show the installation too, once its files are open; and what readiness depends on.

        Args:
            stopping: set when the process was told to stop.
            cron: reads the cron entries of a group's file; where there is a schedule.
        """
        require_parts(self.health, context, client, stopping)
        watch(self.metrics, context, self.health, stopping, cron)


@contextmanager
def showing(
    settings: Settings,
    process: str,
    kinds: Iterable[str],
    stream: TextIO,
    clock: Clock,
    monotonic: Monotonic = monotonic,
) -> Iterator[Observability]:
    """Log and answer on loopback while the block runs; not ready until `health.started`.

    It comes before the files are opened, so that an upgrade of theirs can be watched.

    Args:
        process: what this process is, for Prometheus: `worker`, `isolation`, `dispatcher` or `up`.
        kinds: names of the kinds of job.
    """
    metrics, health = Metrics(kinds), Health(monotonic)
    stop_log = log_events(stream, settings.log_format, settings.log_level, clock)
    stop_metrics = listen(metrics)
    try:
        with (
            serving(settings.metrics_port, health, metrics.registry) as port,
            listed(scrape_folder(settings), process, port),
        ):
            yield Observability(settings, metrics, health, port)
    finally:
        stop_metrics()
        stop_log()
