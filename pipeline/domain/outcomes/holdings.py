"""What a market did while a position was held: for any span, with the position's own prices."""

from bisect import bisect_left, bisect_right
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.outcomes.measure import USUAL_COSTS
from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.outcomes.moves import trend_before
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle, jumped
from afterword.pipeline.domain.outcomes.paths import MarketPath, MarketPaths
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded
from afterword.pipeline.rules.market.excursions import excursions_from
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.symbols import parse_symbol
from afterword.pipeline.rules.market.windows import HOUR_US

SHORTEST_US: Final = 60_000_000
"""A position counts as held for a minute at least: below, spreads and fees are larger than what a
deviation scaled by the square root of time says."""

_WIDEST: Final = 10
"""An entry more than a tenth beyond the range of its bar is in other units, or at another time."""

_COSTS_PPB: Final = ppb_of(USUAL_COSTS.round_trip)


class Holding(NamedTuple):
    """A position that was held.

    Args:
        asset: in any written form.
        opened_at: aware; `closed_at` likewise.
        entry_px: average price, in the units of the asset as it is written; `exit_px` likewise.
        trend_us: how far before the entry its trend looks; microseconds.
    """

    asset: str
    direction: Literal["long", "short"]
    opened_at: datetime
    closed_at: datetime
    entry_px: Decimal | None
    exit_px: Decimal | None
    trend_us: int


class Excursions(NamedTuple):
    """How far a price went against a position and with it; parts per billion of its entry."""

    mae_sure_ppb: int
    mae_possible_ppb: int
    mfe_sure_ppb: int
    mfe_possible_ppb: int


class MarketMove(NamedTuple):
    """The move of the leader of a class while a position was held; parts per billion."""

    symbol: str
    move_ppb: int
    beta_ppb: int


class HoldingMoves(NamedTuple):
    """What a market did around a position.

    Args:
        sigma_ppb: its deviation over the time held, as known at the entry.
        hour_sigma_ppb: the same over an hour.
        trend_ppb: its move before the entry; `trend` is its class by the band.
        excursions: or why they are not known.
        market: None for a leader, for a class without one, and without prices of it.
    """

    asset_class: str
    sigma_ppb: int
    hour_sigma_ppb: int
    volatility: VolatilityTercile | None
    trend_ppb: int | None
    trend: TrendBefore | None
    excursions: Excursions | OutcomeObstacle
    market: MarketMove | None


class HoldingMeasurer:
    """Measures positions from one source of prices; what they share is read once.

    Args:
        known_by: nothing known later is read.
    """

    def __init__(self, prices: PriceSource, known_by: datetime) -> None:
        self._prices, self._known = prices, to_micros(known_by)
        self._paths = MarketPaths(prices, self._known)
        self._gaps: dict[Series, list[int]] = {}

    def over(self, held: Holding) -> HoldingMoves | OutcomeObstacle:
        """Return what the market of a position did around it, or why nothing can be said."""
        opened, closed = to_micros(held.opened_at), to_micros(held.closed_at)
        path = self._paths.path_over(self._paths.asset(held.asset), opened, closed)
        if isinstance(path, OutcomeObstacle):
            return path
        passed = max(closed - opened, SHORTEST_US)
        trend_ppb, trend = trend_before(self._prices, path, opened, held.trend_us, _COSTS_PPB)
        return HoldingMoves(
            path.group,
            path.spread.sigma_ppb(passed),
            path.spread.sigma_ppb(HOUR_US),
            path.tercile,
            trend_ppb,
            trend,
            self._excursions(held, path, opened, closed),
            self._market(path, opened, closed),
        )

    def _excursions(
        self, held: Holding, path: MarketPath, opened: int, closed: int
    ) -> Excursions | OutcomeObstacle:
        """Return the excursions from the average entry, or why they are not known."""
        ladder, series = path.ladder, path.series
        if held.entry_px is None or held.exit_px is None:
            return OutcomeObstacle("no_entry", "its entry or exit price is not known")
        first = path.entry.last + 1
        last = max(first, bisect_left(ladder.closed, closed))
        if last >= path.known:
            return OutcomeObstacle("no_exit", f"no bar of {series.symbol} covers its exit yet")
        jump = ladder.jump(path.entry.last, last) if ladder.jumps else None
        if jump is not None:
            return jumped(series, ladder, jump)
        if _has_one(self._gaps_of(path), first, last):
            return OutcomeObstacle(
                "no_exit", f"bars of {series.symbol} are missing while it was open"
            )
        per = parse_symbol(series.symbol).multiplier, parse_symbol(held.asset).multiplier
        low, high = ladder.lows.values[first], ladder.highs.values[first]
        unit = ladder.unit(ladder.closed[first] - ladder.interval)
        entry, parts = _in_units(held.entry_px, per, unit)
        leave, leave_parts = _in_units(held.exit_px, per, unit)
        if entry <= 0 or not low * parts * (_WIDEST - 1) <= entry * _WIDEST <= high * parts * (
            _WIDEST + 1
        ):
            why = f"its entry of {held.entry_px} is far from the prices of {series.symbol} then"
            return OutcomeObstacle("no_entry", why)
        bounds = excursions_from(
            ladder, (entry * leave_parts, leave * parts, parts * leave_parts),
            first, last, opened, closed, held.direction,
        )  # fmt: skip
        return Excursions(*bounds)

    def _market(self, path: MarketPath, opened: int, closed: int) -> MarketMove | None:
        if path.market is None:
            return None
        ladder = path.market.ladder
        known = bisect_right(ladder.closed, self._known)
        then = _price_at(ladder, known, opened)
        now = _price_at(ladder, known, closed)
        if then is None or now is None:
            return None
        first, last = ladder.last_by(opened), min(ladder.last_by(closed) + 1, known - 1)
        if ladder.jumps and ladder.jump(first, last) is not None:
            return None
        above, below = now[0] * then[1], now[1] * then[0]
        move = rounded((above - below) * PPB, below)
        return MarketMove(path.market.series.symbol, move, path.market.beta_ppb)

    def _gaps_of(self, path: MarketPath) -> list[int]:
        if path.ladder is not path.record.ladder:  # a short one, made for this position
            return _gaps(path.ladder)
        gaps = self._gaps.get(path.series)
        if gaps is None:
            gaps = self._gaps[path.series] = _gaps(path.ladder)
        return gaps


def _has_one(places: list[int], first: int, last: int) -> bool:
    at = bisect_left(places, first)
    return at < len(places) and places[at] <= last


def _gaps(ladder: Ladder) -> list[int]:
    """Return the places of bars that do not follow the bar before them.

    Markets that close may pause for as long as a price counts; others never pause.
    """
    is_open_always = ladder.interval and ladder.oldest <= 2 * ladder.interval
    most, closed = ladder.interval if is_open_always else ladder.oldest, ladder.closed
    return [place for place in range(1, len(closed)) if closed[place] - closed[place - 1] > most]


def _price_at(ladder: Ladder, known: int, moment: int) -> tuple[int, int] | None:
    """Return the price at a moment on the line between the closes around it, as a quotient.

    The last close before a trip is older than the trip: a trader who follows a move would seem to
    lag behind it. None without a close on either side, or with closes too far from each other: the
    span of the market would not be that of the trip.
    """
    closed, closes = ladder.closed, ladder.closes
    before = bisect_right(closed, moment, 0, known) - 1
    if before < 0:
        return None
    if closed[before] == moment:
        return closes[before], 1
    if before + 1 >= known or closed[before + 1] - closed[before] > ladder.oldest:
        return None
    span, at = closed[before + 1] - closed[before], moment - closed[before]
    return closes[before] * (span - at) + closes[before + 1] * at, span


def _in_units(price: Decimal, per: tuple[int, int], unit: int) -> tuple[int, int]:
    """Return a written price in the units of a ladder, as a quotient.

    Args:
        per: how many of the asset one unit of the series is, and one unit as it is written.
    """
    number, parts = price.as_integer_ratio()
    return number * unit * per[0], parts * per[1]
