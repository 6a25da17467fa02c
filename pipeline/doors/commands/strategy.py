"""`afterword strategy`: when strategies ran, and what each run brought."""

import csv
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.domain.strategies.model import NewStrategyRun, StopReason
from afterword.pipeline.domain.strategies.read import MOST_RUNS, list_runs, runs_of
from afterword.pipeline.domain.strategies.reconcile import reconcile_runs
from afterword.pipeline.domain.strategies.runs import start_strategy, stop_strategy
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.trades.strategies import (
    strategy_list,
    strategy_page,
    strategy_started,
    strategy_stopped,
)

app = section("Record when strategies run, and what they brought.")

_Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name or id where it runs.")]


@app.command()
def start(
    ctx: typer.Context,
    name: _Name,
    symbol: Annotated[list[str], typer.Option(help="A market it trades; repeatable.")],
    capital: Annotated[str, typer.Option(metavar="USD", help="What it may use.")],
    account: Annotated[str | None, typer.Option(help="Whose trades say what it brings.")] = None,
) -> None:
    """Begin a run of a strategy; the same again changes nothing.

    Example: afterword strategy start grid --symbol BTC --capital 1000
    """
    call = Call(ctx)
    new = NewStrategyRun(
        strategy=name, symbols=tuple(symbol), allocated_capital_usd=capital, account=account
    )
    started = start_strategy(call.owner(create=True), new)
    answer = {"run": started.run, "is_new": started.is_new}
    call.answer(answer, lambda: strategy_started(started))


@app.command()
def stop(
    ctx: typer.Context,
    name: _Name,
    reason: Annotated[StopReason, typer.Option(help="Why it ended.")] = "user_manual",
    pnl: Annotated[
        str | None, typer.Option(metavar="USD", help="What it brought, if no account says so.")
    ] = None,
) -> None:
    """End the run of a strategy.

    Example: afterword strategy stop grid --reason drawdown_protection
    """
    call = Call(ctx)
    by = call.owner()
    stop_strategy(by, name, reason, pnl)
    with reading(by.store) as conn:
        result = runs_of(conn, name)[0]
    call.answer(result, lambda: strategy_stopped(result))


@app.command("ls")
def list_(
    ctx: typer.Context,
    running: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="All that run now: others are closed. '' if none does."),
    ] = None,
    limit: Annotated[int, most_shown("runs", MOST_RUNS)] = 20,
    as_of: AsOf = None,
) -> None:
    """List runs: those that run, then the newest.

    Example: afterword strategy ls --running grid,breakout
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if running is not None and at is not None:
        raise InvalidInputError("running", "cannot be given with --as-of", "one of the two")
    check_limit(limit, MOST_RUNS)
    by, closed = call.owner(), 0
    if running is not None:
        closed = reconcile_runs(by, _names(running))
    with reading(by.store) as conn:
        checked_read(conn, at)
        results = list_runs(conn, limit, at)
    call.answer({"runs": results, "closed": closed}, lambda: strategy_list(results, closed))


@app.command()
def show(ctx: typer.Context, name: _Name, as_of: AsOf = None) -> None:
    """Show the runs of one strategy, and what each of them brought.

    Example: afterword strategy show grid
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        results = runs_of(conn, name, at)
    call.answer(results, lambda: strategy_page(results))


def _names(listed: str) -> list[str]:
    """Return names between commas; one that has a comma itself stands in double quotes."""
    try:
        names = next(csv.reader([listed], skipinitialspace=True, strict=True), [])
    except csv.Error:
        accepted = 'names between commas, one with a comma in double quotes: grid,"a,b"'
        raise InvalidInputError("running", "has quotes without an end", accepted) from None
    return [name for name in names if name.strip()]
