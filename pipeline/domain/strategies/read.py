"""Read the runs of strategies, as they are or were, each with what it brought."""

from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.strategies import rows
from afterword.pipeline.domain.strategies.checks import strategy_name
from afterword.pipeline.domain.strategies.model import RunResult
from afterword.pipeline.domain.strategies.profit import with_profit
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import NotFoundError

MOST_RUNS: Final = 200
"""Runs that are listed at most."""


def list_runs(conn: Connection, limit: int, as_of: datetime | None = None) -> list[RunResult]:
    """Return runs as known at a moment: those that run, then the newest."""
    return _results(conn, limit, None, as_of)


def runs_of(conn: Connection, strategy: str, as_of: datetime | None = None) -> list[RunResult]:
    """Return the runs of one strategy as known at a moment, the newest first.

    Raises:
        NotFoundError: it never ran.
    """
    name = strategy_name(strategy)
    results = _results(conn, MOST_RUNS, name, as_of)
    if not results:
        problem = f"strategy: no run of {name!a:.120} is known"
        raise NotFoundError(f"{problem}; afterword strategy ls lists those that are")
    return results


def _results(
    conn: Connection, limit: int, strategy: str | None, as_of: datetime | None
) -> list[RunResult]:
    @cache
    def trips_of(account: str) -> list[Trip]:
        return trips(conn, as_of, account)

    return [
        with_profit(run, trips_of(run.account) if run.account else ())
        for run in rows.listed(conn, limit, strategy, as_of)
    ]
