"""How many more stretches a pattern needs, if it goes on at its present rate."""

from math import ceil, log
from typing import Final

from afterword.pipeline.rules.evidence.model import Side
from afterword.pipeline.rules.evidence.rates import clipped_base

FEWEST_CONFIRMED: Final = 20
"""Voting stretches that a confirmed pattern has at least."""

LEAST_GROWTH: Final = 0.001
"""Growth of the log e-value a stretch, below which no number is worth telling: thousands."""


def stretches_needed(
    side: Side, evidence: float, n_eff: int, rate: float, base: float, level: float, family: int
) -> int | None:
    """Estimate the voting stretches until a pattern is confirmed; None without an effect.

    The log e-value grows by the relative entropy of the rate to the base in each stretch, the
    growth of the best bet. ln(family / level) minus what is there already, and ln 2 for betting on
    a mixture, divided by it. From nothing, at a base of one half: 48 stretches where half of the
    hits are turned, 110 where a third is; simulated, three in four of them are found by 60 and 125.

    Args:
        evidence: the e-value now.
        n_eff: stretches that voted so far; count.
        rate: the shrunk share of hits.
        base: the mean base rate.
        level: of e-BH.
        family: hypotheses in the family; count.

    Source: J. L. Kelly, A new interpretation of information rate, Bell System Technical Journal 35
    (1956), 917-926 (the best growth of a bet is the relative entropy).
    """
    base = clipped_base(base)
    is_effect = rate < base if side == "failing" else rate > base
    if not is_effect:
        return None
    growth = _relative_entropy(rate, base)
    if growth < LEAST_GROWTH:
        return None
    missing = log(family / level) + log(2) - log(max(evidence, 1.0))
    return max(ceil(missing / growth), FEWEST_CONFIRMED - n_eff, 1)


def _relative_entropy(rate: float, base: float) -> float:
    hit = rate * log(rate / base) if rate > 0 else 0.0
    miss = (1 - rate) * log((1 - rate) / (1 - base)) if rate < 1 else 0.0
    return hit + miss
