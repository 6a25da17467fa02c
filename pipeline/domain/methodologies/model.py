"""A methodology: what it says, and how it did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

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
MethodGate = Literal["strict", "literal"]
"""The rule that decides: honest (one vote a stretch, base rates, many methods), or R5's own."""

LifecycleKind = Literal[
    "created",
    "promising",
    "not_promising",
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

MethodState = Literal[
    "new", "trying", "promising", "graduated", "demoted", "flagged", "merged", "deleted"
]
"""Where a methodology stands: `new` has no vote yet, `trying` has some; `promising` is told apart
from luck by itself, `graduated` enters prompts; `demoted` lost that; `flagged` is doubted by a
judge, and hidden; `merged` goes on in another one."""

RecognisedBy = Literal["fields", "tfidf", "jaccard"]
"""How a methodology was recognised as one that is stored: by the hash of its structured fields, or
by its words."""

METHOD_SOURCES: Final = get_args(MethodSource)
METHOD_STATES: Final = get_args(MethodState)

METHOD_STANCES: Final[Mapping[MethodDirection, Stance]] = {
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

SPANS: Final[Mapping[Timeframe, str]] = {
    "intraday": "a day",
    "short": "7 days",
    "medium": "30 days",
    "long": "90 days",
}
"""The horizons in words: "short" beside "bullish" would read as a contradiction."""

FORGOTTEN: Final = "(forgotten)"
"""The text of a methodology that was forgotten; its figures stay, since they count."""

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
class NewMethodology:
    """A methodology to be stored.

    Args:
        methodology: what to do, in words.
        asset_class: the class it is about, such as `major_crypto`; R5's `crypto_alt` is read as
            `crypto_other`.
        direction: what it expects of the price.
        timeframe: how soon: its horizon is 1, 7, 30 or 90 days.
        name: a short one; the first words of the text if missing.
        evidence: what speaks for it, in words.
        phases: its steps, in order.
        primary_signal: read from the text if missing.
        indicators: what it watches, in any written form; read from the text if missing.
        key: idempotency key; a second one changes nothing.
        origin: where its text came from.
        source: `written`, `import`, or for the program's own `cases`, `pattern` and `placebo`.
        seeded_from: what it was made from, where the program made it.
        imported_uses, imported_correct, imported_confidence: its record elsewhere; shown, and never
            counted.
    """

    methodology: str
    asset_class: str
    direction: MethodDirection
    timeframe: Timeframe
    name: str | None = None
    evidence: str = ""
    phases: Sequence[MethodPhase] = ()
    primary_signal: PrimarySignal | None = None
    indicators: Sequence[str] | None = None
    key: str | None = None
    origin: str = "agent"
    source: MethodSource = "written"
    seeded_from: Sequence[Any] = ()
    imported_uses: int | None = None
    imported_correct: int | None = None
    imported_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class AddedMethodology:
    """What became of a methodology that was added.

    Args:
        uid: of the new row, or of the one that says the same.
        is_new: whether it has a row of its own.
        is_repeat: whether its key was used before, so that nothing was written.
        recognised_by: how the stored one was recognised; None for a new row.
        likeness: cosine of the two texts, or Jaccard similarity; None for a new row.
        payloads: the kinds of injection that were found in its text; such a methodology never
            enters a prompt unless the owner clears it.
    """

    id: int
    uid: str
    is_new: bool
    is_repeat: bool = False
    recognised_by: RecognisedBy | None = None
    likeness: float | None = None
    payloads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MethodNumbers:
    """How a methodology did, in both gates; moments are aware UTC.

    Args:
        confidence: of the gate in force; 0.1 until the first vote.
        times_used, times_correct: the literal gate: windows, and those of them that were right.
        effective_uses: the strict gate: stretches that voted; count.
        effective_correct: of these, right; several assets in one stretch count as fractions.
        expected: of these, right without skill.
        spent: stretches that ended inside the band, without a vote; count.
        e_value: the bet on its skill.
        reverse_bet: the bet that its skill is lost, since it graduated.
        uses_needed: further stretches until a verdict at the present rate; None if none is near.
        verdict_at: when that would be.
    """

    confidence: float
    times_used: int
    times_correct: int
    literal_since: datetime | None
    effective_uses: int
    effective_correct: float
    expected: float
    spent: int
    e_value: float
    reverse_bet: float
    promising_since: datetime | None
    strict_since: datetime | None
    uses_needed: int | None
    verdict_at: datetime | None
    scored_at: datetime | None


@dataclass(frozen=True, slots=True)
class Methodology:
    """A methodology as it is read; moments are aware UTC.

    Args:
        injection: the payloads that the scan found in its text.
        sightings: how often it was written; never a use.
        merged_into: uid of the one that goes on for it.
        is_suggested: whether prompts may show it: graduated, not flagged, clean.
        figures: None in a read of the past, which is not kept.
    """

    id: int
    uid: str
    key: str | None
    session_id: str | None
    origin: str
    source: MethodSource
    seeded_from: tuple[Any, ...]
    asset_class: AssetClass
    name: str
    methodology: str
    evidence: str
    phases: tuple[MethodPhase, ...]
    direction: MethodDirection
    primary_signal: PrimarySignal
    timeframe: Timeframe
    indicators: tuple[str, ...]
    dedup_key: str
    known_at: datetime
    injection: tuple[Mapping[str, Any], ...]
    injection_cleared_at: datetime | None
    sightings: int
    last_sighted_at: datetime
    merged_into: str | None
    merged_at: datetime | None
    deleted_at: datetime | None
    imported_uses: int | None
    imported_correct: int | None
    imported_confidence: float | None
    state: MethodState
    is_suggested: bool
    flagged_at: datetime | None
    flags_in_row: int
    figures: MethodNumbers | None = field(default=None)

    @property
    def is_clean(self) -> bool:
        """Whether the scan found nothing, or the owner cleared it."""
        return not self.injection or self.injection_cleared_at is not None


class MethodSighting(NamedTuple):
    """Once more that a methodology was written; the moment is aware UTC."""

    recognised_by: RecognisedBy
    likeness: float | None
    origin: str
    session_id: str | None
    known_at: datetime


@dataclass(frozen=True, slots=True)
class LifecycleEvent:
    """Something that happened to a methodology, with the numbers that decided it.

    Args:
        methodology_id: row id; None of a stress freeze, which is about none.
        gate: the gate that decided, of `promising`, `not_promising`, `graduated` and `demoted`.
        said_by: `rule`, `owner`, `doctor`, `heuristic` or the name of a model.
    """

    id: int
    methodology_id: int | None
    kind: LifecycleKind
    gate: MethodGate | None
    reason_text: str
    numbers: Mapping[str, Any]
    said_by: str
    known_at: datetime


def asset_classes() -> tuple[AssetClass, ...]:
    """Return the classes that a methodology may be about: every known one."""
    return tuple(name for name in get_args(AssetClass) if name != "unknown")
