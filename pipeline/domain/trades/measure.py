"""Measure trips: what became of each, from its own prices and the bars around it."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, Final

from afterword.pipeline.domain.fills.money import is_dollar
from afterword.pipeline.domain.outcomes.holdings import (
    Excursions,
    Holding,
    HoldingMeasurer,
    HoldingMoves,
)
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.prices.feed import PriceSource, asset_of
from afterword.pipeline.domain.trades.model import Cost, TripOutcome, Unknown
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.classes import StatedClasses, class_leader
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.symbols import is_forex_pair, parse_symbol
from afterword.pipeline.rules.market.windows import HOUR_US

_MICROSECOND: Final = timedelta(microseconds=1)

TREND_HOURS: Final = (1, 4, 24, 168)
"""Windows of the trend before: the shortest that is at least the usual holding time; hours."""

USUAL_TREND_HOURS: Final = 24
FEWEST_HELD: Final = 10
"""Earlier trips that tell the usual holding time; count. Before, `USUAL_TREND_HOURS` counts."""

_FUNDED: Final = ("perp", "future", "cfd", "forex")


def measure_trips(
    prices: PriceSource,
    trips: Iterable[Trip],
    known_by: datetime,
    among: Iterable[Trip] | None = None,
) -> list[TripOutcome]:
    """Return what became of trips, by entry; what prices cannot say is None, with the reason.

    A copy of a trip, under its name, counts once.

    Args:
        known_by: nothing known later is read; no trip may close later.
        among: all trips of their accounts, where only some are measured: how long earlier ones
            were held says over which time the trend before a trip is told.
    """
    ordered = _by_entry(trips)
    every = ordered if among is None else _by_entry(among)
    windows = {
        trip.trip_uid: window for trip, window in zip(every, _trend_windows(every), strict=True)
    }
    measurer = HoldingMeasurer(prices, known_by)
    return [_measured(measurer, prices.classes, trip, windows[trip.trip_uid]) for trip in ordered]


def measure_trip(
    prices: PriceSource, trip: Trip, trend_hours: int, known_by: datetime
) -> TripOutcome:
    """Return what became of one trip; see `measure_trips`.

    Args:
        trend_hours: window of the trend before it, as `usual_trend_hours` counts it.
    """
    measurer = HoldingMeasurer(prices, known_by)
    return _measured(measurer, prices.classes, trip, trend_hours * HOUR_US)


def usual_trend_hours(counts: Sequence[int]) -> int:
    """Return the window that fits how long earlier trips were held; hours.

    Args:
        counts: trips held for at most as long as each of `TREND_HOURS`, then all of them.
    """
    held = counts[-1]
    if held < FEWEST_HELD:
        return USUAL_TREND_HOURS
    within = zip(TREND_HOURS, counts, strict=False)
    return next((hours for hours, count in within if count > held // 2), TREND_HOURS[-1])


Rank = tuple[datetime, str, str, str]


def entered(trip: Trip) -> tuple[datetime, Rank]:
    """Return what trips are ordered by: entry, or exit where that is unknown, then exit."""
    return trip.opened_at or trip.closed_at, exited(trip)


def exited(trip: Trip) -> Rank:
    """Return what trips are ordered by as they close.

    Of those that close together, the market decides before the name: a name holds that of the
    account, and one file must say the same under any account.
    """
    return trip.closed_at, trip.symbol, trip.direction, trip.trip_uid


def priced_as(symbol: str, quote: str) -> str:
    """Return a market as prices are found by: in the currency it was paid in."""
    market = parse_symbol(symbol)
    is_in_dollars = is_dollar(quote) or is_forex_pair(market.key)
    if market.quote is not None or is_in_dollars or quote == market.key:
        return symbol
    return f"{symbol}/{quote}"


def put_in_of(trip: Trip) -> Decimal | None:
    """Return what the first order of a trip put in; None where that is not known."""
    put_in = trip.first_notional or trip.notional
    return put_in if put_in and put_in > 0 else None


def _measured(
    measurer: HoldingMeasurer, classes: StatedClasses, trip: Trip, trend_us: int
) -> TripOutcome:
    written = priced_as(trip.symbol, trip.quote)
    asset = asset_of(written)
    group = classes.group(asset)
    known: dict[str, Any] = {}
    unknown: list[Unknown] = []
    put_in = put_in_of(trip)
    is_long = trip.direction == "long"
    if trip.is_incomplete:
        unknown.append(Unknown("result", "incomplete", "fills of it are missing"))
    elif put_in is None:
        unknown.append(Unknown("result", "no_entry", "what was put in is not known"))
    else:
        known |= {"put_in": put_in, "result_ppb": _ratio_ppb(trip.net, put_in)}
    if trip.entry_px and trip.exit_px is not None and not trip.is_incomplete:
        move = _ratio_ppb(trip.exit_px - trip.entry_px, trip.entry_px)
        known["move_ppb"] = move if is_long else -move
    if trip.opened_at is None:
        unknown.append(Unknown("sigma", "no_entry_time", "when it was entered is not known"))
    elif not trip.is_incomplete:
        known |= {"held_us": None if trip.held is None else trip.held // _MICROSECOND}
        known["trend_us"] = trend_us
        held = Holding(
            written,
            trip.direction,
            trip.opened_at,
            trip.closed_at,
            trip.entry_px,
            trip.exit_px,
            trend_us,
        )
        moves = measurer.over(held)
        if isinstance(moves, OutcomeObstacle):
            unknown.append(Unknown("sigma", moves.reason, moves.why))
        else:
            _take(moves, asset, class_leader(group), is_long, known, unknown)
    return TripOutcome(
        trip=trip,
        asset=asset,
        asset_class=group or "unknown",
        not_in_net=measured_costs(trip),
        unknown=_same(tuple(unknown)),
        **known,
    )


def _take(
    moves: HoldingMoves,
    asset: str,
    leader: str | None,
    is_long: bool,
    known: dict[str, Any],
    unknown: list[Unknown],
) -> None:
    """Add what the prices say, and what they do not."""
    known |= {"sigma_ppb": moves.sigma_ppb, "hour_sigma_ppb": moves.hour_sigma_ppb}
    known["volatility"] = moves.volatility
    if moves.trend is None:
        unknown.append(Unknown("trend", "no_entry", "no price as long before the entry"))
    else:
        known |= {"trend_ppb": moves.trend_ppb, "trend": moves.trend}
    if isinstance(moves.excursions, Excursions):
        known |= moves.excursions._asdict()
        moved = known["move_ppb"]
        sure, possible = moves.excursions.mfe_sure_ppb, moves.excursions.mfe_possible_ppb
        known["efficiency"] = moved / sure if sure else None
        known["efficiency_least"] = moved / possible if possible else None
    else:
        unknown.append(Unknown("excursions", moves.excursions.reason, moves.excursions.why))
    result = known.get("result_ppb")
    if moves.market is not None:
        led = rounded(moves.market.beta_ppb * moves.market.move_ppb, PPB)
        known |= {"market_symbol": moves.market.symbol, "market_ppb": moves.market.move_ppb}
        known["beta_ppb"] = moves.market.beta_ppb
        if result is not None:
            known["residual_ppb"] = result - (led if is_long else -led)
    elif leader is not None and asset_of(leader) != asset:
        unknown.append(Unknown("market", "no_market", f"no prices of {leader} beside it"))
    else:
        known["residual_ppb"] = result


def measured_costs(trip: Trip) -> tuple[Cost, ...]:
    """Return the costs that the net of a trip does not hold."""
    is_funded = trip.funding is None and trip.kind in _FUNDED
    return _costs(trip.fees is None, bool(trip.other_fees), is_funded)


@lru_cache
def _costs(fees: bool, other_fees: bool, funding: bool) -> tuple[Cost, ...]:
    costs: dict[Cost, bool] = {"fees": fees, "other_fees": other_fees, "funding": funding}
    return tuple(cost for cost, is_missing in costs.items() if is_missing)


@lru_cache(maxsize=1_000)
def _same(unknown: tuple[Unknown, ...]) -> tuple[Unknown, ...]:
    """Return equal gaps as one object: most trips of a file lack the same."""
    return unknown


def _by_entry(trips: Iterable[Trip]) -> list[Trip]:
    return sorted({trip.trip_uid: trip for trip in trips}.values(), key=entered)


def _trend_windows(trips: Sequence[Trip]) -> list[int]:
    """Return how far the trend before each trip looks: by trips of its account closed by then."""
    open_by: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    held_by: dict[str, list[int]] = defaultdict(list)
    windows = []
    for trip in trips:
        held, waiting = held_by[trip.account], open_by[trip.account]
        if trip.opened_at is None or trip.is_incomplete:
            windows.append(USUAL_TREND_HOURS * HOUR_US)
            continue
        while waiting and waiting[0][0] <= trip.opened_at:
            insort(held, heappop(waiting)[1])
        if trip.held is not None:
            heappush(waiting, (trip.closed_at, trip.held // _MICROSECOND))
        windows.append(_window(held) * HOUR_US)
    return windows


def _window(held: Sequence[int]) -> int:
    if len(held) < FEWEST_HELD:
        return USUAL_TREND_HOURS
    median = held[len(held) // 2]
    return next((hours for hours in TREND_HOURS if hours * HOUR_US >= median), TREND_HOURS[-1])


def _ratio_ppb(part: Decimal, whole: Decimal) -> int:
    above, parts = part.as_integer_ratio()
    below, whole_parts = whole.as_integer_ratio()
    return rounded(above * whole_parts * PPB, below * parts)
