"""Which processes run for a home, and why waiting jobs do not run."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.fleet import (
    OpenJobs,
    Process,
    notes,
    problems,
    processes,
    waiting,
)
from afterword.pipeline.core.store import Stores, reading
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.settings import Settings
from afterword.workers.broker.broker import check_server, connect


@dataclass(frozen=True, slots=True)
class FleetStatus:
    """The fleet of a home.

    Args:
        waiting: open jobs, by kind.
        problems: why waiting jobs cannot run; empty if they can.
        notes: what an operator should know besides.
    """

    processes: list[Process]
    waiting: OpenJobs
    problems: list[str]
    notes: list[str]


def fleet_status(
    stores: Stores, groups: Iterable[str], settings: Settings, now: datetime
) -> FleetStatus:
    """Return the fleet, and whether it runs what waits in some groups; it asks a set Redis."""
    found, wanted, unread = processes(settings.home, now, monotonic), OpenJobs({}), []
    for name in groups:
        try:
            with reading(stores.group(name)) as conn:
                wanted += waiting(conn, now)
        except PipelineError as error:
            unread.append(f"the jobs of group {name} could not be read: {error}")
    wrong = [
        *_transport(settings),
        *problems(found, wanted, one_process=not settings.redis_url),
    ]
    return FleetStatus(found, wanted, wrong, [*unread, *notes(found)])


def _transport(settings: Settings) -> list[str]:
    if not settings.redis_url:
        return []
    client = connect(settings.redis_url)
    try:
        check_server(client)
    except PipelineError as error:
        return [str(error)]
    finally:
        client.close()
    return []
