"""A methodology: what it says, and how it did."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, get_args

from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.taxonomy import AssetClass

MethodDirection = Literal["bullish", "bearish", "neutral"]
"""What a methodology expects of the price (R5)."""

PrimarySignal = Literal[
    "momentum",
    "mean_reversion",
    "technical",
    "fundamental",
    "on_chain",
    "sentiment",
    "macro",
    "event",
]
Timeframe = Literal["intraday", "short", "medium", "long"]
MethodSource = Literal["written", "cases", "pattern", "import", "placebo"]
Gate = Literal["strict", "literal"]
"""The rule that decides: honest (one vote a stretch, base rates, many methods), or R5's own."""

LifecycleKind = Literal[
    "created",
    "promising",
    "graduated",
    "demoted",
    "requantized_by_judge",
    "reflection_adjusted",
    "market_stress_freeze",
    "synthesis_auto_demote",
    "merged",
    "deleted",
    "injection_cleared",
]

DIRECTIONS: Final = get_args(MethodDirection)
SIGNALS: Final = get_args(PrimarySignal)
TIMEFRAMES: Final = get_args(Timeframe)

STANCES: Final[Mapping[MethodDirection, Stance]] = {
    "bullish": "long",
    "bearish": "short",
    "neutral": "neutral",
}
"""The direction of a decision that applies a methodology."""

HORIZON_HOURS: Final[Mapping[Timeframe, int]] = {
    "intraday": 24,
    "short": 168,
    "medium": 720,
    "long": 2_160,
}
"""The window in which a methodology is judged: one of the ladder; hours."""

INITIAL_CONFIDENCE: Final = 0.1
"""Confidence until the first vote (R5)."""


@dataclass(frozen=True, slots=True)
class MethodPhase:
    """One step of a methodology (R5).

    Args:
        criteria: what must be found before it is done.
        tools_used: names of tools.
        depends_on: names of earlier phases.
    """

    name: str
    criteria: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LifecycleEvent:
    """Something that happened to a methodology, with the numbers that decided it.

    Args:
        methodology_id: row id; None of a stress freeze, which is about none.
        gate: the gate that decided, of `promising`, `graduated` and `demoted`.
        said_by: `rule`, `owner`, `doctor`, `heuristic` or the name of a model.
    """

    id: int
    methodology_id: int | None
    kind: LifecycleKind
    gate: Gate | None
    reason_text: str
    numbers: Mapping[str, Any]
    said_by: str
    known_at: datetime


def asset_classes() -> tuple[AssetClass, ...]:
    """Return the classes that a methodology may be about: every known one."""
    return tuple(one for one in get_args(AssetClass) if one != "unknown")
