"""`afterword replay run` and `resume`: run the whole learning loop over the past."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.area import load
from afterword.pipeline.core.store import Stores
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.export_options import (
    Columns,
    ContractSizes,
    Decimals,
    FactorFiles,
    PriceFiles,
    Symbol,
    TimeFormat,
    TimeUnitName,
    Zone,
    kept_by,
    reading_options,
)
from afterword.pipeline.doors.commands.replay.options import (
    KnownUntil,
    ReplayName,
    Since,
    SliceDays,
    Until,
)
from afterword.pipeline.doors.commands.replay.plan import (
    date_of,
    hours_of,
    rule_of,
    with_decisions,
    with_group,
)
from afterword.pipeline.errors import ConflictError, InvalidInputError
from afterword.pipeline.operations.loop.progress import OnProgress
from afterword.pipeline.operations.replay.area import FLEET
from afterword.pipeline.operations.replay.judge import HEURISTIC, check_model, judging
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.prepare import prepare_replay
from afterword.pipeline.operations.replay.read_inputs import read_inputs
from afterword.pipeline.operations.replay.run import (
    SLICE_DAYS,
    roles_for,
    run_replay,
    status_of,
    throughput,
)
from afterword.pipeline.operations.replay.slices import SlicePlan
from afterword.pipeline.views.replay.run import replay_end

_RULES: Final = ("momentum", "mean_reversion", "breakout")
_TRADES: Final = "replay.trades"


def run(
    ctx: typer.Context,
    name: ReplayName,
    prices: PriceFiles = None,
    factors: FactorFiles = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Who decides: momentum, mean_reversion, breakout, or with parameters: "
            "momentum:lookback_hours=336. All three if nothing else decides.",
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Recorded decisions, a JSON object a line."),
    ] = None,
    trades: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Exports of trades: their round trips are decisions, and their fills prices where "
            "none are given.",
        ),
    ] = None,
    zone: Zone = None,
    symbol: Symbol = None,
    columns: Columns = None,
    time_unit: TimeUnitName = None,
    time_format: TimeFormat = None,
    decimal: Decimals = None,
    contract_size: ContractSizes = None,
    role: Annotated[
        str, typer.Option(help="The role that the round trips of trades belong to.")
    ] = _TRADES,
    from_group: Annotated[
        str | None,
        typer.Option(metavar="GROUP", help="Prices, methods and decisions of a group."),
    ] = None,
    horizon: Annotated[
        str, typer.Option(help="When decisions of rules are judged: 1d, 7d, 30d or 90d.")
    ] = "7d",
    every: Annotated[
        str | None, typer.Option(help="How often a rule decides on an asset; the horizon.")
    ] = None,
    placebos: Annotated[
        bool, typer.Option("--placebos/--no-placebos", help="Decide beside it without skill.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Of what is drawn.")] = 1,
    judge: Annotated[
        Literal["heuristic", "model"],
        typer.Option(help="Who explains wrong decisions; a model's answers go into its cassette."),
    ] = HEURISTIC,
    known_until: KnownUntil = None,
    since: Since = None,
    until: Until = None,
    slice_days: SliceDays = SLICE_DAYS,
) -> None:
    """Replay past prices and decisions through the whole loop, from decision to audit.

    The same inputs give the same state, digit for digit. Killed anywhere, `replay resume` goes on.

    Example: afterword replay run sol --prices SOLUSDT_1h.csv --rule momentum
    """
    call = Call(ctx)
    horizon_hours = hours_of(horizon, "horizon")
    is_told = decisions is not None or bool(trades) or from_group is not None
    options = reading_options(
        zone=zone,
        symbol=symbol,
        columns=columns,
        time_unit=time_unit,
        time_format=time_format,
        decimal=decimal,
        contract_size=contract_size,
    )
    plan = ReplayPlan(
        prices=tuple(prices or ()),
        factors=tuple(factors or ()),
        rules=tuple(map(rule_of, rule or (() if is_told else _RULES))),
        horizon_hours=horizon_hours,
        every_hours=None if every is None else hours_of(every, "every"),
        placebos=placebos,
        seed=seed,
        trades=tuple(trades or ()),
        role=role,
        reading=replace(options, kept=kept_by(call)) if trades else options,
        since=read_moment(since, "since"),
        until=read_moment(until, "until"),
        gate=call.settings.graduation_gate,
        fdr=call.settings.graduation_fdr,
        pattern_error=call.settings.pattern_error,
        judge=judge if judge == HEURISTIC else call.settings.llm_model,
        known_until=date_of(known_until),
    )
    if judge != HEURISTIC and not call.settings.redis_url:  # else the workers' settings count
        check_model(call.settings)
    if decisions is not None:
        plan = with_decisions(call, plan, decisions)
    if from_group is not None:
        plan = with_group(call, plan, from_group)
    with progress() as told:
        stores = _prepared(call, name, plan, told)
        _run(call, stores, name, slice_days, told)


def resume(ctx: typer.Context, name: ReplayName, slice_days: SliceDays = SLICE_DAYS) -> None:
    """Go on with a replay that was stopped or killed; of one that has ended, say so.

    Example: afterword replay resume sol
    """
    call = Call(ctx)
    with progress() as told:
        _run(call, call.stores(), name, slice_days, told)


def _prepared(call: Call, name: str, plan: ReplayPlan, told: OnProgress) -> Stores:
    """Make the file of a replay; a bad input leaves none."""
    stores = call.stores(create=True)
    before = _found(stores, name)
    if before is not None:
        goes_on = f"`afterword replay resume {name}` to go on with it, "
        accepted = f"another name, {goes_on if before.state != 'done' else ''}"
        accepted += f"or `afterword replay rm {name}`"
        raise InvalidInputError("name", f"{name!r} exists", accepted)
    registry = roles_for(call.settings.home, plan.horizon_hours)
    with ProcessPoolExecutor(os.cpu_count()) as pool:  # it starts a process for each file at most
        inputs = read_inputs(plan, call.now(), told, pool)
    store = stores.replay(name, create=True)
    try:
        prepare_replay(store, registry, plan, inputs, told)
    except BaseException:
        if _found(stores, name) is None:  # else another process prepared it meanwhile
            stores.remove_replay(name)
        raise
    return stores


def _found(stores: Stores, name: str) -> ReplayStatus | None:
    """Return how far a replay is; None if there is none that was prepared."""
    try:
        return status_of(stores.replay(name)) if name in stores.replays() else None
    except ConflictError:
        return None


def _run(call: Call, stores: Stores, name: str, slice_days: int, told: OnProgress) -> None:
    """Run a replay to its end: through the workers if Redis is set, else in this process."""
    store = stores.replay(name)
    before = status_of(store)
    began = monotonic()
    span = before.settings.ends_at - before.cursor

    def on_cursor(cursor: int) -> None:
        told("replay", cursor - before.cursor, span)

    if call.settings.redis_url and before.state != "done":
        run_with_fleet = load(FLEET)
        plan = SlicePlan(slice_days, before.settings.judge)
        run_with_fleet(call.settings, stores, name, plan, call.roots.clock, on_cursor, _print_note)
    elif before.state != "done":
        _run_here(call, stores, before, slice_days, on_cursor)
    status = status_of(store)
    took = throughput(before, status, monotonic() - began)
    call.answer(
        {"replay": status, "throughput": took},
        lambda: replay_end(status, before, took),
    )


def _run_here(
    call: Call,
    stores: Stores,
    before: ReplayStatus,
    slice_days: int,
    on_cursor: Callable[[int], None],
) -> None:
    settings, roots = call.settings, call.roots
    registry = roles_for(settings.home, before.settings.horizon_hours)
    with judging(before.settings.judge, settings, stores.instance, roots.clock, roots.ids) as judge:
        run_replay(
            stores.replay(before.name),
            registry,
            judge,
            lambda done: on_cursor(done.until),
            slice_days,
        )


def _print_note(text: str) -> None:
    typer.echo(f"afterword: {text}", err=True)
