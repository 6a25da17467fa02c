"""When the schedule next has work in a home, for whoever must start a process then."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.autostart import SCHEDULE_REST
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.due import next_slot
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries
from afterword.schedules.work import has_work_since, rules
from afterword.workers.worker.context import Context


def next_need(context: Context, table: Iterable[CronEntry], now: datetime) -> datetime | None:
    """Return when a slot next has work in any group; None if no group has work to come.

    Returns:
        At least `SCHEDULE_REST` after the present.
    """
    found = []
    for group in context.stores.groups():
        try:
            found += context.stores.look(group, partial(_slots_with_work, context, table, now))
        except PipelineError as error:  # a damaged group must not hide the work of the others
            emit("cron.skipped", group=group, error=str(error))
    return max(min(found), now + SCHEDULE_REST) if found else None


def _slots_with_work(
    context: Context, table: Iterable[CronEntry], now: datetime, conn: Connection
) -> list[datetime]:
    """Return the next slot of each entry that has work in a group."""
    has_work, found = rules(context), []
    fired_at = {one.entry: one.fired_at for one in entries(conn)}
    for entry in table:
        since = has_work_since(has_work, conn, entry, now, fired_at.get(entry.name))
        if since is not None:
            found.append(next_slot(entry, max(since, now)))
    return found
