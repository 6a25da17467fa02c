"""Since when a group has work for the job that fetches the prices of decisions."""

from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import WorkQuery
from afterword.pipeline.domain.decisions.price_needs import first_price_need
from afterword.pipeline.domain.skills.registry import HasRoles


class FetchesPrices(HasRoles, Protocol):
    """A process that may fetch prices."""

    @property
    def fetched_interval(self) -> timedelta | None:
        """Length of a bar; None if no source is asked for prices."""


def prices_wanted(process: FetchesPrices, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return from when on a decision waits for prices that a source can give."""
    if process.fetched_interval is None:
        return None
    return first_price_need(conn, process.roles, query.now, process.fetched_interval)
