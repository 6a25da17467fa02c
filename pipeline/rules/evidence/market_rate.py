"""What a market did by itself after a move: how often any call of a direction was right there."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.rates import wilson_interval

_DIGITS: Final = 6
"""Digits of a share after the point: the same in every text and in JSON."""


class WindowCount(NamedTuple):
    """The windows of one asset that began after a kind of move, whoever decided then.

    They do not overlap, and moved beyond the band.

    Args:
        hits: of these, in the direction of the call; count.
        windows: count.
        base: the chance that a call of the direction is right after any move.
    """

    hits: int
    windows: int
    base: float


@dataclass(frozen=True, slots=True)
class MarketRate:
    """How often any call of a direction was right after a kind of move; shares.

    Args:
        rate: of the windows, those that were right; `low` to `high` is its 95 % interval.
        windows: independent ones; count.
        base: the same after any move.
    """

    rate: float
    windows: int
    low: float
    high: float
    base: float

    @property
    def is_unlike_base(self) -> bool:
        """Whether the interval excludes the base: the market itself turned, or went on."""
        return not self.low <= self.base <= self.high


def market_rate(counts: Iterable[WindowCount | None]) -> MarketRate | None:
    """Return what assets did together after a kind of move; None if nothing is known of any.

    Assets of a class move together, so windows of several at one time are not independent. The
    rate is of the windows of all; its interval is as wide as if there were those of the asset with
    the most alone.

    Args:
        counts: of each asset; None where it is not known.
    """
    known = [one for one in counts if one is not None]
    total = sum(one.windows for one in known)
    if not total:
        return None
    rate = round(sum(one.hits for one in known) / total, _DIGITS)
    windows = max(one.windows for one in known)
    low, high = wilson_interval(rate * windows, windows)
    base = fsum(one.base * one.windows for one in known) / total
    return MarketRate(rate, windows, *(round(share, _DIGITS) for share in (low, high, base)))
