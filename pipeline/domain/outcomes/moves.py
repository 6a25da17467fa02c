"""Moves beside that of the subject: the trend before its entry, and the move of its class."""

from fractions import Fraction
from typing import Final, Literal

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.outcomes.model import TrendBefore
from afterword.pipeline.domain.outcomes.paths import LeaderEntry, MarketPath
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.trend_base import place_before, trend_of

_NO_TREND: Final = (None, None)


def trend_before(
    prices: PriceSource, path: MarketPath, known_at: int, window: int, costs: int
) -> tuple[int | None, TrendBefore | None]:
    """Return the move over one window before the entry, and its class by the band.

    Args:
        known_at: bars count as they were known then; microseconds, like `window`.
        costs: part of the band; parts per billion, like the move.
    """
    ladder, entry = path.record.ladder, path.entry
    before = place_before(ladder, entry.at, window)
    if before is None:
        return _NO_TREND
    closed = ladder.closed
    if path.ladder is ladder and not (ladder.revised and ladder.is_revised(before, before)):
        moved = ladder.move_to_ppb(before, entry.price)
    else:
        known = _price_then(prices, path.series, closed[before], ladder, known_at, "close")
        moved = _ppb(Fraction(entry.price, path.ladder.parts) / known - 1)
    return moved, trend_of(path.spread, moved, entry.at - closed[before], costs)


def leader_move(prices: PriceSource, market: LeaderEntry, exited_at: int) -> int | None:
    """Return the move of the leader over the same hours; None where it had none."""
    ladder, entry = market.ladder, market.entry
    last = ladder.last_by(exited_at)
    if last <= entry.last or exited_at - ladder.closed[last] >= market.oldest:
        return None
    if ladder.jumps and ladder.jump(entry.last, last) is not None:
        return None
    if not ladder.revised or not ladder.is_revised(entry.last, last):
        return ladder.move_from_ppb(entry.price, last)
    series, closed = market.series, ladder.closed
    now = _price_then(prices, series, closed[last], ladder, exited_at, "close")
    if ladder.lead:
        then = _price_then(prices, series, closed[entry.last + 1], ladder, exited_at, "open")
    else:
        then = _price_then(prices, series, closed[entry.last], ladder, market.known_at, "close")
    return _ppb(now / then - 1)


def _price_then(
    prices: PriceSource,
    series: Series,
    closed_at: int,
    ladder: Ladder,
    known_by: int,
    side: Literal["open", "close"],
) -> Fraction:
    """Return a price of a bar as it was known at a moment, in the units that its ladders share."""
    bar = prices.close_at(series, from_micros(closed_at), from_micros(known_by))
    assert bar is not None  # the ladder has it
    price = bar.open if side == "open" else bar.close
    return Fraction(price) * ladder.factor(to_micros(bar.t_open))


def _ppb(share: Fraction) -> int:
    return rounded(share.numerator * PPB, share.denominator)
