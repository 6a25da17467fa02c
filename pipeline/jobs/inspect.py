"""What an operator sees: counts, one job with its history, how fast a backlog drains."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, select, text

from pipeline.clock import from_micros, to_micros
from pipeline.errors import NotFoundError
from pipeline.jobs.model import Job, Run
from pipeline.jobs.tables import job_runs, job_stats, jobs, paused_kinds

_OLDEST = text("""
SELECT kind, min(available_at) FROM jobs WHERE state IN ('ready', 'sent') GROUP BY kind
""")


@dataclass(frozen=True, slots=True)
class Total:
    """How many runs of a kind ended in one way since the file was made."""

    kind: str
    outcome: str
    jobs: int
    waited_us: int
    ran_us: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """One kind's open rows and how fast they go.

    Args:
        states: rows by state.
        oldest_s: age of the oldest ready row; seconds.
        rate: jobs finished per second over the last minute; 0.0 if none.
        empty_in_s: seconds until the backlog is gone at that rate; None if nothing moves.
    """

    kind: str
    states: dict[str, int]
    oldest_s: float
    rate: float
    empty_in_s: float | None
    paused: bool


def counts(conn: Connection) -> dict[tuple[str, str], int]:
    """Return rows by (kind, state)."""
    rows = conn.execute(
        select(jobs.c.kind, jobs.c.state, func.count()).group_by(jobs.c.kind, jobs.c.state)
    )
    return {(row[0], row[1]): row[2] for row in rows}


def open_jobs(conn: Connection) -> int:
    """Return how many rows are neither finished nor dead."""
    return sum(n for (_kind, state), n in counts(conn).items() if state != "dead")


def totals(conn: Connection) -> list[Total]:
    """Return the totals by kind and outcome, sorted."""
    rows = conn.execute(select(job_stats).order_by(job_stats.c.kind, job_stats.c.outcome))
    return [Total(*row) for row in rows]


def oldest_ready_s(conn: Connection, now: datetime) -> dict[str, float]:
    """Return the age in seconds of the oldest due, unstarted row of each kind."""
    at = to_micros(now)
    return {kind: max(0, at - oldest) / 1e6 for kind, oldest in conn.execute(_OLDEST)}


def backlogs(conn: Connection, now: datetime, window_s: float = 60.0) -> list[Backlog]:
    """Return every kind with open rows, sorted by name."""
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, state), number in counts(conn).items():
        by_kind.setdefault(kind, {})[state] = number
    paused = set(conn.execute(select(paused_kinds.c.kind)).scalars())
    rates = _rates(conn, now, window_s)
    oldest = oldest_ready_s(conn, now)
    found = []
    for kind in sorted(by_kind.keys() | paused):
        states = by_kind.get(kind, {})
        waiting = sum(n for state, n in states.items() if state != "dead")
        rate = rates.get(kind, 0.0)
        empty_in = waiting / rate if rate and waiting else None
        found.append(Backlog(kind, states, oldest.get(kind, 0.0), rate, empty_in, kind in paused))
    return found


def show(conn: Connection, job_id: int) -> tuple[Job | None, list[Run]]:
    """Return a job's row, if it still has one, and its runs, oldest first.

    Raises:
        NotFoundError: neither a row nor a run of that id is kept.
    """
    row = conn.execute(select(jobs).where(jobs.c.id == job_id)).one_or_none()
    history = runs(conn, job_id)
    if row is None and not history:
        raise NotFoundError(f"job {job_id} does not exist, and no run of it is kept any more")
    return (None if row is None else _job(row)), history


def payload_of(conn: Connection, job_id: int) -> dict[str, Any] | None:
    """Return a job's arguments; None if it has no row any more."""
    raw = conn.execute(select(jobs.c.payload).where(jobs.c.id == job_id)).scalar_one_or_none()
    return None if raw is None else dict(json.loads(raw))


def listing(
    conn: Connection, state: str | None = None, kind: str | None = None, limit: int = 50
) -> list[Job]:
    """Return open rows, oldest first, optionally of one state and kind."""
    wanted = select(jobs).order_by(jobs.c.id).limit(limit)
    if state is not None:
        wanted = wanted.where(jobs.c.state == state)
    if kind is not None:
        wanted = wanted.where(jobs.c.kind == kind)
    return [_job(row) for row in conn.execute(wanted)]


def runs(conn: Connection, job_id: int) -> list[Run]:
    """Return the kept runs of a job, oldest first."""
    rows = conn.execute(select(job_runs).where(job_runs.c.job_id == job_id).order_by(job_runs.c.id))
    return [
        Run(
            row.job_id,
            row.kind,
            row.outcome,
            row.attempt,
            row.owner,
            _moment(row.started_at),
            from_micros(row.ended_at),
            row.waited_us,
            row.ran_us,
            row.note,
        )
        for row in rows
    ]


def _rates(conn: Connection, now: datetime, window_s: float) -> dict[str, float]:
    """Jobs per second by kind; over a shorter span where the kept history is shorter."""
    since = to_micros(now - timedelta(seconds=window_s))
    rows = conn.execute(
        select(job_runs.c.kind, func.count(), func.min(job_runs.c.ended_at))
        .where(job_runs.c.ended_at >= since, job_runs.c.outcome == "done")
        .group_by(job_runs.c.kind)
    )
    return {
        kind: number / max(0.001, (to_micros(now) - first) / 1e6) for kind, number, first in rows
    }


def _job(row: Row[Any]) -> Job:
    return Job(
        row.id,
        row.kind,
        row.key,
        json.loads(row.payload),
        row.state,
        row.priority,
        from_micros(row.available_at),
        _moment(row.again_at),
        row.attempts,
        row.deliveries,
        row.crashes,
        row.epoch,
        _moment(row.sent_at),
        row.lease_owner,
        _moment(row.lease_until),
        row.waits_for,
        row.last_error,
        row.last_traceback,
        from_micros(row.created_at),
    )


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)
