"""`afterword jobs`: list, show, retry, redrive and pause jobs."""

from typing import Annotated, Literal

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
from afterword.pipeline.core.jobs.inspect import Pause
from afterword.pipeline.core.jobs.model import Job, Run
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.output import plain, print_fields, print_line, print_table
from afterword.pipeline.doors.commands.job_words import (
    BACKLOG_COLUMNS,
    CRASH_COLUMNS,
    ROW_COLUMNS,
    RUN_COLUMNS,
    TOTAL_COLUMNS,
    backlog_row,
    crash_row,
    job_fields,
    job_row,
    run_row,
    total_row,
)
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.words import printable

app = section("List jobs and their runs; retry, redrive or pause them.")

State = Literal["later", "ready", "sent", "running", "dead"]
JobId = Annotated[
    int, typer.Argument(metavar="ID", min=1, max=2**63 - 1, help="Number of a job in its group.")
]
Kind = Annotated[str, typer.Argument(metavar="KIND", help="A kind of job, as `jobs ls` lists it.")]
OfKind = Annotated[str | None, typer.Option("--kind", help="Only this kind.")]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="Most rows listed.")]


@app.command("ls")
def ls(
    ctx: typer.Context,
    state: Annotated[State | None, typer.Option(help="List the rows in this state.")] = None,
    kind: Annotated[str | None, typer.Option(help="List the rows of this kind.")] = None,
    limit: Limit = 50,
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
def dead(ctx: typer.Context, kind: OfKind = None, limit: Limit = 50) -> None:
    """List dead jobs with their errors.

    Example: afterword jobs dead --kind embed_memories
    """
    _answer_rows(Call(ctx), "dead", kind, limit)


@app.command()
def show(ctx: typer.Context, job_id: JobId) -> None:
    """Show one job: what it waits for, its runs, its crashes, its last error.

    Example: afterword jobs show 1
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        job, runs = inspect.show(conn, job_id)
        paused = {pause.kind: pause for pause in inspect.pauses(conn)}
    call.answer({"job": job, "runs": runs}, lambda: _print_job(call, job, runs, paused))


@app.command()
def stats(ctx: typer.Context) -> None:
    """Count runs by outcome since each file was made, with mean times.

    Example: afterword jobs stats
    """
    call = Call(ctx)
    found = []
    for store in call.named_stores():
        with reading(store) as conn:
            found += [(store.name, total) for total in inspect.totals(conn)]
    call.answer(
        [{"group": group} | plain(total) for group, total in found],
        lambda: print_table(TOTAL_COLUMNS, [total_row(*row) for row in found], "no run has ended"),
    )


@app.command()
def retry(ctx: typer.Context, job_id: JobId) -> None:
    """Run one waiting or dead job now.

    Example: afterword jobs retry 1
    """
    call = Call(ctx)
    with writing(call.store()) as conn:
        was = operate.retry(conn, job_id, call.now())
    call.answer(
        {"id": job_id, "was": was},
        lambda: print_line(f"job {job_id} was {was}; it is due now"),
    )


@app.command()
def redrive(
    ctx: typer.Context,
    kind: OfKind = None,
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
    said = "can be revived" if dry_run else "are due again"
    call.answer(
        {"revived": 0 if dry_run else revived, "revivable": revived, "dry_run": dry_run},
        lambda: print_line(f"{revived:,} dead jobs {said}"),
    )


@app.command()
def pause(
    ctx: typer.Context,
    kind: Kind,
    note: Annotated[str, typer.Option(help="The reason, for other operators.")] = "",
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
    remark = "" if known else "; this group never had a job of this kind"
    call.answer(
        {"group": group, "kind": kind, "paused": True, "changed": changed, "known": known},
        lambda: print_line(f"{kind} is paused in group {group}{remark}"),
    )


@app.command()
def resume(ctx: typer.Context, kind: Kind) -> None:
    """Send jobs of a paused kind again.

    Example: afterword jobs resume embed_memories
    """
    call, kind = Call(ctx), mask(kind)
    with writing(call.store()) as conn:
        changed = operate.resume(conn, kind)
    group = call.settings.group
    call.answer(
        {"group": group, "kind": kind, "paused": False, "changed": changed},
        lambda: print_line(f"{kind} is not paused in group {group}"),
    )


def _answer_backlogs(call: Call) -> None:
    now, lines, values = call.now(), [], []
    fleet, wanted = processes(call.settings.home, now, monotonic), OpenJobs({})
    for store in call.named_stores():
        with reading(store) as conn:
            wanted += waiting(conn, now)
            paused = {pause.kind: pause for pause in inspect.pauses(conn)}
            for backlog in inspect.backlogs(conn, now):
                pause = paused.get(backlog.kind)
                lines.append(backlog_row(store.name, backlog, pause, now))
                threads = threads_for(fleet, backlog.kind)
                values.append(
                    {"group": store.name}
                    | plain(backlog)
                    | {"paused": plain(pause), "live_threads": threads}
                )

    def show() -> None:
        print_table(BACKLOG_COLUMNS, lines, "no job waits")
        for problem in problems(fleet, wanted, one_process=not call.settings.redis_url):
            print_line(problem)
        for note in started_for_agents(fleet):
            print_line(note)

    call.answer(values, show)


def _answer_rows(call: Call, state: str | None, kind: str | None, limit: int) -> None:
    now = call.now()
    found: list[tuple[str, Job]] = []
    for store in call.named_stores():
        with reading(store) as conn:
            listed = inspect.listing(conn, state, kind, limit - len(found))
            found += [(store.name, job) for job in listed]
    call.answer(
        [{"group": group} | plain(job) for group, job in found],
        lambda: print_table(
            ROW_COLUMNS,
            [job_row(group, job, now) for group, job in found],
            _no_job(state, kind),
        ),
    )


def _no_job(state: str | None, kind: str | None) -> str:
    """Say that a list of jobs is empty, by what was asked for."""
    return f"no {state or 'open'} job{f' of kind {mask(kind)}' if kind else ''}"


def _print_job(call: Call, job: Job | None, runs: list[Run], paused: dict[str, Pause]) -> None:
    if job is None:
        print_line(f"job {runs[0].job_id} ({runs[0].kind}) is done; only its runs are kept")
    else:
        print_fields(job_fields(job, call.now(), paused))
    print_line("")
    print_table(RUN_COLUMNS, [run_row(run) for run in runs], "no run of this job has ended")
    crashes = [crash_row(run) for run in runs if run.outcome == "crashed"]
    if crashes:
        print_line("")
        print_table(CRASH_COLUMNS, crashes, "")
    if job is not None and job.last_traceback:
        print_line("")
        if call.debug:
            for line in job.last_traceback.splitlines():
                typer.echo(printable(line))
        else:
            print_line("--debug shows the traceback of the last error")
