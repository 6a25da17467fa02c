"""Stated confidence beside what came true: bins with counts, and the Brier score."""

from collections.abc import Sequence
from itertools import pairwise
from math import fsum
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.rates import wilson_interval

BIN_EDGES: Final = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Finer where decisions are stated to be likely: few are stated below one half."""


class ConfidenceBin(NamedTuple):
    """Decisions of about the same stated confidence.

    Args:
        low: least confidence of the bin.
        high: its upper end; it belongs to the next bin, except 1.
        n: decisions with a hit or a miss; count.
        stated: mean stated confidence.
        hits: of these, right; count.
        interval: 95 % interval of the share of hits, by Wilson.
    """

    low: float
    high: float
    n: int
    stated: float
    hits: float
    interval: tuple[float, float]

    @property
    def hit_rate(self) -> float:
        """Return the share that came true."""
        return self.hits / self.n


class ConfidenceRecord(NamedTuple):
    """How stated confidence compares with what came true.

    Args:
        n: decisions; count.
        bins: those with decisions, by confidence.
        brier: mean squared error of the confidence, 0 at best; None without decisions.
        reference: the Brier score of always stating the overall share of hits; None without any.
    """

    n: int
    bins: tuple[ConfidenceBin, ...]
    brier: float | None
    reference: float | None


def calibration(
    stated: Sequence[tuple[float, bool]], edges: Sequence[float] = BIN_EDGES
) -> ConfidenceRecord:
    """Compare stated confidence with hits.

    Args:
        stated: the confidence of a decision in [0, 1], and whether it was right; decisions inside
            the noise band are left out.
        edges: ends of the bins, ascending, from 0 to 1.

    Raises:
        ValueError: a confidence lies outside [0, 1].

    Source: G. W. Brier, Verification of forecasts expressed in terms of probability, Monthly
    Weather Review 78 (1950), 1-3.
    """
    for confidence, _ in stated:
        if not 0 <= confidence <= 1:
            raise ValueError(f"confidence must lie in 0..1, got {confidence}")
    n = len(stated)
    if not n:
        return ConfidenceRecord(0, (), None, None)
    bins = []
    for low, high in pairwise(edges):
        inside = [one for one in stated if low <= one[0] < high or one[0] == high == edges[-1]]
        if inside:
            count, hits = len(inside), sum(is_hit for _, is_hit in inside)
            mean = fsum(confidence for confidence, _ in inside) / count
            interval = wilson_interval(hits, count)
            bins.append(ConfidenceBin(low, high, count, mean, hits, interval))
    rate = sum(is_hit for _, is_hit in stated) / n
    brier = fsum((confidence - is_hit) ** 2 for confidence, is_hit in stated) / n
    return ConfidenceRecord(n, tuple(bins), brier, rate * (1 - rate))
