"""`afterword jobs`: list, show, retry, redrive and pause jobs."""

from datetime import datetime
from typing import Annotated

import typer

from afterword.pipeline.areas import kinds_of_queue
from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs import inspect, operate
from afterword.pipeline.core.jobs.fleet import (
    OpenJobs,
    problems,
    processes,
    started_for_agents,
    threads_for,
    waiting,
)
from afterword.pipeline.core.jobs.inspect import Backlog, JobState, Pause
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.jobs.operate import JobFilter, added_before
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import Note, most_shown
from afterword.pipeline.doors.render.values import plain
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.operator.jobs import (
    backlog_list,
    dead_reason_list,
    job_list,
    job_retried,
    job_story,
    jobs_redriven,
    jobs_started,
    kind_paused,
    kind_resumed,
    run_totals,
)

app = section("List jobs and their runs; retry, redrive or pause them.")

_JobId = Annotated[
    int, typer.Argument(metavar="ID", min=1, max=2**63 - 1, help="Number of a job in its group.")
]
_Kind = Annotated[str, typer.Argument(metavar="KIND", help="A kind of job, as `jobs ls` lists it.")]
_OfKind = Annotated[str | None, typer.Option("--kind", help="Only jobs of this kind.")]
_OfQueue = Annotated[str | None, typer.Option("--queue", help="Only jobs of this queue.")]
_OlderThan = Annotated[
    float | None,
    typer.Option("--older-than-min", metavar="MINUTES", help="Only jobs added longer ago."),
]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count them.")]
_Limit = Annotated[int, most_shown("rows", 100_000, is_checked=False)]


@app.command("ls")
def ls(
    ctx: typer.Context,
    state: Annotated[JobState | None, typer.Option(help="List the rows in this state.")] = None,
    kind: _OfKind = None,
    queue: _OfQueue = None,
    older_than_min: _OlderThan = None,
    limit: _Limit = 50,
) -> None:
    """Show each group's backlog by kind, or its rows.

    Example: afterword jobs ls --state dead
    """
    call = Call(ctx)
    among = _among(call.now(), kind, queue, older_than_min)
    if state is None and among == operate.EVERY_JOB:
        _answer_backlogs(call)
    else:
        _answer_rows(call, state, among, limit)


@app.command()
def dead(
    ctx: typer.Context,
    kind: _OfKind = None,
    queue: _OfQueue = None,
    older_than_min: _OlderThan = None,
    limit: _Limit = 50,
) -> None:
    """List dead jobs with their errors.

    Example: afterword jobs dead --kind embed_memories
    """
    call = Call(ctx)
    _answer_rows(call, "dead", _among(call.now(), kind, queue, older_than_min), limit)


@app.command()
def reasons(ctx: typer.Context, limit: _Limit = 50) -> None:
    """Count dead jobs by kind and last error, the most frequent first.

    Example: afterword jobs reasons
    """
    call = Call(ctx)
    listed = []
    for store in call.named_stores():
        with reading(store) as conn:
            listed += [(store.name, reason) for reason in inspect.dead_reasons(conn, limit)]
    call.answer(
        [{"group": group} | plain(reason) for group, reason in listed],
        lambda: dead_reason_list(listed, call.now()),
    )


@app.command()
def show(ctx: typer.Context, job_id: _JobId) -> None:
    """Show one job: what it waits for, its runs, its crashes, its last error.

    Example: afterword jobs show 1
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        job, runs = inspect.show(conn, job_id)
        paused = {pause.kind: pause for pause in inspect.pauses(conn)}
    call.answer(
        {"job": job, "runs": runs},
        lambda: job_story(job, runs, paused, call.now(), with_traceback=call.debug),
    )


@app.command()
def stats(ctx: typer.Context) -> None:
    """Count runs by outcome since each file was made, with mean times.

    Example: afterword jobs stats
    """
    call = Call(ctx)
    totals = []
    for store in call.named_stores():
        with reading(store) as conn:
            totals += [(store.name, total) for total in inspect.totals(conn)]
    call.answer(
        [{"group": group} | plain(total) for group, total in totals],
        lambda: run_totals(totals),
    )


@app.command()
def retry(
    ctx: typer.Context,
    job_id: Annotated[
        int | None,
        typer.Argument(metavar="ID", min=1, max=2**63 - 1, help="Number of a job in its group."),
    ] = None,
    kind: _OfKind = None,
    queue: _OfQueue = None,
    older_than_min: _OlderThan = None,
    dry_run: _DryRun = False,
) -> None:
    """Run one waiting or dead job now; without a number, all that wait and that the options mean.

    Example: afterword jobs retry 1

    Example: afterword jobs retry --queue sync --older-than-min 60
    """
    call = Call(ctx)
    among = _among(call.now(), kind, queue, older_than_min)
    if (job_id is None) == (among == operate.EVERY_JOB) or (job_id is not None and dry_run):
        problem = "names one job, and options mean several"
        raise InvalidInputError("id", problem, "a number, or --kind, --queue or --older-than-min")
    if job_id is None:
        _retry_all(call, among, dry_run=dry_run)
        return
    with writing(call.store()) as conn:
        was = operate.retry(conn, job_id, call.now())
    call.answer({"id": job_id, "was": was}, lambda: job_retried(job_id, was))


@app.command()
def redrive(
    ctx: typer.Context,
    kind: _OfKind = None,
    queue: _OfQueue = None,
    older_than_min: _OlderThan = None,
    rate: Annotated[float | None, typer.Option(help="Most jobs per second.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, max=2**63 - 1, help="Most jobs, oldest first.")
    ] = None,
    dry_run: _DryRun = False,
) -> None:
    """Run dead jobs again with new attempts, all at once or at a rate.

    Example: afterword jobs redrive --kind embed_memories --rate 5
    """
    call = Call(ctx)
    now, most = call.now(), -1 if limit is None else limit
    among = _among(now, kind, queue, older_than_min)
    opened = reading if dry_run else writing
    with opened(call.store()) as conn:
        revived = operate.redrive(conn, None, now, rate, most, dry_run=dry_run, among=among)
    call.answer(
        {"revived": 0 if dry_run else revived, "revivable": revived, "dry_run": dry_run},
        lambda: jobs_redriven(revived, is_dry_run=dry_run),
    )


@app.command()
def pause(
    ctx: typer.Context,
    kind: _Kind,
    note: Note = "",
) -> None:
    """Stop sending jobs of a kind in one group; running jobs finish.

    Example: afterword jobs pause embed_memories --note "the service is down"
    """
    call = Call(ctx)
    check_text(kind, 100, "kind")
    if note:
        check_text(note, 200, "note")
    kind = mask(kind)
    with writing(call.store()) as conn:
        changed = operate.pause(conn, kind, call.now(), mask(note))
        known = kind in inspect.kinds(conn)
    group = call.settings.group
    call.answer(
        {"group": group, "kind": kind, "paused": True, "changed": changed, "known": known},
        lambda: kind_paused(kind, group, is_known=known),
    )


@app.command()
def resume(ctx: typer.Context, kind: _Kind) -> None:
    """Send jobs of a paused kind again.

    Example: afterword jobs resume embed_memories
    """
    call, kind = Call(ctx), mask(kind)
    with writing(call.store()) as conn:
        changed = operate.resume(conn, kind)
    group = call.settings.group
    call.answer(
        {"group": group, "kind": kind, "paused": False, "changed": changed},
        lambda: kind_resumed(kind, group),
    )


def _answer_backlogs(call: Call) -> None:
    now = call.now()
    fleet, wanted = processes(call.settings.home, now, monotonic), OpenJobs({})
    rows: list[tuple[str, Backlog, Pause | None]] = []
    for store in call.named_stores():
        with reading(store) as conn:
            wanted += waiting(conn, now)
            paused = {pause.kind: pause for pause in inspect.pauses(conn)}
            rows += (
                (store.name, backlog, paused.get(backlog.kind))
                for backlog in inspect.backlogs(conn, now)
            )
    values = [
        {"group": group}
        | plain(backlog)
        | {"paused": plain(pause), "live_threads": threads_for(fleet, backlog.kind)}
        for group, backlog, pause in rows
    ]
    remarks = problems(fleet, wanted, one_process=not call.settings.redis_url)
    remarks += started_for_agents(fleet)
    call.answer(values, lambda: backlog_list(rows, remarks, now))


def _among(
    now: datetime, kind: str | None, queue: str | None, older_than_min: float | None
) -> JobFilter:
    return JobFilter(kind, kinds_of_queue(queue), added_before(older_than_min, now))


def _retry_all(call: Call, among: JobFilter, *, dry_run: bool) -> None:
    with (reading if dry_run else writing)(call.store()) as conn:
        jobs = operate.later_jobs(conn, among)
        if not dry_run:
            operate.run_all_now(conn, among, call.now())
    answer = {"started": 0 if dry_run else len(jobs), "waiting": len(jobs), "dry_run": dry_run}
    call.answer(answer, lambda: jobs_started(len(jobs), is_dry_run=dry_run))


def _answer_rows(call: Call, state: str | None, among: JobFilter, limit: int) -> None:
    now, kind = call.now(), among.kind
    rows: list[tuple[str, Job]] = []
    for store in call.named_stores():
        with reading(store) as conn:
            listed = inspect.listing(
                conn, state, kind, limit - len(rows), kinds=among.kinds, before=among.before
            )
            rows += [(store.name, job) for job in listed]
    call.answer(
        [{"group": group} | plain(job) for group, job in rows],
        lambda: job_list(rows, state, kind and mask(kind), now),
    )
