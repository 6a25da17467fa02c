"""Bets on hits and misses: e-values of one asset, of a setup, and the choice among hypotheses."""

from collections.abc import Sequence
from math import inf
from typing import Final

from afterword.pipeline.rules.evidence.model import Side

DELTAS: Final = (0.1, 0.2, 0.3, 0.45, 0.6, 0.8)
"""Shares of the hits (or misses) that a bet supposes to be turned. Wide, because the average of
several assets shows a part of an effect only; for one asset any mixture is as good."""

REVERSE_DELTA: Final = 0.2
"""The share of turned hits which the bet against a confirmed pattern supposes."""

LARGEST: Final = 1e100
"""The largest e-value kept: more evidence decides nothing, and a product must stay finite. Holding
it back makes an e-value smaller, never larger."""


def gain(side: Side, is_hit: bool, base: float) -> float:
    """Return what a bet of 1 wins on one vote; the mean is 0 if hits come at the base rate.

    A bet of share δ multiplies by 1 + δ * gain. Failing: a hit 1 - δ, a miss (1 - p(1 - δ)) /
    (1 - p). Works, with q = p + δ(1 - p): a hit q / p, a miss (1 - q) / (1 - p).

    Args:
        base: clipped base rate of the vote, p.

    Source: G. Shafer, Testing by betting, JRSS A 184 (2021), 407-431; I. Waudby-Smith, A. Ramdas,
    Estimating means of bounded random variables by betting, JRSS B 86 (2024), 1-27.
    """
    if side == "failing":
        return -1.0 if is_hit else base / (1 - base)
    return (1 - base) / base if is_hit else -1.0


def reverse_factor(side: Side, is_hit: bool, base: float) -> float:
    """Return what a vote multiplies the bet by that a confirmed effect is lost.

    Failing: a hit 1 / (1 - 0.2), a miss (1 - p) / (1 - 0.8 p); works is the mirror image. The mean
    is 1 while a fifth of the hits (or misses) is turned, and larger at the base rate.

    Args:
        base: clipped base rate of the vote, p.
    """
    return 1 / (1 + REVERSE_DELTA * gain(side, is_hit, base))


class Wager:
    """A bet on one hypothesis that goes on with every vote: the mean of six products.

    If hits come at their base rates, the mean value is 1 at any time, however often one looks, and
    it reaches 1 / α with a chance of at most α.

    Source: J. Ville, Étude critique de la notion de collectif (1939).
    """

    __slots__ = ("products", "value")

    def __init__(self) -> None:
        self.products = [1.0] * len(DELTAS)
        self.value = 1.0
        """The e-value."""

    def copy(self) -> "Wager":
        """Return a bet that stands where this one does, and goes on by itself."""
        made = Wager.__new__(Wager)
        made.products, made.value = self.products, self.value  # `add` makes a new list
        return made

    def add(self, won: float) -> None:
        """Go on with one vote, or with the mean of the votes of several assets.

        Args:
            won: the gain; one of 0 changes nothing. Averaging gains averages the factors, because
                a factor is linear in its gain: valid however the assets depend on each other.
        """
        a, b, c, d, e, f = self.products
        # Written out: this runs four times for every stretch of every asset.
        a *= 1 + 0.1 * won
        b *= 1 + 0.2 * won
        c *= 1 + 0.3 * won
        d *= 1 + 0.45 * won
        e *= 1 + 0.6 * won
        f *= 1 + 0.8 * won
        value = (a + b + c + d + e + f) / 6
        if value > LARGEST:
            shrink = LARGEST / value
            a, b, c, d, e, f = (one * shrink for one in (a, b, c, d, e, f))
            value = LARGEST
        self.products = [a, b, c, d, e, f]
        self.value = value


def e_bh_bar(e_values: Sequence[float], level: float) -> float:
    """Return the least e-value that e-BH selects; infinite if it selects none.

    With n hypotheses: the largest k for which the k largest are all at least n / (level * k), and
    then all e-values from the k-th largest on. The false discovery rate is at most the level,
    whatever depends on what.

    Source: R. Wang, A. Ramdas, False discovery rate control with e-values, JRSS B 84 (2022),
    822-852.
    """
    count = len(e_values)
    if not count or max(e_values) * level < 1 - 1e-9:
        return inf  # not even all of them together
    ordered = sorted(e_values, reverse=True)
    needed = count / level
    for k in range(count, 0, -1):
        if k * ordered[k - 1] >= needed * (1 - 1e-12):  # 12 / 0.05 is not exactly 240
            return ordered[k - 1]
    return inf
