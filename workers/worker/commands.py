"""`afterword worker`: a supervised fleet on this host."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.model import ALONE
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.workers.routes import QUEUES
from afterword.workers.worker.app import refuse_unsafe_redis, require_redis
from afterword.workers.worker.supervisor import Supervisor

ALONE_PROCESSES = 2
"""Processes with one thread each for the queue `alone` (count): when a job kills one of them, the
other one goes on."""

FailFast = Annotated[
    bool,
    typer.Option("--fail-fast", help="Exit 1 if Redis does not answer, instead of waiting for it."),
]


def worker(
    ctx: typer.Context,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Worker processes, each restarted alone.")
    ] = 1,
    threads: Annotated[
        int | None, typer.Option(min=1, max=256, help="Jobs each process runs at once.")
    ] = None,
    queues: Annotated[
        str | None, typer.Option(help=f"Lanes to work, by comma; of {', '.join(QUEUES)}.")
    ] = None,
    fail_fast: FailFast = False,
) -> None:
    """Run the fleet's jobs until TERM; a second TERM leaves at once."""
    call = Call(ctx)
    settings = call.settings
    require_redis(settings, "worker")
    refuse_unsafe_redis(settings, fail_fast)  # refused here, not by every child for ever
    call.stores(create=True)
    lanes = checked_queues(queues)
    per_process = threads or settings.worker_threads
    commands = [child(settings.home, lanes, per_process)] * processes if lanes else []
    if queues is None or ALONE in queues.split(","):
        # Suspects run one message at a time, in processes that only they can take down.
        commands += [child(settings.home, (ALONE,), 1)] * ALONE_PROCESSES
    log_events(sys.stderr, settings.log_format, settings.log_level, system_clock)
    raise typer.Exit(Supervisor(commands, monotonic, spawn).run())


def checked_queues(names: str | None) -> tuple[str, ...]:
    """Return the lanes named, without the one for suspects, which has a process of its own.

    Raises:
        InvalidInputError: a name is no lane.
    """
    wanted = QUEUES if names is None else tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in QUEUES:
            raise InvalidInputError("queues", f"{name!r} is no lane", ", ".join(QUEUES))
    return tuple(name for name in wanted if name != ALONE)


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


def spawn(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a worker process in this one's environment."""
    return subprocess.Popen(command)
