"""Read the ledger for an operator: counts, one job with its history, how fast a backlog drains."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, get_args

from sqlalchemy import Connection, Row, func, select, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.jobs.model import Job, Run
from afterword.pipeline.core.jobs.tables import job_runs, job_stats, jobs, paused_kinds
from afterword.pipeline.errors import NotFoundError

JobState = Literal["later", "ready", "sent", "running", "dead"]

JOB_STATES: Final[tuple[JobState, ...]] = get_args(JobState)
"""The states of a row; a finished job has no row."""

# One partial index per state: 100 ms for a million rows, a sixth of what one GROUP BY takes.
_STATE_COUNTS = text(
    " UNION ALL ".join(
        f"SELECT kind, '{state}', count(*), min(available_at) FROM jobs "
        f"WHERE state = '{state}' GROUP BY kind"
        for state in JOB_STATES
    )
)
_RUNNING_SINCE = text("SELECT count(*) FROM jobs WHERE state = 'running' AND leased_at < :moment")
_OVERDUE = text("SELECT count(*) FROM jobs WHERE state = 'running' AND lease_until < :now")
_LAST_RUN = text("""
SELECT ended_at FROM job_runs WHERE kind NOT IN (SELECT value FROM json_each(:but))
ORDER BY id DESC LIMIT 1
""")
_REASONS = text("""
SELECT kind, coalesce(last_error, ''), count(*), min(created_at), max(id) FROM jobs
WHERE state = 'dead' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT :limit
""")
_ISOLATED = text("SELECT count(*) FROM jobs WHERE state IN ('ready', 'sent') AND crashes > 0")


@dataclass(frozen=True, slots=True)
class StateCount:
    """The number of rows of a kind in one state, and when the first of them is due."""

    kind: str
    state: str
    jobs: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Total:
    """The number of runs of a kind that ended in one way since the file was made."""

    kind: str
    outcome: str
    jobs: int
    waited_us: int
    ran_us: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """The open rows of one kind, and how fast they are done.

    Args:
        states: rows by state.
        oldest_s: age of the oldest ready row; seconds.
        rate: jobs finished per second over the last ten seconds; 0.0 if none.
        empty_in_s: seconds until the backlog is empty at that rate; None if no job finishes.
    """

    kind: str
    states: dict[str, int]
    oldest_s: float
    rate: float
    empty_in_s: float | None
    paused: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """A kind of job that is not sent: since when, and the operator's reason."""

    kind: str
    paused_at: datetime
    note: str


@dataclass(frozen=True, slots=True)
class DeadReason:
    """Dead jobs of a kind that died of one error.

    Args:
        error: empty where none is kept.
        oldest_at: when the first of them was added.
        last_id: the number of the last one.
    """

    kind: str
    error: str
    jobs: int
    oldest_at: datetime
    last_id: int


def dead_reasons(conn: Connection, limit: int) -> list[DeadReason]:
    """Return why jobs are dead, by kind, the most frequent reason first."""
    return [
        DeadReason(kind, error, jobs, from_micros(oldest), last)
        for kind, error, jobs, oldest, last in conn.execute(_REASONS, {"limit": limit})
    ]


def state_counts(conn: Connection) -> list[StateCount]:
    """Return how many rows of each kind are in each state."""
    return [
        StateCount(kind, state, jobs, from_micros(due_at))
        for kind, state, jobs, due_at in conn.execute(_STATE_COUNTS)
    ]


def counts(conn: Connection) -> dict[tuple[str, str], int]:
    """Return rows by (kind, state)."""
    return {(found.kind, found.state): found.jobs for found in state_counts(conn)}


def kinds(conn: Connection) -> set[str]:
    """Return the names of all kinds this file has ever held a job of."""
    finished = conn.execute(select(job_stats.c.kind).distinct()).scalars()
    return {kind for kind, _state in counts(conn)} | set(finished)


def open_jobs(conn: Connection) -> int:
    """Return how many rows are neither finished nor dead."""
    return sum(n for (_kind, state), n in counts(conn).items() if state != "dead")


def last_run_at(conn: Connection, but: Iterable[str]) -> int | None:
    """Return when the last run of a kind other than `but` ended; microseconds, None if none did."""
    found: int | None = conn.execute(_LAST_RUN, {"but": json.dumps(list(but))}).scalar()
    return found


def totals(conn: Connection) -> list[Total]:
    """Return the totals by kind and outcome, sorted."""
    rows = conn.execute(select(job_stats).order_by(job_stats.c.kind, job_stats.c.outcome))
    return [Total(*row) for row in rows]


def oldest_ready_s(conn: Connection, now: datetime) -> dict[str, float]:
    """Return the age in seconds of the oldest due, unstarted row of each kind."""
    return ages_s(state_counts(conn), now)


def ages_s(found: Iterable[StateCount], now: datetime) -> dict[str, float]:
    """Return, by kind, how long the oldest due, unstarted row has waited; seconds."""
    ages: dict[str, float] = {}
    for one in found:
        if one.state in ("ready", "sent"):
            age = (now - one.due_at).total_seconds()
            ages[one.kind] = max(age, ages.get(one.kind, 0.0))
    return ages


def running_since_before(conn: Connection, moment: datetime) -> int:
    """Return how many jobs have been running since before a moment."""
    found: int = conn.execute(_RUNNING_SINCE, {"moment": to_micros(moment)}).scalar_one()
    return found


def overdue(conn: Connection, now: datetime) -> int:
    """Return how many leases are past their deadline; their worker is about to free them."""
    found: int = conn.execute(_OVERDUE, {"now": to_micros(now)}).scalar_one()
    return found


def isolated_jobs(conn: Connection) -> int:
    """Return how many jobs wait for the isolation queue."""
    found: int = conn.execute(_ISOLATED).scalar_one()
    return found


def backlogs(
    conn: Connection,
    now: datetime,
    window_s: float = 10.0,
    counted: Sequence[StateCount] | None = None,
) -> list[Backlog]:
    """Return the backlog of every kind that has rows or is paused, sorted by name.

    Args:
        counted: the `state_counts` of the same read, where they are known; they cost the most.
    """
    rows = state_counts(conn) if counted is None else counted
    by_kind: dict[str, dict[str, int]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, {})[row.state] = row.jobs
    paused = {pause.kind for pause in pauses(conn)}
    rates = _rates(conn, now, window_s)
    oldest = ages_s(rows, now)
    found = []
    for kind in sorted(by_kind.keys() | paused):
        states = by_kind.get(kind, {})
        waiting = sum(n for state, n in states.items() if state != "dead")
        rate = rates.get(kind, 0.0)
        empty_in = waiting / rate if rate and waiting else None
        found.append(Backlog(kind, states, oldest.get(kind, 0.0), rate, empty_in, kind in paused))
    return found


def pauses(conn: Connection) -> list[Pause]:
    """Return the paused kinds, sorted by name."""
    rows = conn.execute(select(paused_kinds).order_by(paused_kinds.c.kind))
    return [Pause(row.kind, from_micros(row.paused_at), row.note) for row in rows]


def show(conn: Connection, job_id: int) -> tuple[Job | None, list[Run]]:
    """Return a job's row, if it still has one, and its runs, oldest first.

    Raises:
        NotFoundError: the ledger has neither a row nor a run of that id.
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
    conn: Connection,
    state: str | None = None,
    kind: str | None = None,
    limit: int = 50,
    *,
    after: int = 0,
    kinds: Collection[str] | None = None,
    before: datetime | None = None,
) -> list[Job]:
    """Return rows, oldest first, of one state and kind where they are named.

    Args:
        after: `id` of the last job of the page before.
        kinds: only of these; None for all.
        before: only those that were added before; None for all.
    """
    wanted = select(jobs).where(jobs.c.id > after).order_by(jobs.c.id).limit(limit)
    if state is not None:
        wanted = wanted.where(jobs.c.state == state)
    if kind is not None:
        wanted = wanted.where(jobs.c.kind == kind)
    if kinds is not None:
        wanted = wanted.where(jobs.c.kind.in_(kinds))
    if before is not None:
        wanted = wanted.where(jobs.c.created_at < to_micros(before))
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
            row.pid,
            row.exit_status,
            None if row.by_itself is None else bool(row.by_itself),
            row.excused_by,
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
        row.excused,
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
