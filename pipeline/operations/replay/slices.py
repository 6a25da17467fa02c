"""The slices of a replay as jobs in the ledger of its own file, each added by the one before it.

A replay has one open job at most. It names the cursor that it begins at, so a second delivery, or
a job of a slice that another process did meanwhile, ends without effect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.jobs.operate import drop_waiting
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.area import JUDGE_SLICE, RUN_SLICE
from afterword.pipeline.operations.replay.judge import HEURISTIC
from afterword.pipeline.operations.replay.loop import HasTime, ReplayLoop, SliceReport
from afterword.pipeline.operations.replay.model import read_settings
from afterword.pipeline.operations.replay.run import roles_for, slice_end

LONGEST_SLICE_S: Final = 30.0
"""A slice of a job ends at the first pass after so long; seconds. Its deadline is far above, and a
stopped worker can end it within its grace."""

SLICE_KINDS: Final = (RUN_SLICE.name, JUDGE_SLICE.name)


@dataclass(frozen=True, slots=True)
class SlicePlan:
    """What every slice of a run has in common.

    Args:
        days: simulated days of one slice.
        judge: `heuristic`, or the name of the model that judges.
    """

    days: int
    judge: str

    @property
    def kind(self) -> Kind:
        """The kind of its jobs."""
        return RUN_SLICE if self.judge == HEURISTIC else JUDGE_SLICE


def add_slice(conn: Connection, plan: SlicePlan, from_at: int, now: datetime) -> None:
    """Add the job of the slice that begins at a cursor; a second add changes nothing.

    Args:
        from_at: microseconds of simulated time.
        now: the real present.
    """
    payload = {"from_at": from_at, "slice_days": plan.days, "judge": plan.judge}
    add(conn, plan.kind, payload, now, key=f"from {from_at}")


def restart_slices(store: Store, plan: SlicePlan, now: datetime) -> None:
    """Let a replay go on from its cursor: its next slice is due now, whatever it waited for.

    A slice that a worker runs now is left to it.
    """
    with reading(store) as conn:
        if _is_running(conn):
            return  # it holds the writer of the file, maybe for longer than a write waits
    with writing(store) as conn:
        run = rows.run(conn)
        if run is None or run.state == "done" or _is_running(conn):
            return
        drop_waiting(conn, SLICE_KINDS)
        add_slice(conn, plan, run.cursor, now)


def open_slice(conn: Connection) -> Job | None:
    """Return the open or dead job of a replay's next slice; None without one."""
    jobs = [job for kind in SLICE_KINDS for job in listing(conn, kind=kind)]
    return jobs[0] if jobs else None


def run_slice(
    store: Store, leases: Leases, home: Path, judge: DecisionJudge, has_time: HasTime
) -> SliceReport | None:
    """Run the slice of a job; its rows, the cursor, the next job and its own end are one commit.

    Args:
        store: the file of the replay.
        home: the folder of the installation, for its roles.
        has_time: see `ReplayLoop.advance`.

    Returns:
        None if another process did the slice, or the replay has ended.

    Raises:
        PipelineError: a pass could not be done; the slice left nothing behind.
    """
    (lease,) = leases
    plan = SlicePlan(lease.payload["slice_days"], lease.payload["judge"])
    with reading(store) as conn:
        run = rows.run(conn)
    if run is None or run.state == "done" or run.cursor != lease.payload["from_at"]:
        with writing(store, finishing=leases):
            return None
    settings = read_settings(run.settings, store.name)
    loop = ReplayLoop(store, roles_for(home, settings.horizon_hours), settings, judge)
    until = slice_end(run.cursor, settings.ends_at, plan.days)

    def add_next(conn: Connection, done: SliceReport) -> None:
        if done.until < settings.ends_at:
            add_slice(conn, plan, done.until, leases.clock())

    return loop.advance(until, finishing=leases, then=add_next, has_time=has_time)


def within(seconds: float, monotonic: Callable[[], float], is_stopping: HasTime) -> HasTime:
    """Return a check that is true for a while, unless the process is told to stop."""
    return partial(_has_time, monotonic() + seconds, monotonic, is_stopping)


def describe(cursor: int) -> str:
    """Return a cursor for a message, such as `2024-02-01 00:30`."""
    return f"{from_micros(cursor):%Y-%m-%d %H:%M}"


def _has_time(until: float, monotonic: Callable[[], float], is_stopping: HasTime) -> bool:
    return monotonic() < until and not is_stopping()


def _is_running(conn: Connection) -> bool:
    job = open_slice(conn)
    return job is not None and job.state == "running"
