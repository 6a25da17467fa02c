"""One score of the six dimensions, and the band it lies in."""

from collections.abc import Mapping
from typing import Final

from afterword.pipeline.domain.audit.model import Band, Dimension, DimensionScore

WEIGHTS: Final[Mapping[Dimension, float]] = {
    "synthesis_quality": 0.22,
    "graduation_fp_rate": 0.22,
    "attribution_integrity": 0.22,
    "coverage_health": 0.14,
    "quarantine_churn": 0.08,
    "cron_health": 0.12,
}
"""Weights of R5."""

LEAST_WEIGHT: Final = 0.5
"""Weight that must have been scored for `healthy` and `watch`: a part of the loop may be ill alone,
and is not well alone."""

_BANDS: Final[tuple[tuple[float, Band], ...]] = (
    (80, "healthy"),
    (60, "watch"),
    (40, "degraded"),
    (0, "alarm"),
)


def weights_used(scores: Mapping[Dimension, DimensionScore]) -> dict[Dimension, float]:
    """Return the weights of the dimensions that were scored; they add up to 1."""
    scored = {name: WEIGHTS[name] for name, score in scores.items() if score.score is not None}
    whole = sum(scored.values())
    return {name: weight / whole for name, weight in scored.items()}


def composite(scores: Mapping[Dimension, DimensionScore]) -> float | None:
    """Return the weighted mean of the dimensions that were scored; None if none was."""
    weights = weights_used(scores)
    parts = [weight * (scores[name].score or 0.0) for name, weight in weights.items()]
    # Weights are divided, so full marks everywhere may add up to a little more than 100.
    return min(sum(parts), 100.0) if parts else None


def weight_scored(scores: Mapping[Dimension, float | None]) -> float:
    """Return the weight of the dimensions that were scored; 1 is all of them."""
    return sum(WEIGHTS[name] for name, score in scores.items() if score is not None)


def band_of(score: float, weight: float = 1.0) -> Band | None:
    """Return the band of a composite: healthy from 80, watch from 60, degraded from 40.

    Args:
        weight: of the dimensions that it was made of; below a half only a bad band is told.
    """
    band = next(name for least, name in _BANDS if score >= least)
    return None if weight < LEAST_WEIGHT and band in ("healthy", "watch") else band
