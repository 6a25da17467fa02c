"""Since when a group has work for the pass that consolidates facts."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, WorkQuery
from afterword.pipeline.domain.facts import rows


class JudgesFacts(Protocol):
    """A process that knows whether a model is asked about facts."""

    @property
    def judges_facts(self) -> bool:
        """Return whether a model judges facts here."""
        ...


def facts_wait(process: JudgesFacts, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return since when facts are pending, or that a judge has not seen some of them."""
    recorded_at = rows.first_pending(conn)
    if recorded_at is not None:
        return from_micros(recorded_at)
    return UNKNOWN_START if process.judges_facts and rows.has_unjudged(conn) else None
