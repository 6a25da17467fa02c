"""Moves beside that of the subject: the trend before its entry, and the move of its class."""

from datetime import datetime
from fractions import Fraction
from typing import Final

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.outcomes.model import TrendBefore
from afterword.pipeline.domain.outcomes.paths import LeaderEntry, MarketPath
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.trend_base import place_before, trend_of

_NO_TREND: Final = (None, None)


def trend_before(
    prices: PriceSource, path: MarketPath, decided_at: datetime, window: int, costs: int
) -> tuple[int | None, TrendBefore | None]:
    """Return the move over one window before the entry, and its class by the band.

    Args:
        window: microseconds.
        costs: part of the band; parts per billion, like the move.
    """
    ladder, at = path.record.ladder, path.entered_at
    entry = path.entry if path.ladder is ladder else ladder.last_by(at)
    before = place_before(ladder, at, entry, window)
    if before is None:
        return _NO_TREND
    closed = ladder.closed
    if path.ladder is ladder and not (ladder.revised and ladder.is_revised(before, before)):
        closes = ladder.closes
        moved = rounded((closes[entry] - closes[before]) * PPB, closes[before])
    else:
        then = _price_then(prices, path.series, closed[before], ladder, decided_at)
        moved = _ppb((_price(path.ladder, path.entry) - then) / then)
    return moved, trend_of(path.spread, moved, at - closed[before], costs)


def leader_move(prices: PriceSource, market: LeaderEntry, exited_at: int) -> int | None:
    """Return the move of the leader over the same hours; None where it had none."""
    ladder, entry = market.ladder, market.entry
    last = ladder.last_by(exited_at)
    if last <= entry or exited_at - ladder.closed[last] >= market.oldest:
        return None
    if ladder.jumps and ladder.jump(entry, last) is not None:
        return None
    if not ladder.revised or not (ladder.is_revised(entry, entry) or ladder.is_revised(last, last)):
        return ladder.move_ppb(entry, last)
    series, closed = market.series, ladder.closed
    then = _price_then(prices, series, closed[entry], ladder, from_micros(market.decided))
    now = _price_then(prices, series, closed[last], ladder, from_micros(exited_at))
    return _ppb((now - then) / then)


def _price_then(
    prices: PriceSource, series: Series, closed_at: int, ladder: Ladder, known_by: datetime
) -> Fraction:
    """Return a close as it was known at a moment, in the units of a ladder."""
    bar = prices.close_at(series, from_micros(closed_at), known_by)
    assert bar is not None  # the ladder has it
    return Fraction(bar.close) * ladder.factor(to_micros(bar.t_open))


def _price(ladder: Ladder, place: int) -> Fraction:
    """Return a close in the units that all ladders of its series share."""
    return Fraction(ladder.closes[place] * ladder.factor_at(place), ladder.unit(place))


def _ppb(share: Fraction) -> int:
    return rounded(share.numerator * PPB, share.denominator)
