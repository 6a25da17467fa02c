"""What the owner's accounts hold together, and what each of them adds to it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

CapitalPartName = Literal["spot", "perp"]

CapitalTier = Literal[
    "tier_1", "tier_2", "tier_3", "tier_4", "tier_5", "tier_6", "tier_7", "tier_8"
]
"""R3's steps of a capital, from below 10 USD to 50,000 USD and more."""


@dataclass(frozen=True, slots=True)
class CapitalPart:
    """What one account adds: its spot balances, or its equity in perpetuals.

    Args:
        account: its name.
        value_micro_usd: micro-USD; negative where it owes.
        known_at: when the venue said so; aware UTC.
        kept_because: why an older value is kept; None if this is the last one.
        unpriced: tokens that it holds and that have no price: they are not in the value.
    """

    account: str
    part: CapitalPartName
    value_micro_usd: int
    known_at: datetime
    kept_because: str | None = None
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CapitalMetrics:
    """R3's `capital_metrics`: what the owner's accounts hold together.

    Args:
        spot_holdings_micro_usd: value of the spot balances; micro-USD, as the others.
        perp_value_micro_usd: equity in perpetuals.
        capital_total_micro_usd: their sum.
        parts: what each account adds, by name.
        computed_at: aware UTC.
    """

    spot_holdings_micro_usd: int
    perp_value_micro_usd: int
    capital_total_micro_usd: int
    tier: CapitalTier
    parts: tuple[CapitalPart, ...]
    computed_at: datetime

    @property
    def kept_since(self) -> datetime | None:
        """Since when the oldest part that failed keeps its value; None if all are of the last
        look."""
        return min((part.known_at for part in self.parts if part.kept_because), default=None)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Tokens that no price is known for, so that they are not counted."""
        return tuple(sorted({token for part in self.parts for token in part.unpriced}))


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A part of an account that was never told, so that there is no sum.

    Args:
        error: why.
    """

    account: str
    part: CapitalPartName
    error: str
