"""Positions: trips that were entered together, as lots of one order, are one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.trades.measure import entered
from afterword.pipeline.domain.trades.model import Basis, TripOutcome
from afterword.pipeline.domain.trips.model import time_held
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.exact import PPB

TOGETHER: Final = timedelta(minutes=1)
"""Lots of one order are filled within it. Who enters later may have seen how the first goes."""

FEWEST_OWN: Final = 10
"""Results of one asset whose median size is a unit; with fewer, that of all assets is. Count."""


@dataclass(frozen=True, slots=True)
class Position:
    """Lots of one account, asset and direction that were entered together; one result.

    Args:
        outcomes: by entry; the labels are those of the first.
        closed_at: exit of the last lot.
        put_in: of all lots, in the quote; `gross` and `net` likewise, before and after costs. Where
            the costs of a lot are not known apart, its net is its gross.
        residual: `gross_result` after the market; None if unknown.
        sigma: deviation of the asset over an hour, as known at the entry; None if unknown.
    """

    outcomes: tuple[TripOutcome, ...]
    opened_at: datetime
    closed_at: datetime
    put_in: Decimal
    gross: Decimal
    net: Decimal
    residual: float | None
    sigma: float | None

    @property
    def first(self) -> TripOutcome:
        """The lot that opened it."""
        return self.outcomes[0]

    @property
    def gross_result(self) -> float:
        """Return the gross over what was put in."""
        return float(self.gross / self.put_in)

    @property
    def net_result(self) -> float:
        """Return the net over what was put in."""
        return float(self.net / self.put_in)

    @property
    def is_day(self) -> bool:
        """Tell a position of which the days are known and no hours."""
        return any(lot.trip.is_day for lot in self.outcomes)

    @property
    def held(self) -> timedelta | None:
        """Return how long it was held; None if it was entered and left on one day without hours."""
        return time_held(self.opened_at, self.closed_at, is_day=self.is_day)

    @property
    def entry_at(self) -> int:
        """Microseconds; `exit_at` likewise."""
        return to_micros(self.opened_at)

    @property
    def exit_at(self) -> int:
        """See `entry_at`."""
        return to_micros(self.closed_at)


def positions_of(outcomes: Iterable[TripOutcome]) -> list[Position]:
    """Return the positions of trips whose entry and result are known, by entry.

    A copy of a trip, with its name, is one trip.
    """
    once = {outcome.trip.trip_uid: outcome for outcome in outcomes if is_testable(outcome)}
    groups: dict[tuple[str, str, str, str], list[list[TripOutcome]]] = defaultdict(list)
    for outcome in sorted(once.values(), key=lambda outcome: entered(outcome.trip)):
        trip = outcome.trip
        lots = groups[trip.account, outcome.asset, trip.direction, trip.quote]
        if lots and _is_with(outcome, lots[-1]):
            lots[-1].append(outcome)
        else:
            lots.append([outcome])
    positions = [_position(lots) for together in groups.values() for lots in together]
    return sorted(positions, key=lambda position: entered(position.first.trip))


def is_testable(outcome: TripOutcome) -> bool:
    """Return whether a trip is complete, with its entry and its result."""
    return outcome.result_ppb is not None and outcome.trip.opened_at is not None


def gross_of(trip: Trip) -> Decimal:
    """Return the result of a trip before costs; its net where no file says the costs apart."""
    return trip.net if trip.gross is None else trip.gross


def scales(positions: Sequence[Position]) -> tuple[Basis | None, list[float | None]]:
    """Return what results are divided by: one number a position, None where it is not tested.

    By prices if these know at least half of the positions; the others are then not tested. Else all
    are divided by the median size of the results in their asset. Two units in one file would make
    assets differ that do not. The second is the same for any order of the results, so a shuffle
    inside an asset leaves it as it is.
    """
    priced = [position.sigma for position in positions]
    if 2 * sum(sigma is not None for sigma in priced) >= len(positions) > 0:
        return "prices", [sigma or None for sigma in priced]
    by_asset: dict[str, list[float]] = defaultdict(list)
    for position in positions:
        by_asset[position.first.asset].append(abs(position.gross_result))
    units = {asset: median(sizes) for asset, sizes in by_asset.items() if len(sizes) >= FEWEST_OWN}
    sizes = [abs(position.gross_result) for position in positions]
    usual = median(sizes) if len(sizes) >= FEWEST_OWN else None
    scale = [units.get(position.first.asset, usual) or None for position in positions]
    return ("own_results" if any(scale) else None), scale


def _is_with(outcome: TripOutcome, lots: Sequence[TripOutcome]) -> bool:
    opened, first = outcome.trip.opened_at, lots[0].trip.opened_at
    assert opened is not None and first is not None
    is_open = opened < lots[0].trip.closed_at or opened == first
    return is_open and opened - first <= TOGETHER


def _position(lots: Sequence[TripOutcome]) -> Position:
    first, opened = lots[0], lots[0].trip.opened_at
    assert opened is not None
    closed = max(lot.trip.closed_at for lot in lots)
    put_in = gross = net = Decimal(0)
    for lot in lots:
        put_in = EXACT.add(put_in, lot.put_in or Decimal(0))
        gross = EXACT.add(gross, gross_of(lot.trip))
        net = EXACT.add(net, lot.trip.net)
    residuals = [lot.residual_ppb for lot in lots]
    residual = None
    if None not in residuals:
        residual = _mean_residual(lots, put_in) + float((gross - net) / put_in)
    return Position(
        outcomes=tuple(lots),
        opened_at=opened,
        closed_at=closed,
        put_in=put_in,
        gross=gross,
        net=net,
        residual=residual,
        sigma=None if first.hour_sigma_ppb is None else first.hour_sigma_ppb / PPB,
    )


def _mean_residual(lots: Sequence[TripOutcome], put_in: Decimal) -> float:
    return sum(
        (lot.residual_ppb or 0) / PPB * float((lot.put_in or Decimal(0)) / put_in) for lot in lots
    )
