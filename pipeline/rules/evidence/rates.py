"""Shares of hits: the base rate of a decision without skill, the rate to expect, an interval."""

from math import sqrt
from typing import Final

PSEUDO_VOTES: Final = 30
"""Weight of the prior of a rate; half of a base rate's 30 are hits. Measured: with 30 the estimated
base keeps false patterns below 5 % on 24 price series."""

LOWEST_BASE: Final = 0.05
HIGHEST_BASE: Final = 0.95
"""Bounds of a base rate in a bet: at 0 or 1 a single vote would decide."""


def base_rate(hits: float, votes: float) -> float:
    """Return the chance that a decision without skill is right, shrunk to one half.

    Args:
        hits: past moves beyond the band in the direction of the decision; count.
        votes: past moves beyond the band in either direction; count.

    Raises:
        ValueError: hits are negative or more than the votes.
    """
    _check(hits, votes)
    return (hits + PSEUDO_VOTES / 2) / (votes + PSEUDO_VOTES)


def clipped_base(base: float) -> float:
    """Return a base rate as a bet uses it, in [0.05, 0.95]."""
    return min(max(base, LOWEST_BASE), HIGHEST_BASE)


def shrunk_rate(hits: float, expected: float, n_eff: int) -> float:
    """Return the share of hits to expect next; effects look too large when they are selected.

    (hits + 30 * base) / (n + 30). Measured at confirmation: a true effect of 0.30 looks like 0.37,
    one of 0.50 like 0.58.

    Args:
        hits: stretches that were right; count.
        expected: hits without skill; their mean is the base. One half without votes.
        n_eff: stretches that voted; count.

    Raises:
        ValueError: hits are negative or more than the stretches.
    """
    _check(hits, n_eff)
    base = expected / n_eff if n_eff else 0.5
    return (hits + PSEUDO_VOTES * base) / (n_eff + PSEUDO_VOTES)


def wilson_interval(hits: float, votes: float, z: float = 1.959964) -> tuple[float, float]:
    """Return the interval in which a share of hits probably lies; (0, 1) without votes.

    Args:
        hits: count, which may be a fraction.
        z: normal quantile of the confidence; 1.959964 is two-sided 95 %.

    Raises:
        ValueError: hits are negative or more than the votes.

    Source: E. B. Wilson, JASA 22 (1927), 209-212.
    """
    _check(hits, votes)
    if votes == 0:
        return 0.0, 1.0
    rate, squared = hits / votes, z * z
    centre = rate + squared / (2 * votes)
    margin = z * sqrt(rate * (1 - rate) / votes + squared / (4 * votes * votes))
    whole = 1 + squared / votes
    return max(0.0, (centre - margin) / whole), min(1.0, (centre + margin) / whole)


def _check(hits: float, votes: float) -> None:
    # Means of several assets add up with rounding errors.
    if not 0 <= hits <= votes + 1e-6:
        raise ValueError(f"hits must lie in 0..{votes}, got {hits}")
