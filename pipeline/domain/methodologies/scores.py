"""What is kept of a methodology's record: the figures of both gates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    INITIAL_CONFIDENCE,
    MethodGate,
    Timeframe,
)
from afterword.pipeline.rules.evidence.graduation import (
    literal_confidence,
    uses_needed,
    verdict_at,
)
from afterword.pipeline.rules.evidence.method_record import MethodRecord
from afterword.pipeline.rules.market.taxonomy import AssetClass

_HOUR_US: Final = 3_600_000_000


class MethodFigures(NamedTuple):
    """The figures of a methodology as they are stored; moments in microseconds.

    Args:
        confidence: of the gate in force: 0.1 until the first vote, then the Wilson lower bound.
        times_used: windows that were right or wrong; `times_correct` of these: the literal gate.
        effective_uses: stretches that voted; `effective_correct` of these: the strict gate.
        expected: correct ones without skill.
        spent: stretches that did not vote.
        e_value: evidence that it is right more often than without skill.
        reverse_bet: evidence since graduation that no edge is left.
        uses_needed: further voting stretches until it would be graduated; None: none in sight.
        verdict_at: when that would be, at its pace until now.
    """

    confidence: float = INITIAL_CONFIDENCE
    times_used: int = 0
    times_correct: int = 0
    effective_uses: int = 0
    effective_correct: float = 0.0
    expected: float = 0.0
    spent: int = 0
    e_value: float = 1.0
    reverse_bet: float = 1.0
    uses_needed: int | None = None
    verdict_at: int | None = None


@dataclass(frozen=True, slots=True)
class MethodStanding:
    """A methodology as the gates see it; moments in microseconds.

    Args:
        is_placebo: whether it was made without skill, to test the gate.
        is_clean: whether no injected instruction was found in it, or an owner cleared it.
        is_gone: whether it was merged or deleted.
        reviewed_uses: its effective uses when the judge last looked at it.
        strict_from, literal_from: evidence from before no longer counts.
        figures: as they are stored now.
    """

    id: int
    uid: str
    asset_class: AssetClass
    timeframe: Timeframe
    is_placebo: bool
    is_clean: bool
    is_gone: bool
    quarantine: bool
    flagged_at: int | None
    flags_in_row: int
    reviewed_uses: int
    promising_since: int | None
    strict_since: int | None
    strict_from: int
    literal_since: int | None
    literal_from: int
    figures: MethodFigures

    def since(self, gate: MethodGate) -> int | None:
        """Return since when a gate has it graduated; None if it has not."""
        return self.strict_since if gate == "strict" else self.literal_since


def figures_of(
    record: MethodRecord,
    used: int,
    correct: int,
    gate: MethodGate,
    timeframe: Timeframe,
    bar: float,
) -> MethodFigures:
    """Return the figures of a record.

    Args:
        used: windows that were right or wrong; `correct` of these.
        gate: the one in force: `confidence` is that of its counts.
        bar: the e-value that graduates it.
    """
    needed = uses_needed(record, bar) if record.n_eff else None
    at = None
    if needed is not None:
        at = verdict_at(record, needed, HORIZON_HOURS[timeframe] * _HOUR_US)
    uses = record.n_eff if gate == "strict" else used
    lower = record.lower if gate == "strict" else literal_confidence(correct, used)
    return MethodFigures(
        confidence=lower if uses else INITIAL_CONFIDENCE,
        times_used=used,
        times_correct=correct,
        effective_uses=record.n_eff,
        effective_correct=record.hits,
        expected=record.expected,
        spent=record.spent,
        e_value=record.evidence,
        reverse_bet=record.reverse,
        uses_needed=needed,
        verdict_at=at,
    )


def changed(
    standings: Sequence[MethodStanding], figures: dict[int, MethodFigures]
) -> dict[int, MethodFigures]:
    """Return the figures that differ from the stored ones, by id."""
    return {
        standing.id: figures[standing.id]
        for standing in standings
        if figures[standing.id] != standing.figures
    }
