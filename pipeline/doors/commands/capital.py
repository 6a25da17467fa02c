"""`afterword capital`: what the owner's accounts hold together."""

import time
from contextlib import closing
from datetime import timedelta

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.capital.read import missing_capital, read_capital
from afterword.pipeline.domain.capital.refresh import refresh_capital
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.gateway.venue.patient import PatientInfo
from afterword.pipeline.views.trades.capital import capital_done, capital_view

app = section("Show what your accounts hold together.")


@app.command()
def show(ctx: typer.Context, as_of: AsOf = None) -> None:
    """Show the capital, its tier, and what each account adds to it.

    Example: afterword capital show
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        capital = read_capital(conn, at)
        missing = () if at is not None else missing_capital(conn)
    call.answer({"capital": capital, "missing": missing}, lambda: capital_view(capital, missing))


@app.command()
def refresh(ctx: typer.Context) -> None:
    """Ask the venue now, without waiting for the next run of a worker.

    Example: afterword capital refresh
    """
    call = Call(ctx)
    stores, store, clock = call.stores(), call.store(), call.roots.clock
    cooldown = timedelta(seconds=call.settings.capital_cooldown)
    with closing(build_info(call.settings, stores.instance, clock, "accounts")) as info:
        patient = PatientInfo(info, clock, time.sleep)
        done = refresh_capital(store, patient, clock, cooldown, is_forced=True)
    call.answer({"capital": done.capital, "missing": done.missing}, lambda: capital_done(done))
