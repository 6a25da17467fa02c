"""A dispatcher process and an all-in-one process, from start to exit."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.settings import Settings
from afterword.schedules.dispatcher.dispatcher import Dispatcher
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries
from afterword.schedules.table import whole_table
from afterword.schedules.up import Up
from afterword.workers.observability.setup import observed
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.app import build_broker, build_context
from afterword.workers.worker.context import Context
from afterword.workers.worker.process import Signals


def run_dispatcher(
    settings: Settings,
    table: Iterable[CronEntry] | None = None,
    routes: Mapping[str, Route] = ROUTES,
    clock: Clock = system_clock,
) -> None:
    """Send, reconcile and tick until TERM or INT.

    Args:
        table: the schedule; None for the whole one.
    """
    signals = Signals()
    with observed(settings, "dispatcher", routes, sys.stderr, clock) as observability:
        context = build_context(settings, clock=clock)
        broker = build_broker(context)
        observability.watch(context, broker.client, signals.leave, entries)
        loop = observability.watch_loop("dispatcher")
        table = whole_table(context.decisions.roles) if table is None else table
        dispatcher = Dispatcher(
            context,
            broker,
            table,
            dict(routes),
            signals.leave,
            on_round=loop.record,
            port=observability.port,
        )
        observability.health.require("starting", dispatcher.starting)
        observability.health.started()
        dispatcher.run()
        context.stores.close()


def run_up(settings: Settings) -> NoReturn:
    """Run everything in this process until TERM or INT."""
    signals = Signals()
    serve(settings, signals, lambda _up: False)
    # A thread inside a blocking call would keep the interpreter alive; its jobs were handed back.
    os._exit(0 if signals.leave.is_set() else 1)


def serve(settings: Settings, signals: Signals, is_over: Callable[[Up], bool]) -> Context:
    """Run everything in this process until a signal, a failure, or `is_over` ends it.

    Args:
        is_over: called some times a second while all parts run.

    Returns:
        The parts of the process; its stores are closed.
    """
    with observed(settings, "up", ROUTES, sys.stderr, system_clock) as observability:
        context = build_context(settings)
        with Up(context, observability=observability, at_once=signals.at_once) as up:
            observability.watch(context, up.broker.client, signals.leave, entries)
            observability.health.require("starting", up.dispatcher.starting)
            up.start()
            observability.health.started()
            while not signals.leave.wait(0.2) and up.is_alive() and not is_over(up):
                pass
            if up.runner.heartbeat.stuck.is_set():
                emit("worker.stuck", reason=up.runner.heartbeat.stuck_because)
    return context
