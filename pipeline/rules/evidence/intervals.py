"""95 % intervals: of the difference of two means, and how wide one is for a number of results."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, variance
from typing import Final

_NORMAL: Final = NormalDist()

CONFIDENCE: Final = 0.95


def difference_interval(
    values: Sequence[float], others: Sequence[float]
) -> tuple[float, float] | None:
    """Return the 95 % interval of the difference of two means; None with too few values.

    Source: B. L. Welch, The generalization of Student's problem when several different population
    variances are involved, Biometrika 34 (1947), 28-35.
    """
    if len(values) < 2 or len(others) < 2:
        return None
    own, other = variance(values) / len(values), variance(others) / len(others)
    difference, total = fmean(values) - fmean(others), own + other
    if not total:
        return difference, difference
    freedom = total**2 / (own**2 / (len(values) - 1) + other**2 / (len(others) - 1))
    margin = student_quantile(freedom) * sqrt(total)
    return difference - margin, difference + margin


def student_quantile(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's distribution.

    Too small by 11 % at 1 degree of freedom, by 0.8 % at 2; within 0.1 % from 5 on.

    Args:
        freedom: degrees of freedom, 1 or more; may be a fraction.

    Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))
