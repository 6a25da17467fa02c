"""The route of each kind of job: its actor, its queue, its gates and its lock."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import Area, AreaJob, Kind, load
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.workers.worker.context import Work

QUEUES: Final = ("quick", "embed", "sync", "llm", "replay", "upkeep", ISOLATION_QUEUE)
"""The queues. They are separate so that slow model calls never delay quick jobs."""


@dataclass(frozen=True, slots=True)
class Route:
    """How one kind of job is run.

    Args:
        kind: the kind and its limits.
        run: the actor.
        queue: the queue of its messages.
        spends: the spending category that must be open before it starts; None if it costs nothing.
        asks: the service whose circuit must be closed before it starts: `embedding`, `llm` or
            `prices`; None if it asks no service.
        serial: returns the name of a lock, from the group and the payload; only one job with the
            same lock runs at a time.
    """

    kind: Kind
    run: Callable[[Work], None]
    queue: str
    spends: str | None = None
    asks: str | None = None
    serial: Callable[[str, Mapping[str, Any]], str] | None = None


def routes_of(areas: Iterable[Area]) -> Mapping[str, Route]:
    """Return the routes of the jobs that areas declare, by the name of their kind."""
    return {job.kind.name: _route(job) for area in areas for job in area.jobs}


def _route(job: AreaJob) -> Route:
    serial = None if job.serial is None else partial(_lock, job.serial)
    return Route(job.kind, load(job.actor), job.queue, job.spends, job.asks, serial)


def _lock(template: str, group: str, payload: Mapping[str, Any]) -> str:
    return template.format_map({**payload, "group": group})


ROUTES: Final = routes_of(all_areas())
"""Every route by the name of its kind."""
