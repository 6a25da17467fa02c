"""Since when a group has work after its use, and for the purge of memories."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, HasSettings, WorkQuery
from afterword.pipeline.core.jobs.inspect import last_run_at
from afterword.pipeline.domain.memory import audit_log
from afterword.pipeline.domain.memory.purge import next_purge, retention_of


class HasUpkeep(Protocol):
    """A process that knows which kinds of job are upkeep: they are no use of a group."""

    @property
    def upkeep(self) -> tuple[str, ...]:
        """Return the kinds of job that are upkeep."""
        ...


def used_since(process: HasUpkeep, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return work if anything but upkeep happened in the group since the entry last fired."""
    moments = (audit_log.last_at(conn), last_run_at(conn, but=process.upkeep))
    is_used = any(
        moment is not None and (query.fired_at is None or from_micros(moment) > query.fired_at)
        for moment in moments
    )
    return UNKNOWN_START if is_used else None


def memories_expire(process: HasSettings, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return when the retention of the next memory ends."""
    return next_purge(conn, retention_of(process.settings))
