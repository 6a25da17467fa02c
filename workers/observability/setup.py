"""Observability of one process: log lines, metrics and health.

`observed` starts them before any file is opened. `Observability.watch` adds the installation once
its files are open.
"""

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
    """The metrics and the health of a process, and the port that shows them.

    Args:
        port: port of /metrics, /healthz and /readyz; 0 if there is none.
    """

    settings: Settings
    metrics: Metrics
    health: Health
    port: int

    def watch_loop(self, name: str) -> LoopHeartbeat:
        """Return the heartbeat of a loop that must run from now on."""
        return self.health.watch_loop(name, loop_limit_s(self.settings))

    def watch(
        self,
        context: Context,
        client: "redis.Redis",
        stopping: threading.Event,
        cron: CronRows | None = None,
    ) -> None:
        """Show the installation's metrics, and make readiness depend on its files and on Redis.

        Args:
            stopping: set when the process was told to stop.
            cron: reads the cron entries of a group's file; None in a process without a schedule.
        """
        require_parts(self.health, context, client, stopping)
        watch(self.metrics, context, self.health, stopping, cron)


@contextmanager
def observed(
    settings: Settings,
    process: str,
    kinds: Iterable[str],
    stream: TextIO,
    clock: Clock,
    monotonic: Monotonic = monotonic,
) -> Iterator[Observability]:
    """Log, count and answer on loopback while the block runs; not ready until `health.started`.

    Enter it before files are opened: their migration may take a while and can then be observed.

    Args:
        process: label of this process: `worker`, `isolation`, `dispatcher`, `up` or `serve`.
        kinds: names of the kinds of job.
        stream: where log lines go.
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
