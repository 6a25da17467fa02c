"""Figures as they are told: rounded, and stated confidence beside what came true."""

from collections.abc import Iterable
from dataclasses import dataclass

from afterword.pipeline.rules.evidence.calibration import ConfidenceBin
from afterword.pipeline.rules.evidence.rates import wilson_interval


@dataclass(frozen=True, slots=True)
class CalibrationLine:
    """Decisions of about the same stated confidence.

    Args:
        stated: mean stated confidence.
        hit: share that was right; `low` to `high` is its 95 % interval, as wide as if each
            stretch of prices were one decision.
        decisions: count.
    """

    stated: float
    hit: float
    low: float
    high: float
    decisions: int


def calibration_lines(bins: Iterable[ConfidenceBin], share: float) -> tuple[CalibrationLine, ...]:
    """Return bins with intervals that decisions on the same prices do not narrow.

    Args:
        share: stretches for each decision, at most 1.
    """
    return tuple(_line(counts, share) for counts in bins)


def rounded(value: float) -> float:
    """Return a share, a count or a result with six digits after the point."""
    return round(value, 6)


def maybe(value: float | None) -> float | None:
    """Return a number that may be unknown, rounded."""
    return None if value is None else rounded(value)


def _line(counts: ConfidenceBin, share: float) -> CalibrationLine:
    votes = max(1.0, counts.n * share)
    low, high = wilson_interval(counts.hit_rate * votes, votes)
    return CalibrationLine(
        rounded(counts.stated), rounded(counts.hit_rate), rounded(low), rounded(high), counts.n
    )
