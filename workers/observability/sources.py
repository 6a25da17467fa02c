"""The sources of metrics that a process shows."""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import load
from afterword.pipeline.core.jobs.registrations import WorkerWatch
from afterword.pipeline.core.telemetry.numbers import OTHER, GroupNumbers, Values
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.workers.observability.cached import CachedSource, Source
from afterword.workers.observability.damage import DamageWatch
from afterword.workers.observability.events import Metrics
from afterword.workers.observability.files import file_sizes
from afterword.workers.observability.fleet import fleet
from afterword.workers.observability.health import Health
from afterword.workers.observability.ledger import CronRows, LedgerSource
from afterword.workers.observability.money import MoneySource
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context


def watch(
    metrics: Metrics,
    context: Context,
    health: Health,
    stopping: threading.Event,
    cron: CronRows | None = None,
) -> None:
    """Show groups, files, fleet, money, circuits and health, beside the counts of this process.

    Args:
        stopping: set when the process is told to stop.
        cron: reads the cron entries of a group's file; None in a process without a schedule. A
            process with a schedule also checks the files for damage: this reads all files, and
            one process is enough.
    """
    monotonic = context.runtime.monotonic
    workers = WorkerWatch(context.settings.home, monotonic)
    kinds = sorted(metrics.kinds)
    damage = DamageWatch(context.stores, monotonic)
    sources: Mapping[str, Source] = {
        "ledger": LedgerSource(
            context.stores,
            kinds,
            metrics.known,
            group_numbers(context),
            context.runtime.clock,
            monotonic,
            cron,
        ),
        "files": lambda: file_sizes(context.stores),
        "damage": damage.damaged,
        "kinds": lambda: _queues(kinds),
        "fleet": lambda: fleet(workers),
        "money": MoneySource(context.gates.budget, context.stores.instance),
        "circuits": lambda: _circuits(context.gates.breakers),
        "health": lambda: _condition(health),
    }
    for name, source in sources.items():
        metrics.registry.register(CachedSource(name, source, monotonic))
    if cron is not None:
        threading.Thread(
            target=damage.run, args=(stopping,), name="damage watch", daemon=True
        ).start()


def group_numbers(process: object) -> list[GroupNumbers[Any]]:
    """Return what areas declare to read numbers of a group, for the parts of a process."""
    return [load(name)(process) for area in all_areas() for name in area.numbers]


def _queues(kinds: Iterable[str]) -> dict[str, Values]:
    queues = {kind: ROUTES[kind].queue if kind in ROUTES else OTHER for kind in (*kinds, OTHER)}
    return {"afterword_kind_queues": dict.fromkeys(queues.items(), 1)}


def _circuits(breakers: Mapping[str, Breaker]) -> dict[str, Values]:
    return {
        "afterword_circuit_open": {
            (breaker.name.service, breaker.name.model): int(breaker.circuit().state != "closed")
            for breaker in breakers.values()
            if breaker.name.service != "disabled"
        }
    }


def _condition(health: Health) -> dict[str, Values]:
    reasons = health.reasons()
    return {
        "afterword_loop_age_seconds": {(loop,): age for loop, age in health.ages_s().items()},
        "afterword_unready": {(name,): int(name in reasons) for name in health.requirements()},
    }
