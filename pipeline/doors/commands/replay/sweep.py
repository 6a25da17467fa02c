"""`afterword replay sweep`: many replays of one plan, on all cores or on a cluster."""

from typing import Annotated

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.export_options import FactorFiles, PriceFiles
from afterword.pipeline.doors.commands.replay.options import Since, Until
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.sweeps.engine import PROCESSES, engine_of
from afterword.pipeline.operations.sweeps.plan import MOST_STEPS, SweepPlan
from afterword.pipeline.operations.sweeps.sweep import run_sweep
from afterword.pipeline.views.replay.sweep import replay_sweep


def sweep(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the sweep is called.")],
    prices: PriceFiles = None,
    factors: FactorFiles = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Who decides, with alternatives: momentum:lookback_hours=168|336|672. "
            "May be given several times.",
        ),
    ] = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=A|B",
            help="Alternatives of horizon, every, gate, fdr, seed or placebos: horizon=1d|7d.",
        ),
    ] = None,
    walk_forward: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=MOST_STEPS,
            help="Choose N times the best cell of a part of the span; judge it by the next part.",
        ),
    ] = 0,
    since: Since = None,
    until: Until = None,
    engine: Annotated[
        str,
        typer.Option(help="Where cells run: processes, or a Dask scheduler: tcp://host:8786."),
    ] = PROCESSES,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1_024, help="Processes; one for each core.")
    ] = None,
) -> None:
    """Replay each combination of some alternatives, and set the figures side by side.

    Nothing is kept. A cell has the state that `replay run` with its settings ends in, wherever it
    ran. On a cluster each worker reads the files itself, under the same path.

    Example: afterword replay sweep x --prices SOL_1h.csv --grid 'seed=1|2'
    """
    call = Call(ctx)
    plan = SweepPlan(
        name=name,
        base=ReplayPlan(
            prices=tuple(prices or ()),
            factors=tuple(factors or ()),
            since=read_moment(since, "since"),
            until=read_moment(until, "until"),
            gate=call.settings.graduation_gate,
            fdr=call.settings.graduation_fdr,
            pattern_error=call.settings.pattern_error,
        ),
        rules=tuple(rule or ()),
        now=call.now(),
        grid=tuple(grid or ()),
        walk_forward=walk_forward,
    )
    began = monotonic()
    with progress() as told:
        swept = run_sweep(plan, engine_of(engine, workers), told)
    seconds = monotonic() - began
    call.answer(
        {"sweep": swept, "engine": engine, "seconds": round(seconds, 3)},
        lambda: replay_sweep(swept, engine, seconds),
    )
    if swept.failed:
        raise typer.Exit(1)
