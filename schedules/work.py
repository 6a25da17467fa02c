"""The rules that areas declare beside their jobs: since when a group has work for an entry."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import load
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, WorkQuery
from afterword.schedules.entry import CronEntry
from afterword.workers.worker.context import Context

HasWork = Callable[[Connection, WorkQuery], datetime | None]
"""A rule with its process. Returns since when there is work, or from when on there will be work;
None if there is none until the file changes."""


def rules(context: Context) -> Mapping[str, HasWork]:
    """Return the rules of all areas, by the name of their kind of job."""
    return {
        job.kind.name: partial(load(job.has_work), context)
        for area in all_areas()
        for job in area.jobs
        if job.has_work
    }


def has_work_since(
    rules: Mapping[str, HasWork],
    conn: Connection,
    entry: CronEntry,
    now: datetime,
    fired_at: datetime | None,
) -> datetime | None:
    """Return since when a group has work for an entry; None if it has none.

    A job without a rule always has work.

    Args:
        fired_at: when the entry last fired in this group.
    """
    rule = rules.get(entry.job)
    if rule is None:
        return UNKNOWN_START
    return rule(conn, WorkQuery(entry.job, entry.payload, now, fired_at))
