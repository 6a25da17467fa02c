"""`afterword sync`: the mirrors of the owner's accounts."""

import time
from contextlib import closing
from dataclasses import asdict
from typing import Annotated, Any

import typer

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.gateway.exchanges.build import Exchanges
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
    store = call.store()
    report = mirror_now(call, store, name)
    call.answer(
        sync_facts(report), lambda: sync_done(report, _paused(store) if name is None else [])
    )


def mirror_now(call: Call, store: Store, name: str | None = None) -> SyncReport:
    """Mirror what is new, whatever the pauses; see `sync_accounts` for the errors.

    Args:
        name: of one account only.
    """
    stores, clock = call.stores(), call.roots.clock
    parts = MirrorParts(
        store,
        clock,
        call.roots.ids,
        embeds=call.embeds,
        max_ready=call.settings.jobs_max_ready,
        exchanges=Exchanges(call.settings, stores.instance, clock),
    )
    with closing(build_info(call.settings, stores.instance, clock, "accounts")) as info:
        patient = PatientInfo(info, clock, time.sleep)
        pauses = pauses_of(call.settings)
        return sync_accounts(parts, patient, pauses, is_forced=True, name=name, wait=time.sleep)


def sync_facts(report: SyncReport) -> dict[str, Any]:
    """Return what a run mirrored, as a program reads it."""
    stopped = {venue: str(error) for venue, error in report.stopped.items()}
    sources = [
        asdict(source) | {"set_aside": [part._asdict() for part in source.set_aside]}
        for source in report.sources
    ]
    return {"sources": sources, "joined": report.joined, "stopped": stopped}


@app.command()
def status(ctx: typer.Context) -> None:
    """Show how far each mirror is, and when it runs again.

    Example: afterword sync status
    """
    call = Call(ctx)
    states, pauses = sync_status(call.store()), pauses_of(call.settings)
    paused = _paused(call.store())
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


def _paused(store: Store) -> list[str]:
    return [account.name for account in list_accounts(store) if account.paused_at]


def _set_pause(ctx: typer.Context, name: str | None, *, pauses: bool) -> None:
    call = Call(ctx)
    count = pause_accounts(call.store(), name, call.roots.clock, pauses=pauses)
    call.answer({"accounts": count, "paused": pauses}, lambda: mirrors_paused(count, pauses=pauses))
