"""Prepare a replay: its prices, methodologies and decisions into its file, in one transaction.

trades → prices → methodologies of the makers → decisions of makers, recorded ones, round trips →
settings

A kill leaves a file without settings; the next run prepares it again. Nothing here reads a clock:
what is written is known at moments of the inputs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Store, one_transaction
from afterword.pipeline.core.telemetry import muting
from afterword.pipeline.domain.decisions.model import NewDecisionRow
from afterword.pipeline.domain.institution import rows as run_rows
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.prices import class_rows
from afterword.pipeline.domain.prices.keep import add_splits, keep_bars, keep_splits
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import ConflictError, InvalidInputError
from afterword.pipeline.operations.learn.files import FILE_SOURCE
from afterword.pipeline.operations.loop.progress import OnProgress
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.calls import placebo_calls, rule_calls, usual_placebos
from afterword.pipeline.operations.replay.fill_prices import fill_prices
from afterword.pipeline.operations.replay.from_group import GroupMethod
from afterword.pipeline.operations.replay.ids import DerivedIds
from afterword.pipeline.operations.replay.loop import OF_THE_LIVE, body_of
from afterword.pipeline.operations.replay.made import MadeDecisions, MethodUids
from afterword.pipeline.operations.replay.methods import placebo_methods, rule_methods
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay.passes import first_pass_from, pass_at_or_before
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.read_inputs import ReplayInputs
from afterword.pipeline.operations.replay.rows import PreparedDecision
from afterword.pipeline.operations.replay.trips import keep_trades, trip_decisions
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.signals import TradingRule, read_rule

_CHUNK: Final = 1_000
"""Decisions that are checked and written at a time."""


def prepare_replay(
    store: Store, registry: RoleRegistry, plan: ReplayPlan, inputs: ReplayInputs, told: OnProgress
) -> ReplaySettings:
    """Fill the file of a new replay; all of it is kept, or nothing.

    Args:
        store: the file of the replay, new or left unprepared by a kill.
        registry: see `registry_of`.

    Raises:
        InvalidInputError: there is nothing to decide on, or a rule is wrong.
        ConflictError: the replay was prepared before.
        UnavailableError: the disk is full, or cannot be written.
    """
    rules = [read_rule(name, parameters) for name, parameters in plan.rules]
    registry.role(plan.role)
    ids = DerivedIds(plan.seed)
    with muting(*OF_THE_LIVE), one_transaction(store) as conn:
        if rows.run(conn) is not None:
            raise ConflictError(f"replay {store.name} is there; `afterword replay resume` goes on")
        keep_trades(store, plan, ids, told)
        trips = list(trip_decisions(conn, registry, plan))
        if plan.trades and not trips:
            accepted = "exports in which positions are both opened and closed"
            raise InvalidInputError("trades", "hold no complete round trip", accepted)
        inputs = replace(inputs, prices=(*inputs.prices, *fill_prices(conn, inputs.prices)))
        begins_at, ends_at = _span(plan, inputs, trips)
        class_rows.keep(conn, dict(plan.classes), begins_at)
        _keep_prices(store, inputs, told)
        settings = _settings(plan, inputs, rules, begins_at, ends_at)
        rows.create(conn, settings, pass_at_or_before(begins_at))
        made = _made(store, conn, registry, settings, plan, rules, ids)
        closed = (trip for trip in trips if begins_at <= trip.at < settings.ends_at)
        number = _keep_decisions(conn, chain(made, closed), told)
        if not number:
            span = f"{from_micros(begins_at):%Y-%m-%d} to {from_micros(ends_at):%Y-%m-%d}"
            problem = f"nobody decides from {span}, the span of the prices"
            accepted = "a rule, decisions or trades of that time, or prices of theirs"
            raise InvalidInputError("prices", problem, accepted)
        rows.start(conn, ids.drawn)
    return settings


def _span(
    plan: ReplayPlan, inputs: ReplayInputs, trips: Sequence[PreparedDecision]
) -> tuple[int, int]:
    """Return the first moment and the last pass; microseconds."""
    closes = [
        to_micros(moment)
        for file in inputs.prices
        if file.bars
        for moment in (file.bars[0].closed_at, file.bars[-1].closed_at)
    ]
    if not closes:
        accepted = "--prices FILE, such as SOL_1h.csv; or trades with their fills, which are prices"
        raise InvalidInputError("prices", "none are given", accepted)
    made = [row.decided_at for row in plan.decisions if row.decided_at is not None]
    trades = [trip.at for trip in trips]
    begins_at = min([*closes, *made, *trades])
    if plan.since is not None:
        begins_at = max(begins_at, to_micros(plan.since))
    # A pass records what was decided before it: the last trip too.
    ends_at = max([*closes, *(at + 1 for at in trades)])
    if plan.until is not None:
        ends_at = min(ends_at, to_micros(plan.until))
    if ends_at <= begins_at:
        problem = f"leaves nothing between {from_micros(begins_at)} and {from_micros(ends_at)}"
        raise InvalidInputError("since and until", problem, "a span with prices")
    return begins_at, first_pass_from(ends_at)


def _settings(
    plan: ReplayPlan,
    inputs: ReplayInputs,
    rules: Sequence[TradingRule],
    begins_at: int,
    ends_at: int,
) -> ReplaySettings:
    return ReplaySettings(
        inputs=(*inputs.files, *plan.known),
        rules=tuple((rule.name, rule.variant) for rule in rules),
        horizon_hours=plan.horizon_hours,
        every_hours=plan.every_hours or plan.horizon_hours,
        placebos=plan.placebos and bool(rules),
        seed=plan.seed,
        gate=plan.gate,
        fdr=plan.fdr,
        pattern_error=plan.pattern_error,
        judge=plan.judge,
        known_until=plan.known_until,
        begins_at=begins_at,
        ends_at=ends_at,
    )


def _keep_prices(store: Store, inputs: ReplayInputs, told: OnProgress) -> None:
    last = max(file.bars[-1].closed_at for file in inputs.prices if file.bars)
    for number, file in enumerate(inputs.prices, start=1):
        keep_bars(store, file.series, file.bars, lambda: last)
        add_splits(store, file.series.source, file.series.symbol, file.splits, lambda: last)
        told("prices", number, len(inputs.prices))
    for market, splits in inputs.factors:
        keep_splits(store, FILE_SOURCE, market, splits, lambda: last)


def _made(
    store: Store,
    conn: Connection,
    registry: RoleRegistry,
    settings: ReplaySettings,
    plan: ReplayPlan,
    rules: Sequence[TradingRule],
    ids: DerivedIds,
) -> Iterator[PreparedDecision]:
    """Yield the decisions of the makers in order of time, then the recorded ones."""
    series = _series(conn)
    if rules and not series:
        problem = "decides on bars, and only single prints are given"
        raise InvalidInputError("rule", problem, "--prices FILE with bars, or no rule")
    placebos = usual_placebos(rules) if settings.placebos else ()
    stated = class_rows.classes_at(conn)
    classes = [stated.of(asset) for asset in series]
    hours = settings.horizon_hours
    methods: MethodUids = {}
    writer = Writer(store, lambda: from_micros(settings.begins_at), ids, actor="system")
    if rules:
        of_rules = rule_methods(rules, classes, hours)
        of_placebos = placebo_methods(placebos, classes, hours, settings.seed)
        for method in (*of_rules, *of_placebos):
            uid = add_methodology(writer, method.method, as_new=True).uid
            methods[method.maker, method.variant, method.asset_class, method.side] = uid
        every = timedelta(hours=settings.every_hours)
        made = MadeDecisions(registry, settings.seed, methods, stated)
        for calls in (
            rule_calls(series, rules, every),
            placebo_calls(series, placebos, every, settings.seed, stated),
        ):
            for call in calls:
                if settings.begins_at <= call.at < settings.ends_at:
                    yield made.of(call)
    for given in plan.methods:
        _keep_method(store, given)
    for row in plan.decisions:
        yield from _recorded(settings, row)
    for given_run in plan.runs:
        if settings.begins_at <= to_micros(given_run.run.known_at) < settings.ends_at:
            run_rows.keep_run(conn, given_run.run, given_run.outputs)


def _keep_method(store: Store, given: GroupMethod) -> None:
    """Add a methodology under the id that decisions cite, known since it was known there."""
    writer = Writer(store, lambda: given.known_at, lambda: given.uid, actor="system")
    add_methodology(writer, given.method, as_new=True)


def _series(conn: Connection) -> dict[str, Ladder]:
    """Return the closes of each asset: of its finest series, by which it is judged."""
    prices = StoredPrices(conn)
    ladders = {}
    for symbol in rows.symbols(conn):
        (finest, *_) = prices.series(symbol)
        ladders[finest.asset] = prices.record(finest).ladder
    return dict(sorted(ladders.items()))


def _recorded(settings: ReplaySettings, row: NewDecisionRow) -> Iterator[PreparedDecision]:
    at = row.decided_at if row.known_at is None else row.known_at
    assert at is not None  # read with its moment
    if settings.begins_at <= at < settings.ends_at:
        key = row.record_key or row.uid
        yield PreparedDecision(at, key, "recorded", row.role_id, body_of(replace(row, known_at=at)))


def _keep_decisions(conn: Connection, made: Iterator[PreparedDecision], told: OnProgress) -> int:
    """Write prepared decisions chunk by chunk; return how many."""
    number, chunk = 0, []
    for decision in made:
        chunk.append(decision)
        if len(chunk) == _CHUNK:
            rows.add_decisions(conn, chunk)
            number, chunk = number + len(chunk), []
            told("decide", number, number)
    rows.add_decisions(conn, chunk)
    return number + len(chunk)
