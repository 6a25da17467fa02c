"""The sum of the parts, and its tier."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import Final, get_args

from afterword.pipeline.domain.capital.model import CapitalMetrics, CapitalPart, CapitalTier

TIER_BOUNDS_USD: Final = (10, 100, 500, 1_000, 5_000, 10_000, 50_000)
"""A tier begins with its lower bound; USD. R3 gives the first and the last one; those between are
ours, so that its band "$1k-5k" is one tier."""

_MICRO: Final = 1_000_000
_TIERS: Final[tuple[CapitalTier, ...]] = get_args(CapitalTier)


def tier_of(total_micro_usd: int) -> CapitalTier:
    """Return the tier of a capital; one below zero is in the first."""
    return _TIERS[bisect_right([bound * _MICRO for bound in TIER_BOUNDS_USD], total_micro_usd)]


def sum_of_parts(parts: Sequence[CapitalPart], now: datetime) -> CapitalMetrics:
    """Return the capital that parts add up to."""
    spot, perp = (
        sum(part.value_micro_usd for part in parts if part.part == name)
        for name in ("spot", "perp")
    )
    return CapitalMetrics(
        spot_holdings_micro_usd=spot,
        perp_value_micro_usd=perp,
        capital_total_micro_usd=spot + perp,
        tier=tier_of(spot + perp),
        parts=tuple(parts),
        computed_at=now,
    )
