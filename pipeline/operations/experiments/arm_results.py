"""What the answers of arms are worth: each judged by the outcome of its decision, and summed.

- *The base rate of another direction.* Of long and short one is the other's complement; of neutral
  beside them one half, which the typical move is made for (`rules/evidence/neutral`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum

from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.operations.experiments.decide import ARMS, Arm, ArmAnswer
from afterword.pipeline.operations.experiments.past import PastDecision
from afterword.pipeline.operations.experiments.recollection import Recollection
from afterword.pipeline.rules.evidence.gated import ArmDecision, keyed_pairs
from afterword.pipeline.rules.evidence.paired import PairedVerdict, paired_verdict
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.outcome import Stance, judged


@dataclass(frozen=True, slots=True)
class ArmCase:
    """A decision that all arms are asked about.

    Args:
        outcome: what its answers are judged by.
        memory, sham: what the arms of these names are told.
        counts: whether it is after the model's stated knowledge.
    """

    past: PastDecision
    outcome: MeasuredOutcome
    memory: Recollection
    sham: Recollection
    counts: bool

    @property
    def uid(self) -> str:
        """Its decision's."""
        return self.past.decision.uid

    def told(self, arm: Arm) -> str:
        """Return the block of memory of an arm."""
        blocks = {"none": Recollection(), "memory": self.memory, "sham": self.sham}
        return blocks[arm].text


@dataclass(frozen=True, slots=True)
class ArmResult:
    """An answer, and what it was worth.

    Args:
        counts: whether its decision is after the model's stated knowledge.
        original: the direction of the decision itself.
        is_hit: whether the answer was right; None inside the noise band, or without an answer.
        base: chance of a right call of its direction without skill; None without an answer.
        earned: result net of costs in units of the market's deviation over the window; 0 for
            neutral, None without an answer.
        is_changed: whether its direction differs from that of the same sample without memory; None
            where one of the two is missing.
    """

    asset: str
    decided_at: datetime
    counts: bool
    original: Stance
    answer: ArmAnswer
    is_hit: bool | None
    base: float | None
    earned: float | None
    is_changed: bool | None


@dataclass(frozen=True, slots=True)
class ArmTotals:
    """The answers of one arm.

    Args:
        answers: usable ones; `failed` the others; counts.
        voted: of these, beyond the noise band; count.
        hits: of these, right; count.
        expected: hits without skill: the sum of the base rates of those that voted.
        earned: mean result net of costs, in deviations; None without an answer.
        changed: share of answers with another direction than without memory; None without one.
        chars: mean characters of a question; None without one.
        cost_micro_usd: what was paid now; nothing for what a cassette had.
    """

    arm: Arm
    answers: int
    failed: int
    voted: int
    hits: int
    expected: float
    earned: float | None
    changed: float | None
    chars: float | None
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int


def results_of(cases: Iterable[ArmCase], answers: Sequence[ArmAnswer]) -> list[ArmResult]:
    """Return what each answer was worth."""
    by_uid = {case.uid: case for case in cases}
    without = {
        (answer.uid, answer.sample): answer.direction for answer in answers if answer.arm == "none"
    }
    return [
        _result(by_uid[answer.uid], answer, without.get((answer.uid, answer.sample)))
        for answer in answers
    ]


def verdict_between(
    cases: Sequence[ArmCase], results: Sequence[ArmResult], first: Arm, second: Arm
) -> PairedVerdict:
    """Return whether one arm did better than another in the same stretches."""
    outcomes = {case.uid: case.outcome for case in cases}
    of: defaultdict[Arm, list[ArmDecision]] = defaultdict(list)
    for result in results:
        answer = result.answer
        if result.base is not None:
            entry_at, exit_at = outcomes[answer.uid].entry_at, outcomes[answer.uid].exit_at
            of[answer.arm].append(
                ArmDecision(
                    answer.uid,
                    answer.sample,
                    entry_at,
                    exit_at,
                    result.asset,
                    result.is_hit,
                    result.base,
                )
            )
    return paired_verdict(keyed_pairs(of[first], of[second]))


def totals_of(results: Sequence[ArmResult]) -> Iterator[ArmTotals]:
    """Yield the totals of each arm."""
    for arm in ARMS:
        own = [result for result in results if result.answer.arm == arm]
        usable = [result for result in own if result.base is not None]
        voted = [result for result in usable if result.is_hit is not None]
        yield ArmTotals(
            arm=arm,
            answers=len(usable),
            failed=len(own) - len(usable),
            voted=len(voted),
            hits=sum(bool(result.is_hit) for result in voted),
            expected=fsum(result.base for result in voted if result.base is not None),
            earned=_mean([result.earned for result in usable if result.earned is not None]),
            changed=_mean(
                [float(result.is_changed) for result in usable if result.is_changed is not None]
            ),
            chars=_mean([float(result.answer.chars) for result in own]),
            input_tokens=sum(result.answer.input_tokens for result in own),
            output_tokens=sum(result.answer.output_tokens for result in own),
            cost_micro_usd=sum(result.answer.cost_micro_usd for result in own),
        )


def is_hit(outcome: MeasuredOutcome, direction: Stance) -> bool | None:
    """Return whether a direction was right over a stored window; None inside the noise band."""
    assert outcome.typical_ppb is not None  # those without are left out
    word = judged(direction, outcome.move_ppb, outcome.band_ppb, outcome.typical_ppb)
    return None if word == "noise" else word == "right"


def base_of(outcome: MeasuredOutcome, direction: Stance) -> float:
    """Return the chance of a right call of a direction without skill, as known at the entry."""
    if outcome.base_ppb is None:
        return 0.5
    base = outcome.base_ppb / PPB
    if direction == outcome.direction:
        return base
    return 0.5 if "neutral" in (direction, outcome.direction) else 1 - base


def earned(outcome: MeasuredOutcome, direction: Stance) -> float:
    """Return what a direction earned net of costs, in deviations of the market over the window."""
    if direction == "neutral" or not outcome.sigma_ppb:
        return 0.0
    move = outcome.move_ppb if direction == "long" else -outcome.move_ppb
    return (move - outcome.costs_ppb) / outcome.sigma_ppb


def _result(case: ArmCase, answer: ArmAnswer, without: Stance | None) -> ArmResult:
    direction, outcome = answer.direction, case.outcome
    has_both = answer.arm != "none" and direction is not None and without is not None
    return ArmResult(
        asset=outcome.asset_key,
        decided_at=case.past.decision.decided_at,
        counts=case.counts,
        original=case.past.decision.direction,
        answer=answer,
        is_hit=None if direction is None else is_hit(outcome, direction),
        base=None if direction is None else base_of(outcome, direction),
        earned=None if direction is None else earned(outcome, direction),
        is_changed=direction != without if has_both else None,
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return fsum(numbers) / len(numbers) if numbers else None
