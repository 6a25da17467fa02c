"""`afterword jobs`: list, show, retry, redrive and pause jobs."""

from typing import Annotated

import typer

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
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import Note, most_shown
from afterword.pipeline.doors.render.values import plain
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.operator.jobs import (
    backlog_list,
    dead_reason_list,
    job_list,
    job_retried,
    job_story,
    jobs_redriven,
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
_Limit = Annotated[int, most_shown("rows", 100_000, is_checked=False)]


@app.command("ls")
def ls(
    ctx: typer.Context,
    state: Annotated[JobState | None, typer.Option(help="List the rows in this state.")] = None,
    kind: _OfKind = None,
    limit: _Limit = 50,
) -> None:
    """Show each group's backlog by kind, or its rows.

    Example: afterword jobs ls --state dead
    """
    call = Call(ctx)
    if state is None and kind is None:
        _answer_backlogs(call)
    else:
        _answer_rows(call, state, kind, limit)


@app.command()
def dead(ctx: typer.Context, kind: _OfKind = None, limit: _Limit = 50) -> None:
    """List dead jobs with their errors.

    Example: afterword jobs dead --kind embed_memories
    """
    _answer_rows(Call(ctx), "dead", kind, limit)


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
def retry(ctx: typer.Context, job_id: _JobId) -> None:
    """Run one waiting or dead job now.

    Example: afterword jobs retry 1
    """
    call = Call(ctx)
    with writing(call.store()) as conn:
        was = operate.retry(conn, job_id, call.now())
    call.answer({"id": job_id, "was": was}, lambda: job_retried(job_id, was))


@app.command()
def redrive(
    ctx: typer.Context,
    kind: _OfKind = None,
    rate: Annotated[float | None, typer.Option(help="Most jobs per second.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, max=2**63 - 1, help="Most jobs, oldest first.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count them.")] = False,
) -> None:
    """Run dead jobs again with new attempts, all at once or at a rate.

    Example: afterword jobs redrive --kind embed_memories --rate 5
    """
    call = Call(ctx)
    opened = reading if dry_run else writing
    with opened(call.store()) as conn:
        most = -1 if limit is None else limit
        revived = operate.redrive(conn, kind, call.now(), rate, most, dry_run=dry_run)
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


def _answer_rows(call: Call, state: str | None, kind: str | None, limit: int) -> None:
    now = call.now()
    rows: list[tuple[str, Job]] = []
    for store in call.named_stores():
        with reading(store) as conn:
            listed = inspect.listing(conn, state, kind, limit - len(rows))
            rows += [(store.name, job) for job in listed]
    call.answer(
        [{"group": group} | plain(job) for group, job in rows],
        lambda: job_list(rows, state, kind and mask(kind), now),
    )
