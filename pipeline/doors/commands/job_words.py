"""Words and tables about backlogs, jobs and runs, for an operator."""

import signal
from collections.abc import Mapping
from datetime import datetime

from afterword.pipeline.core.jobs.inspect import STATES, Backlog, Pause, Total
from afterword.pipeline.core.jobs.model import Job, Run
from afterword.pipeline.doors.cli.output import Cell
from afterword.pipeline.views.words import ago, duration, in_time, moment, shorten

BACKLOG_COLUMNS = ("group", "kind", "jobs", "oldest", "drain", "note")
ROW_COLUMNS = ("group", "id", "kind", "state", "attempts", "waits for")
TOTAL_COLUMNS = ("group", "kind", "outcome", "runs", "mean wait", "mean run")
CRASH_COLUMNS = ("died", "process", "ended by", "ran by itself", "counts")
RUN_COLUMNS = ("attempt", "outcome", "ended", "waited", "ran", "worker", "note")


def backlog_row(group: str, backlog: Backlog, pause: Pause | None, now: datetime) -> list[Cell]:
    """Return one line of `jobs ls`."""
    oldest = duration(backlog.oldest_s) if backlog.oldest_s else "-"
    found = ((state, backlog.states.get(state, 0)) for state in STATES)
    jobs = ", ".join(f"{number:,} {state}" for state, number in found if number)
    return [group, backlog.kind, jobs or "none", oldest, _drain(backlog), _paused(pause, now)]


def job_row(group: str, job: Job, now: datetime) -> list[Cell]:
    """Return one line of a list of jobs."""
    return [
        group,
        str(job.id),
        job.kind,
        job.state,
        job.attempts,
        shorten(situation(job, now), 120),
    ]


def total_row(group: str, total: Total) -> list[Cell]:
    """Return one line of `jobs stats`."""
    wait, run = (micros / total.jobs / 1e6 for micros in (total.waited_us, total.ran_us))
    return [group, total.kind, total.outcome, total.jobs, duration(wait), duration(run)]


def run_row(run: Run) -> list[Cell]:
    """Return one line of a job's history."""
    return [
        run.attempt,
        run.outcome,
        moment(run.ended_at),
        duration(run.waited_us / 1e6),
        duration(run.ran_us / 1e6),
        (run.owner or "-")[:8],
        shorten(run.note or "", 200),
    ]


def crash_row(run: Run) -> list[Cell]:
    """Return one line about a run that crashed: which process died how, and whether it counts."""
    by_itself = {None: "unknown", True: "yes", False: "no"}[run.by_itself]
    counts = f"no: {run.excused_by} died as well" if run.excused_by else "yes"
    process = f"worker {run.pid or (run.owner or '?')[:8]}"
    return [moment(run.ended_at), process, _ended_by(run.exit_status), by_itself, counts]


def situation(job: Job, now: datetime) -> str:
    """Return in words what a job waits for."""
    match job.state:
        case "dead":
            said = f"an operator; its last error: {job.last_error or 'unknown'}"
        case "running":
            said = f"the end of its run in worker {(job.lease_owner or '?')[:8]}"
        case "sent":
            said = f"a worker; its message was sent {ago(job.sent_at or now, now)}"
        case "later":
            said = f"its start time, {in_time(job.available_at, now)}"
        case _:
            said = f"the dispatcher; it was due {ago(job.available_at, now)}"
    return f"{said} ({job.waits_for})" if job.waits_for else said


def job_fields(job: Job, now: datetime, paused: Mapping[str, Pause]) -> dict[str, Cell]:
    """Return the fields of `jobs show`."""
    fields: dict[str, Cell] = {
        "job": str(job.id),
        "kind": job.kind,
        "state": job.state,
        "waits for": situation(job, now),
        "arguments": ", ".join(f"{name} {value}" for name, value in job.payload.items()),
        "created": f"{moment(job.created_at)}, {ago(job.created_at, now)}",
        "attempts": job.attempts,
        "deliveries": job.deliveries,
    }
    optional = {
        "key": job.key,
        "priority": str(job.priority) if job.priority else None,
        "crashes": _crashes(job),
        "runs again": None if job.again_at is None else moment(job.again_at),
        "last error": job.last_error,
    }
    fields |= {name: value for name, value in optional.items() if value is not None}
    if job.kind in paused:
        fields["its kind is"] = _paused(paused[job.kind], now)
    return fields


def _crashes(job: Job) -> str | None:
    excused = f"and {job.excused} excused" if job.excused else ""
    return f"{job.crashes} {excused}".strip() if job.crashes or job.excused else None


def _ended_by(status: int | None) -> str:
    """Return in words how a process ended; a signal is a negative status."""
    if status is None:
        return "unknown"
    if status >= 0:
        return f"exit status {status}"
    names = {number.value: number.name for number in signal.Signals}
    return names.get(-status, f"signal {-status}")


def _drain(backlog: Backlog) -> str:
    waiting = sum(number for state, number in backlog.states.items() if state != "dead")
    if not waiting:
        return "nothing waits"
    if backlog.empty_in_s is None:
        return "no job finishes"
    return f"{backlog.rate:,.1f}/s, empty in {duration(backlog.empty_in_s)}"


def _paused(pause: Pause | None, now: datetime) -> str:
    if pause is None:
        return ""
    return f"paused {ago(pause.paused_at, now)}" + (f": {pause.note}" if pause.note else "")
