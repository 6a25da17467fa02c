"""`afterword worker`: supervised worker processes on this host."""

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import note_exit
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.workers.routes import QUEUES
from afterword.workers.worker.app import refuse_unsafe_redis, require_redis
from afterword.workers.worker.supervisor import Supervisor

ISOLATION_PROCESSES = 2
"""Processes for the isolation queue, each with one thread (count): when a job kills one of them,
the other one goes on."""

FailFast = Annotated[
    bool,
    typer.Option("--fail-fast", help="Exit 1 if Redis does not answer, instead of waiting for it."),
]


def worker(
    ctx: typer.Context,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Worker processes; each is restarted when it dies.")
    ] = 1,
    threads: Annotated[
        int | None, typer.Option(min=1, max=256, help="Jobs that each process runs at once.")
    ] = None,
    queues: Annotated[
        str | None, typer.Option(help=f"Queues to serve, separated by commas: {', '.join(QUEUES)}.")
    ] = None,
    fail_fast: FailFast = False,
) -> None:
    """Run jobs until TERM; a second TERM stops at once.

    Example: afterword worker --processes 2 --threads 8
    """
    call = Call(ctx)
    settings = call.settings
    require_redis(settings, "worker")
    refuse_unsafe_redis(settings, fail_fast)  # here, not again and again in each child
    call.stores(create=True)
    served = checked_queues(queues)
    per_process = threads or settings.worker_threads
    commands = [child(settings.home, served, per_process)] * processes if served else []
    if queues is None or ISOLATION_QUEUE in queues.split(","):
        # Isolated jobs run one message at a time, in processes that no other job shares.
        commands += [child(settings.home, (ISOLATION_QUEUE,), 1)] * ISOLATION_PROCESSES
    log_events(sys.stderr, settings.log_format, settings.log_level, system_clock)
    on_death = partial(keep_exit, settings.home)
    raise typer.Exit(Supervisor(commands, monotonic, spawn, on_death).run())


def checked_queues(names: str | None) -> tuple[str, ...]:
    """Return the named queues without the isolation queue, which has processes of its own.

    Raises:
        InvalidInputError: a name is not the name of a queue.
    """
    wanted = QUEUES if names is None else tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in QUEUES:
            raise InvalidInputError("queues", f"unknown queue {name!r}", ", ".join(QUEUES))
    return tuple(name for name in wanted if name != ISOLATION_QUEUE)


def child(home: Path, queues: Sequence[str], threads: int) -> tuple[str, ...]:
    """Return the command of one worker process."""
    return (
        sys.executable,
        "-m",
        "afterword.workers.worker.child",
        str(home),
        ",".join(queues),
        str(threads),
    )


def keep_exit(home: Path, pid: int, status: int) -> None:
    """Keep how a worker process ended for `afterword jobs show`, if the disk allows it."""
    try:
        note_exit(home, pid, status)
    except PipelineError as error:
        emit("supervisor.failed", error=str(error))


def spawn(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a worker process with the environment of this process."""
    return subprocess.Popen(command)
