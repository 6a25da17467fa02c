"""How wide a 95 % interval is, for a given number of results."""

from statistics import NormalDist
from typing import Final

_NORMAL: Final = NormalDist()

CONFIDENCE: Final = 0.95


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
