"""Jobs: the backlogs of groups, one job with its runs, and what an operator did to them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.core.jobs.inspect import JOB_STATES, Backlog, DeadReason, Pause, Total
from afterword.pipeline.core.jobs.model import Job, Run
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.operator.job_words import (
    crash_words,
    drain_words,
    ended_words,
    paused_words,
    situation_words,
)
from afterword.pipeline.views.words import ago, duration, moment, printable, shorten

_BACKLOGS: Final = ("group", "kind", "jobs", "oldest", "drain", "note")
_JOBS: Final = ("group", "id", "kind", "state", "attempts", "waits for")
_TOTALS: Final = ("group", "kind", "outcome", "runs", "mean wait", "mean run")
_REASONS: Final = ("group", "kind", "jobs", "oldest", "error")
_RUNS: Final = ("attempt", "outcome", "ended", "waited", "ran", "worker", "note")
_CRASHES: Final = ("died", "process", "ended by", "ran by itself", "counts")

_NO_RUN: Final = "no run of this job has ended"
_NO_TRACEBACK: Final = "--debug shows the traceback of the last error"


def backlog_list(
    backlogs: Iterable[tuple[str, Backlog, Pause | None]], remarks: Iterable[str], now: datetime
) -> View:
    """Return the backlogs of groups by kind.

    Args:
        backlogs: each with its group, and the pause of its kind.
        remarks: why waiting jobs do not run, and what else to know about the processes.
    """
    rows = [_backlog(*backlog, now) for backlog in backlogs]
    return View([Table(_BACKLOGS, rows, "no job waits"), *map(Paragraph, remarks)])


def job_list(
    jobs: Iterable[tuple[str, Job]], state: str | None, kind: str | None, now: datetime
) -> View:
    """Return jobs below each other, each with its group.

    Args:
        state, kind: what was asked for; None for any.
    """
    rows = [_job(group, job, now) for group, job in jobs]
    empty = f"no {state or 'open'} job{f' of kind {kind}' if kind else ''}"
    return View([Table(_JOBS, rows, empty)])


def job_story(
    job: Job | None,
    runs: Sequence[Run],
    paused: Mapping[str, Pause],
    now: datetime,
    *,
    with_traceback: bool,
) -> View:
    """Return what a job waits for, its runs, its crashes, its last error.

    Args:
        job: None if it is done: only its runs are kept then.
        paused: the paused kinds of its group.
    """
    blocks: list[Block] = [Section("", [Table(_RUNS, list(map(_run, runs)), _NO_RUN)])]
    crashes = [_crash(run) for run in runs if run.outcome == "crashed"]
    if crashes:
        blocks.append(Section("", [Table(_CRASHES, crashes)]))
    if job is None:
        done = f"job {runs[0].job_id} ({runs[0].kind}) is done; only its runs are kept"
        return View([Paragraph(done), *blocks])
    if job.last_traceback:
        lines = "\n".join(map(printable, job.last_traceback.splitlines()))
        error = Verbatim(lines) if with_traceback else Paragraph(_NO_TRACEBACK)
        blocks.append(Section("", [error]))
    return View([Fields(_facts(job, now, paused)), *blocks])


def dead_reason_list(reasons: Iterable[tuple[str, DeadReason]], now: datetime) -> View:
    """Return why jobs are dead, by kind, each with its group."""
    rows = [_reason(*reason, now) for reason in reasons]
    return View([Table(_REASONS, rows, "no job is dead")])


def jobs_to_run(state: str, jobs: int, first: int | None, last: int | None) -> View:
    """Return how many jobs an operator's filter means, before they run.

    Args:
        state: `dead` or `later`.
        first, last: the numbers of the oldest and the newest; None for no job.
    """
    if first is None or last is None:
        return View([Paragraph(f"no {state} job matches that could run now")])
    will = "revived with new attempts" if state == "dead" else "started now, before their time"
    said = f"{count(jobs, f'{state} job')} will be {will}, from number {first} to {last}"
    return View([Paragraph(said, "lead")])


def matching_jobs_run(state: str, jobs: int, counted: int) -> View:
    """Return how many of the counted jobs run."""
    missing = counted - jobs
    changed = f"; {count(missing, 'job')} changed meanwhile and did not" if missing else ""
    return View([Paragraph(f"{count(jobs, f'{state} job')} due now{changed}")])


def run_totals(totals: Iterable[tuple[str, Total]]) -> View:
    """Return how many runs ended in which way, with mean times, each with its group."""
    return View([Table(_TOTALS, [_total(*total) for total in totals], "no run has ended")])


def job_retried(job_id: int, was: str) -> View:
    """Return that a job is due."""
    return View([Paragraph(f"job {job_id} was {was}; it is due now")])


def job_asked(job_id: int, does: str) -> View:
    """Return that a job was added because somebody asked for it.

    Args:
        does: what it does, such as `mirrors main`.
    """
    return View([Paragraph(f"job {job_id} {does} as soon as a worker takes it")])


def jobs_redriven(jobs: int, *, is_dry_run: bool) -> View:
    """Return how many dead jobs are due, or would be."""
    will = "can be revived" if is_dry_run else "are due again"
    return View([Paragraph(f"{jobs:,} dead jobs {will}")])


def jobs_started(jobs: int, *, is_dry_run: bool) -> View:
    """Return how many waiting jobs are due, or would be."""
    will = "can be started" if is_dry_run else "started, due now"
    return View([Paragraph(f"{count(jobs, 'waiting job')} {will}")])


def kind_paused(kind: str, group: str, *, is_known: bool) -> View:
    """Return that a kind is paused.

    Args:
        is_known: whether the group ever had a job of it.
    """
    remark = "" if is_known else "; this group never had a job of this kind"
    return View([Paragraph(f"{kind} is paused in group {group}{remark}")])


def kind_resumed(kind: str, group: str) -> View:
    """Return that a kind is not paused."""
    return View([Paragraph(f"{kind} is not paused in group {group}")])


def _backlog(group: str, backlog: Backlog, pause: Pause | None, now: datetime) -> list[Cell]:
    oldest = duration(backlog.oldest_s) if backlog.oldest_s else "-"
    counted = ((state, backlog.states.get(state, 0)) for state in JOB_STATES)
    jobs = ", ".join(f"{number:,} {state}" for state, number in counted if number)
    drain, note = drain_words(backlog), paused_words(pause, now)
    kind = Ref(backlog.kind, "kind", backlog.kind)
    return [group, kind, jobs or "none", oldest, drain, note]


def _job(group: str, job: Job, now: datetime) -> list[Cell]:
    waits = shorten(situation_words(job, now), 120)
    number = Ref(str(job.id), "job", str(job.id))
    return [group, number, job.kind, job.state, job.attempts, waits]


def _reason(group: str, reason: DeadReason, now: datetime) -> list[Cell]:
    error = shorten(reason.error, 200) or "no error was kept"
    filters = {"state": "dead", "kind": reason.kind, "error": reason.error}
    jobs = Ref(f"{reason.jobs:,}", "jobs to run", filters=filters)
    kind = Ref(reason.kind, "kind", reason.kind)
    return [group, kind, jobs, ago(reason.oldest_at, now), error]


def _total(group: str, total: Total) -> list[Cell]:
    wait, run = (micros / total.jobs / 1e6 for micros in (total.waited_us, total.ran_us))
    return [group, total.kind, total.outcome, total.jobs, duration(wait), duration(run)]


def _facts(job: Job, now: datetime, paused: Mapping[str, Pause]) -> dict[str, str | int]:
    facts: dict[str, str | int] = {
        "job": str(job.id),
        "kind": job.kind,
        "state": job.state,
        "waits for": situation_words(job, now),
        "arguments": ", ".join(f"{name} {value}" for name, value in job.payload.items()),
        "created": f"{moment(job.created_at)}, {ago(job.created_at, now)}",
        "attempts": job.attempts,
        "deliveries": job.deliveries,
    }
    optional = {
        "key": job.key,
        "priority": str(job.priority) if job.priority else None,
        "crashes": crash_words(job),
        "runs again": None if job.again_at is None else moment(job.again_at),
        "last error": job.last_error,
        "its kind is": paused_words(paused[job.kind], now) if job.kind in paused else None,
    }
    return facts | {name: value for name, value in optional.items() if value is not None}


def _run(run: Run) -> list[Cell]:
    return [
        *(run.attempt, run.outcome, moment(run.ended_at)),
        *(duration(run.waited_us / 1e6), duration(run.ran_us / 1e6)),
        *((run.owner or "-")[:8], shorten(run.note or "", 200)),
    ]


def _crash(run: Run) -> list[Cell]:
    """Return which process died how, and whether it counts for the job."""
    by_itself = {None: "unknown", True: "yes", False: "no"}[run.by_itself]
    counts = f"no: {run.excused_by} died as well" if run.excused_by else "yes"
    process = f"worker {run.pid or (run.owner or '?')[:8]}"
    return [moment(run.ended_at), process, ended_words(run.exit_status), by_itself, counts]
