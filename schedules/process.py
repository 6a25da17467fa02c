"""Dispatcher and all-in-one processes from start to exit."""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import NoReturn

from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.settings import Settings
from afterword.schedules.dispatcher.dispatcher import Dispatcher
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries
from afterword.schedules.table import whole_table
from afterword.schedules.up import Up
from afterword.workers.observability.setup import showing
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.app import build_broker, build_context
from afterword.workers.worker.process import Signals


def run_dispatcher(
    settings: Settings,
    table: Iterable[CronEntry] | None = None,
    routes: Mapping[str, Route] = ROUTES,
    clock: Clock = system_clock,
) -> None:
    """Send, reconcile and tick until TERM or INT.

    Args:
        table: the schedule; the whole one if missing.
    """
    signals = Signals()
    with showing(settings, "dispatcher", routes, sys.stderr, clock) as signs:
        context = build_context(settings, clock=clock)
        broker = build_broker(context)
        signs.watch(context, broker.client, signals.leave, entries)
        pulse = signs.pulse("dispatcher")
        table = whole_table(context.roles) if table is None else table
        dispatcher = Dispatcher(
            context, broker, table, dict(routes), signals.leave, on_turn=pulse.beat, port=signs.port
        )
        signs.health.require("starting", dispatcher.starting)
        signs.health.started()
        dispatcher.run()
        context.stores.close()


def run_up(settings: Settings) -> NoReturn:
    """Run everything in this process until TERM or INT."""
    signals = Signals()
    with showing(settings, "up", ROUTES, sys.stderr, system_clock) as signs:
        context = build_context(settings)
        with Up(context, signs=signs, at_once=signals.at_once) as up:
            signs.watch(context, up.broker.client, signals.leave, entries)
            signs.health.require("starting", up.dispatcher.starting)
            up.start()
            signs.health.started()
            while not signals.leave.wait(0.2) and up.is_alive():
                pass
            if up.fleet.holdings.stuck.is_set():
                emit("worker.stuck", reason=up.fleet.holdings.stuck_because)
    # A thread inside a blocking call would keep the interpreter alive; its leases are given back.
    os._exit(0 if signals.leave.is_set() else 1)
