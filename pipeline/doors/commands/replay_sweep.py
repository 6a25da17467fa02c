"""`afterword replay sweep`: many replays of one plan, on all cores or on a cluster."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.replay_options import Factors, Prices, Since, Until
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.sweep import SweepReport, run_sweep
from afterword.pipeline.operations.replay.sweep_engine import PROCESSES, engine_of
from afterword.pipeline.operations.replay.sweep_figures import SweepFigures
from afterword.pipeline.operations.replay.sweep_plan import MOST_STEPS, SweepPlan
from afterword.pipeline.operations.replay.walk_forward import (
    FEWEST_STRETCHES,
    ForwardStep,
    WalkForward,
)
from afterword.pipeline.views.words import duration, moment

SHOWN: Final = 12
"""Digits of a state that are shown; --json has all."""

_NONE: Final = "-"
_FIGURES: Final = ("decisions", "stretches", "right", "base", "edge", "result")


def sweep(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the sweep is called.")],
    prices: Prices = None,
    factors: Factors = None,
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
        found = run_sweep(plan, engine_of(engine, workers), told)
    seconds = monotonic() - began
    call.answer(
        {"sweep": found, "engine": engine, "seconds": round(seconds, 3)},
        lambda: _print(found, engine, seconds),
    )
    if found.failed:
        raise typer.Exit(1)


def _print(found: SweepReport, engine: str, seconds: float) -> None:
    print_line(f"sweep {found.name}: {_cells(found.tried)} on {engine} in {duration(seconds)}")
    varying = list(found.cells[0].settings)
    names = ("cell", *varying, *_FIGURES, "graduated", "by luck", "state")
    rows = [
        (
            str(line.number),
            *line.settings.values(),
            *(
                (*[_NONE] * (len(_FIGURES) + 2), "failed")
                if line.result is None
                else (
                    *_figures(line.result.whole),
                    f"{line.result.graduated:,}",
                    f"{line.result.expected_false:.1f}",
                    line.result.state_hash[:SHOWN],
                )
            ),
        )
        for line in found.cells
    ]
    print_table(names, rows, spare=("base", "decisions", "by luck"))
    for line in found.cells:
        if line.failure is not None:
            print_line(f"cell {line.number} failed: {line.failure}")
    print_line(
        "right, base, edge: stretches that were right, the share without skill, the difference, "
        "in %; result: mean of a decision after costs, in deviations of such moves; by luck: of "
        "the graduated, at most"
    )
    _print_luck(found)
    if found.forward is not None:
        _print_forward(found, found.forward)


def _print_luck(found: SweepReport) -> None:
    if found.tried == 1:
        print_line("1 cell was tried, so nothing was chosen")
        return
    by_luck = "" if found.luck is None else f" of up to {found.luck * 100:.1f} points"
    line = (
        f"{_cells(found.tried)} were tried: the best of as many without skill has an edge{by_luck} "
        "by luck alone"
    )
    if found.forward is None:
        line += "; --walk-forward N judges each choice by what it never saw"
    print_line(line)


def _print_forward(found: SweepReport, forward: WalkForward) -> None:
    print_line(
        f"walk-forward: the span is cut into {len(forward.steps) + 1} equal parts; after each the "
        "cell with the greatest edge in that part is taken, and judged by the next part, which it "
        f"never saw; a part counts what was known by its end, and needs {FEWEST_STRETCHES} "
        "stretches of a cell"
    )
    settings = {line.number: line.settings for line in found.cells}
    rows = [_forward_row(one, settings.get(one.taken or 0, {})) for one in forward.steps]
    names = (
        *("step", "chosen at", "cell", "settings", "best of", "by luck", "edge seen"),
        *("edge unseen", "stretches", "result unseen", "judged at"),
    )
    print_table(names, rows, empty="no cell has a result", spare=("judged at", "by luck"))
    past, unseen = _points(forward.past_edge), _points(forward.next_edge)
    print_line(
        f"all steps: edge {past} in {forward.past_stretches:,} stretches that the choices were "
        f"made by, {unseen} in {forward.next_stretches:,} that they never saw; "
        f"{_cells(found.tried)} were tried"
    )


def _forward_row(one: ForwardStep, settings: Mapping[str, str]) -> Sequence[Cell]:
    step, at, judged_at = str(one.number), moment(one.until), moment(one.to_at)
    if one.taken is None or one.past is None or one.next is None:
        return step, at, _NONE, "too few stretches", "0", *[_NONE] * 5, judged_at
    return (
        step,
        at,
        str(one.taken),
        ", ".join(f"{key}={value}" for key, value in settings.items()) or _NONE,
        str(one.tried),
        _points(one.luck),
        _points(one.past.edge),
        _points(one.next.edge),
        f"{one.next.stretches:,}",
        _result(one.next),
        judged_at,
    )


def _figures(one: SweepFigures) -> tuple[str, ...]:
    return (
        f"{one.decisions:,}",
        f"{one.stretches:,}",
        _share(one.hit_rate),
        _share(one.base_rate),
        _points(one.edge),
        _result(one),
    )


def _result(one: SweepFigures) -> str:
    return _NONE if one.mean_result is None else f"{one.mean_result:+.3f}"


def _share(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:.1f}"


def _points(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:+.1f}"


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count:,} cells"
