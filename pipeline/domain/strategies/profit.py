"""What a run brought: the round trips that were entered while it ran."""

from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.strategies.model import ProfitBasis, RunResult, StrategyRun
from afterword.pipeline.domain.trips.trip import Trip


def with_profit(run: StrategyRun, trips: Sequence[Trip]) -> RunResult:
    """Return a run with what it brought, as far as it is known.

    A trip counts where it was entered while the strategy ran, in one of its markets, whenever it
    closed. So a fill that becomes known later changes the sum at the next look.

    Args:
        trips: those of its account that are known.
    """
    if run.account is None:
        return _result(run, run.realized_pnl_micro_usd, "given")
    assets = {asset_of(symbol) for symbol in run.symbols}
    own = [trip for trip in trips if asset_of(trip.symbol) in assets and _is_entered(run, trip)]
    counted = [trip for trip in own if not trip.is_incomplete and is_dollar(trip.quote)]
    net = Decimal(0)
    for trip in counted:
        net = EXACT.add(net, trip.net)
    total = to_micro_usd(net) if counted else None
    return _result(run, total, "trips", len(counted), len(own) - len(counted))


def _result(
    run: StrategyRun, pnl: int | None, basis: ProfitBasis, trips: int = 0, left_out: int = 0
) -> RunResult:
    values = {field.name: getattr(run, field.name) for field in fields(run)}
    known = {"realized_pnl_micro_usd": pnl, "basis": "unknown" if pnl is None else basis}
    return RunResult(**values | known, trips=trips, left_out=left_out)


def _is_entered(run: StrategyRun, trip: Trip) -> bool:
    entered_at = trip.opened_at or trip.closed_at
    is_before_the_end = run.stopped_at is None or entered_at <= run.stopped_at
    return run.started_at <= entered_at and is_before_the_end
