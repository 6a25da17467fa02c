"""`afterword dispatcher`, `afterword up`, `afterword cron`."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.schedules.entry import CronEntry
from afterword.schedules.listed import coming_slots, list_entries
from afterword.schedules.listed_view import entry_list, job_added, slot_list
from afterword.schedules.process import run_dispatcher, run_up
from afterword.schedules.run_entry import run_entry
from afterword.schedules.table import whole_table
from afterword.workers.worker.app import refuse_unsafe_redis, require_redis
from afterword.workers.worker.commands import FailFast


def dispatcher(ctx: typer.Context, fail_fast: FailFast = False) -> None:
    """Send due jobs to the workers and run the schedule, until TERM; any number may run.

    Example: afterword dispatcher --fail-fast
    """
    settings = Call(ctx).settings
    require_redis(settings, "dispatcher")
    refuse_unsafe_redis(settings, fail_fast)
    run_dispatcher(settings)


def up(ctx: typer.Context, fail_fast: FailFast = False) -> None:
    """Run dispatcher and worker in one process until TERM; without a server, if none is set.

    Example: afterword up
    """
    settings = Call(ctx).settings
    refuse_unsafe_redis(settings, fail_fast)
    run_up(settings)


cron = section("Show the schedule, and add an entry's job now.")


@cron.command("ls")
def ls(ctx: typer.Context) -> None:
    """Show the schedule, and when each entry last fired in this group.

    Example: afterword cron ls
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        listed = list_entries(conn, _table(call), call.now())
    call.answer(listed, lambda: entry_list(listed))


@cron.command("next")
def coming(
    ctx: typer.Context,
    number: Annotated[int, typer.Option("--number", min=1, max=1000, help="Slots to show.")] = 10,
) -> None:
    """Show the next slots of all entries, in order.

    Example: afterword cron next --number 5
    """
    call = Call(ctx)
    slots = coming_slots(_table(call), call.now(), number)
    call.answer(slots, lambda: slot_list(slots))


@cron.command("run")
def run(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="ENTRY", help="Such as store.tidy.")],
) -> None:
    """Add an entry's job now, as a tick of this moment.

    Example: afterword cron run store.tidy
    """
    call = Call(ctx)
    stores, table = call.stores(), _table(call)
    store = stores.group(call.settings.group)
    done = run_entry(store, name, table, stores.instance_id, call.now())
    job = next(entry.job for entry in table if entry.name == name)
    call.answer(done, lambda: job_added(job))


def _table(call: Call) -> tuple[CronEntry, ...]:
    return whole_table(load_roles(call.settings.home))
