"""One worker process from start to exit: signals, the stuck watch, a clean leave."""

import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import NoReturn

from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.jobs.model import ALONE
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.settings import Settings
from afterword.workers.observability.setup import showing
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.app import Fleet, build_broker, build_context

EXIT_STUCK = 75
"""Status of a process that could not go on and left to be replaced (EX_TEMPFAIL)."""


class Signals:
    """TERM and INT as events: the first asks to leave, the second to leave at once."""

    def __init__(self) -> None:
        self.leave, self.at_once = threading.Event(), threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._on_signal)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a closed terminal is no reason to stop

    def _on_signal(self, _number: int, _frame: object) -> None:
        (self.at_once if self.leave.is_set() else self.leave).set()


def run_worker(
    settings: Settings,
    queues: Sequence[str],
    threads: int,
    routes: Mapping[str, Route] = ROUTES,
    clock: Clock = system_clock,
) -> NoReturn:
    """Work until TERM or INT, then leave the process.

    The first signal lets running jobs finish within the grace; the second hands them back at once.
    """
    signals = Signals()
    process = "isolation" if tuple(queues) == (ALONE,) else "worker"
    with showing(settings, process, routes, sys.stderr, clock) as signs:
        context = build_context(settings, clock=clock)
        broker = build_broker(context)
        signs.watch(context, broker.client, context.stopping)
        fleet = Fleet(context, broker, routes, queues, threads, signs)
        fleet.start()
        signs.health.started()
        while not signals.leave.wait(0.2):
            if fleet.holdings.stuck.is_set():
                _abandon(fleet)
        fleet.stop(settings.shutdown_grace_s, signals.at_once)
        context.stores.close()
    os._exit(0)  # a thread inside a blocking call would keep the interpreter alive


def _abandon(fleet: Fleet) -> NoReturn:
    """Hand back the running jobs and exit with an error: a hanging thread cannot be stopped."""
    reason = fleet.holdings.stuck_because
    given = fleet.holdings.hand_back_all(f"its worker left: {reason}")
    emit("worker.stuck", handed_back=given, reason=reason)
    os._exit(EXIT_STUCK)
