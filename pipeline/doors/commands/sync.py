"""`afterword sync`: the mirrors of the owner's accounts."""

import time
from contextlib import closing
from typing import Annotated

import typer

from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.accounts.read import list_accounts, show_account
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.gateway.venue.patient import PatientInfo
from afterword.pipeline.views.trades.sync import mirrors_paused, sync_done, sync_status_table

app = section("Mirror what venues have of your accounts.")

_Name = Annotated[str | None, typer.Argument(metavar="NAME", help="Of one account; else of all.")]


@app.command()
def now(ctx: typer.Context, name: _Name = None) -> None:
    """Mirror what is new, without waiting for the next run of a worker.

    Example: afterword sync now
    """
    call = Call(ctx)
    stores, clock = call.stores(), call.roots.clock
    store = call.store()
    if name is not None:
        show_account(store, name)
    parts = MirrorParts(store, clock, call.roots.ids, call.embeds, call.settings.jobs_max_ready)
    with closing(build_info(call.settings, stores.instance, clock, "accounts")) as info:
        patient = PatientInfo(info, clock, time.sleep)
        pauses = pauses_of(call.settings)
        report = sync_accounts(parts, patient, pauses, is_forced=True, name=name, wait=time.sleep)
    stopped_by = None if report.stopped_by is None else str(report.stopped_by)
    answer = {"sources": report.sources, "joined": report.joined, "stopped_by": stopped_by}
    call.answer(answer, lambda: sync_done(report))


@app.command()
def status(ctx: typer.Context) -> None:
    """Show how far each mirror is, and when it runs again.

    Example: afterword sync status
    """
    call = Call(ctx)
    states, pauses = sync_status(call.store()), pauses_of(call.settings)
    paused = [account.name for account in list_accounts(call.store()) if account.paused_at]
    answer = {"mirrors": states, "paused": paused}
    call.answer(answer, lambda: sync_status_table(states, pauses, paused, call.now()))


@app.command()
def pause(ctx: typer.Context, name: _Name = None) -> None:
    """Ask no venue for an account, or for all, until `resume`.

    Example: afterword sync pause main
    """
    _set_pause(ctx, name, pauses=True)


@app.command()
def resume(ctx: typer.Context, name: _Name = None) -> None:
    """End a pause.

    Example: afterword sync resume main
    """
    _set_pause(ctx, name, pauses=False)


def _set_pause(ctx: typer.Context, name: str | None, *, pauses: bool) -> None:
    call = Call(ctx)
    count = pause_accounts(call.store(), name, call.roots.clock, pauses=pauses)
    call.answer({"accounts": count, "paused": pauses}, lambda: mirrors_paused(count, pauses=pauses))
