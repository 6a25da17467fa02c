"""One worker process from start to exit: signals, the check for hung threads, a clean stop."""

import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import NoReturn

from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.settings import Settings
from afterword.workers.observability.setup import observed
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.app import JobRunner, build_broker, build_context

EXIT_STUCK = 75
"""Exit status of a process that could not go on and must be restarted (EX_TEMPFAIL)."""

STUCK_MEANS = (
    "half of a worker's threads hung, or its heartbeat could not be written; "
    "start it again (`up` exits with 1)"
)
"""What this status tells an operator."""


class Signals:
    """TERM and INT as events: the first signal means stop, the second means stop at once."""

    def __init__(self) -> None:
        self.leave, self.at_once = threading.Event(), threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._on_signal)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # closing the terminal must not stop it

    def _on_signal(self, _number: int, _frame: object) -> None:
        (self.at_once if self.leave.is_set() else self.leave).set()


def run_worker(
    settings: Settings,
    queues: Sequence[str],
    threads: int,
    routes: Mapping[str, Route] = ROUTES,
    clock: Clock = system_clock,
) -> NoReturn:
    """Run jobs until TERM or INT, then exit.

    After the first signal, running jobs may finish within the grace; the second signal hands them
    back at once.
    """
    signals = Signals()
    process = "isolation" if tuple(queues) == (ISOLATION_QUEUE,) else "worker"
    with observed(settings, process, routes, sys.stderr, clock) as observability:
        context = build_context(settings, clock=clock)
        broker = build_broker(context)
        observability.watch(context, broker.client, context.runtime.stopping)
        runner = JobRunner(context, broker, routes, queues, threads, observability)
        runner.start()
        observability.health.started()
        while not signals.leave.wait(0.2):
            if runner.heartbeat.stuck.is_set():
                _exit_stuck(runner)
        runner.stop(settings.shutdown_grace_s, signals.at_once)
        context.stores.close()
    os._exit(0)  # a thread inside a blocking call would keep the interpreter alive


def _exit_stuck(runner: JobRunner) -> NoReturn:
    """Hand back the running jobs and exit with an error: a hung thread cannot be stopped."""
    reason = runner.heartbeat.stuck_because
    handed_back = runner.heartbeat.hand_back_all(f"its worker stopped: {reason}")
    emit("worker.stuck", handed_back=handed_back, reason=reason)
    os._exit(EXIT_STUCK)
