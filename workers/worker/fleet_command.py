"""`afterword fleet`: which processes run for this home, and why waiting jobs do not run."""

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.fleet import (
    OpenJobs,
    notes,
    problems,
    processes,
    waiting,
)
from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.settings import Settings
from afterword.workers.broker.broker import check_server, connect
from afterword.workers.worker.fleet_view import fleet_view


def fleet(ctx: typer.Context) -> None:
    """Show dispatchers and workers; exit 1 with the reason if waiting jobs cannot run.

    Example: afterword fleet
    """
    call = Call(ctx)
    call.check_installed()
    found = processes(call.settings.home, call.now(), monotonic)
    wanted, unread = _wanted(call)
    wrong = [
        *_transport(call.settings),
        *problems(found, wanted, one_process=not call.settings.redis_url),
    ]
    remarks = [*unread, *notes(found)]
    value = {
        "processes": found,
        "waiting": wanted.kinds,
        "problems": wrong,
        "notes": remarks,
    }
    call.answer(value, lambda: fleet_view(found, wanted, wrong, remarks))
    if wrong:
        raise typer.Exit(1)


def _wanted(call: Call) -> tuple[OpenJobs, list[str]]:
    """Return the open jobs of the groups, and which groups could not be read."""
    stores, wanted, unread = call.stores(), OpenJobs({}), []
    for name in [call.named_group] if call.named_group else stores.groups():
        try:
            with reading(stores.group(name)) as conn:
                wanted += waiting(conn, call.now())
        except PipelineError as error:
            unread.append(f"the jobs of group {name} could not be read: {error}")
    return wanted, unread


def _transport(settings: Settings) -> list[str]:
    if not settings.redis_url:
        return []
    client = connect(settings.redis_url)
    try:
        check_server(client)
    except PipelineError as error:
        return [str(error)]
    finally:
        client.close()
    return []
