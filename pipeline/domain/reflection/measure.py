"""Measure ripe decisions: what became of each, and whether a judge has to be asked about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.checks import claimed_inputs
from afterword.pipeline.domain.decisions.model import (
    PARK_REASONS,
    Decision,
    DecisionVerdict,
)
from afterword.pipeline.domain.decisions.plan import DecisionPlan
from afterword.pipeline.domain.decisions.settle import ParkedDecision
from afterword.pipeline.domain.outcomes.measure import MeasurersOf, OpenPrices, OutcomeMeasurers
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.outcomes.probes import Claim, Probes, is_beside
from afterword.pipeline.domain.outcomes.told import numbers_told, outcome_of
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import LookAheadError
from afterword.pipeline.domain.skills import Custom, Role
from afterword.pipeline.domain.skills.answer import checked_outcome
from afterword.pipeline.domain.skills.failure import failure_of
from afterword.pipeline.rules.market.outcome import Outcome, PricePoint, marked, unknown

MAX_PER_READ: Final = 500
"""Decisions measured in one read, some 30 ms: an open read stops WAL reuse."""

PARKED_RETRY_AFTER: Final = timedelta(hours=6)
"""How soon a parked decision is measured again if nothing triggers it earlier."""

_NO_PRICES: Final = PriceBook({})
_LASTING: Final = frozenset({"no_asset", "no_mark"})
"""Reasons to be parked that time alone does not end."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A decision and its outcome.

    Args:
        numbers: the outcome as it is stored; see `numbers_of`.
        measured: its row of `outcomes`; None where no price measured it, or it has one already.
    """

    decision: Decision
    outcome: Outcome
    numbers: Mapping[str, Any]
    measured: MeasuredOutcome | None = None

    @property
    def needs_judge(self) -> bool:
        """Whether a judge has to say why it went wrong, or what to learn from it."""
        return self.outcome.verdict == "wrong"

    @property
    def free_verdict(self) -> DecisionVerdict | None:
        """The verdict that needs no judge; None for a wrong or an unknown outcome."""
        by = "mark" if self.decision.mark is not None else "probe"
        why = self.outcome.why
        match self.outcome.verdict:
            case "right":
                return DecisionVerdict("right", self.numbers, None, why, by)
            case "noise":
                story = f"{why}: too small a move to tell skill from luck"
                return DecisionVerdict("noise", self.numbers, "variance", story, by)
        return None

    def parked(self, now: datetime) -> ParkedDecision:
        """Return how the decision waits while its outcome is unknown."""
        reason = str(self.outcome.reason)
        retry_at = None if reason in _LASTING else now + PARKED_RETRY_AFTER
        return ParkedDecision(self.decision, PARK_REASONS[reason], self.outcome.why, retry_at)


def measure_decisions(
    store: Store,
    role: Role,
    decisions: Sequence[Decision],
    probes: Probes,
    prices: OpenPrices,
    now: datetime,
    measurers_of: MeasurersOf = OutcomeMeasurers,
) -> list[Measurement]:
    """Return decisions with their outcomes, in the order given.

    Args:
        prices: opens the prices for one read of the store.
        now: nothing known later is read.
        measurers_of: a replay keeps what they have read.
    """
    if isinstance(role.reflection_policy.outcome_probe, Custom):
        return [
            _measure_by_custom(decision, role, probes, store, prices, now) for decision in decisions
        ]
    return list(_measure_by_prices(store, role, decisions, probes, prices, now, measurers_of))


def claim_of(decision: Decision, role: Role) -> Claim:
    """Return the part of a decision that a probe or a post-hoc source reads."""
    inputs = claimed_inputs(decision.inputs, decision.asset, role)
    plan = {name: getattr(decision, name) for name in DecisionPlan._fields}
    return Claim(inputs, decision.direction, decision.decided_at, **plan)


def numbers_of(outcome: Outcome, measured: MeasuredOutcome | None = None) -> dict[str, Any]:
    """Return an outcome as it is stored: JSON with exact numbers and moments as text."""
    numbers: dict[str, Any] = {} if measured is None else numbers_told(measured)
    numbers["why"] = outcome.why
    named = (("change", outcome.change), ("result", outcome.result), ("band", outcome.band))
    for name, value in named:
        if value is not None:
            numbers[name] = str(value)
    for name, point in (("entry", outcome.entry), ("exit", outcome.exit)):
        if point is not None:
            numbers[name] = _point(point)
    return numbers


def number(numbers: Mapping[str, Any], name: str) -> Decimal | None:
    """Return one number of a stored outcome; None where it has none of that name."""
    return Decimal(numbers[name]) if name in numbers else None


def _measure_by_prices(
    store: Store,
    role: Role,
    decisions: Sequence[Decision],
    probes: Probes,
    prices: OpenPrices,
    now: datetime,
    measurers_of: MeasurersOf,
) -> Iterator[Measurement]:
    for start in range(0, len(decisions), MAX_PER_READ):
        with reading(store) as conn:
            measurers = measurers_of(prices(conn), now)
            for decision in decisions[start : start + MAX_PER_READ]:
                yield _measure(decision, role, probes, measurers)


def _measure_by_custom(
    decision: Decision, role: Role, probes: Probes, store: Store, prices: OpenPrices, now: datetime
) -> Measurement:
    """Ask a registered probe, which may ask the outside: no read is open meanwhile."""
    if decision.mark is not None or decision.verdict is not None:
        with reading(store) as conn:
            return _measure(decision, role, probes, OutcomeMeasurers(prices(conn), now))
    try:
        probe = role.reflection_policy.outcome_probe
        nowhere = OutcomeMeasurers(_NO_PRICES, now)
        answer = probes.measure(probe, claim_of(decision, role), nowhere, decision.id)
        outcome = checked_outcome(answer)
        return Measurement(decision, outcome, numbers_of(outcome))
    except Exception as error:  # not our code: its failure must not stop the other decisions
        outcome = unknown("no_answer", f"its probe failed ({failure_of(error)})")
        return Measurement(decision, outcome, {})


def _measure(
    decision: Decision, role: Role, probes: Probes, measurers: OutcomeMeasurers
) -> Measurement:
    if decision.verdict is not None:
        stored = decision.verdict
        outcome = Outcome(stored.outcome, str(stored.measured["why"]))
        return Measurement(decision, outcome, stored.measured)
    try:
        outcome, measured = _outcome(decision, role, probes, measurers)
    except LookAheadError:  # this decision must not stop the others of its role
        why = f"it is not due at {iso(measurers.known_by)}: the clock was set back"
        outcome, measured = unknown("no_exit", why), None
    return Measurement(decision, outcome, numbers_of(outcome, measured), measured)


def _outcome(
    decision: Decision, role: Role, probes: Probes, measurers: OutcomeMeasurers
) -> tuple[Outcome, MeasuredOutcome | None]:
    """Return the outcome a person marked, else what the role's probe measures."""
    if decision.mark is not None:
        return marked(decision.mark, decision.mark_note or "marked by hand"), None
    probe = role.reflection_policy.outcome_probe
    answer = probes.measure(probe, claim_of(decision, role), measurers, decision.id)
    if isinstance(answer, MeasuredOutcome):
        return outcome_of(answer, is_beside=is_beside(probe)), answer
    return answer, None  # also what a registered probe may not answer: it is checked next


def _point(point: PricePoint) -> dict[str, str]:
    return {
        "source": point.source,
        "symbol": point.symbol,
        "at": iso(point.at),
        "price": str(point.price),
    }
