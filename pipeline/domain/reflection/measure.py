"""Look at ripe decisions: what became of each, and whether anybody has to be asked about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.model import REASONS, Decision, DecisionVerdict
from afterword.pipeline.domain.decisions.settle import ParkedDecision
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import LookAheadError, PriceSource
from afterword.pipeline.domain.reflection.case import measure, numbers_of, trend_before
from afterword.pipeline.domain.reflection.judge import MAX_NARRATIVE
from afterword.pipeline.domain.skills import Custom, Role
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import Outcome, marked, unknown
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

Prices = Callable[[Connection], PriceSource]
"""Opens the prices that one read of a store sees."""

AT_ONCE: Final = 100
"""Decisions measured in one read: while it is open, the log is not reused."""

LOOK_AGAIN: Final = timedelta(hours=6)
"""How soon a decision that is parked for a lack that may end is looked at again, where nothing
says sooner."""

_NO_PRICES: Final = PriceBook({})
_LASTING: Final = frozenset({"no_asset", "no_mark"})


@dataclass(frozen=True, slots=True)
class Measurement:
    """A decision and its outcome.

    Args:
        measured: the outcome's numbers, as they are kept.
    """

    decision: Decision
    outcome: Outcome
    measured: Mapping[str, Any]

    @property
    def is_to_be_asked(self) -> bool:
        """Whether a judge has to say why it went wrong, or what to learn from it."""
        return self.outcome.verdict == "wrong"

    @property
    def verdict(self) -> DecisionVerdict | None:
        """What is said of it without asking anybody; None where that does not do."""
        by = "mark" if self.decision.mark is not None else "probe"
        why = self.outcome.why
        match self.outcome.verdict:
            case "right":
                return DecisionVerdict("right", self.measured, None, why, by)
            case "noise":
                story = f"{why}: too small a move to tell skill from luck"
                return DecisionVerdict("noise", self.measured, "variance", story, by)
        return None

    def parked(self, now: datetime) -> ParkedDecision:
        """Return how it waits for an outcome nobody knows yet."""
        reason = str(self.outcome.reason)
        retry_at = None if reason in _LASTING else now + LOOK_AGAIN
        return ParkedDecision(self.decision, REASONS[reason], self.outcome.why, retry_at)


def look(
    store: Store,
    role: Role,
    waiting: Sequence[Decision],
    probes: Probes,
    prices: Prices,
    now: datetime,
) -> list[Measurement]:
    """Return decisions with their outcomes, in the order given.

    Args:
        prices: the prices of the store, opened for one read.
        now: nothing known later is read.
    """
    if isinstance(role.reflection_policy.outcome_probe, Custom):
        return [_asked(one, role, probes, store, prices, now) for one in waiting]
    return list(_measured(store, role, waiting, probes, prices, now))


def _measured(
    store: Store,
    role: Role,
    waiting: Sequence[Decision],
    probes: Probes,
    prices: Prices,
    now: datetime,
) -> Iterator[Measurement]:
    for start in range(0, len(waiting), AT_ONCE):
        with reading(store) as conn:
            source = prices(conn)
            for one in waiting[start : start + AT_ONCE]:
                yield _looked(one, role, probes, source, now)


def _asked(
    decision: Decision, role: Role, probes: Probes, store: Store, prices: Prices, now: datetime
) -> Measurement:
    """Ask a registered probe, which may ask the outside: no read is open meanwhile."""
    if decision.mark is not None or decision.verdict is not None:
        with reading(store) as conn:
            return _looked(decision, role, probes, prices(conn), now)
    try:
        outcome = _believed(measure(decision, role, probes, _NO_PRICES, now))
        return Measurement(decision, outcome, numbers_of(outcome, None))
    except Exception as error:  # it is not ours: whatever it does, the others are looked at
        outcome = unknown("no_answer", f"its probe failed ({type(error).__name__})")
        return Measurement(decision, outcome, {})


def _believed(outcome: Outcome) -> Outcome:
    """Return what a registered probe says, if it says one of the things it may.

    Raises:
        InvalidInputError: it does not.
    """
    why = one_line(mask(outcome.why), MAX_NARRATIVE)
    if outcome.verdict == "unknown":
        return unknown("no_answer", why)
    known = marked(outcome.verdict, why or f"its probe says {outcome.verdict}")
    for number in (outcome.change, outcome.result, outcome.band):
        if number is not None and not (isinstance(number, Decimal) and number.is_finite()):
            raise InvalidInputError("outcome", "has a number that is none", "finite decimals")
    return replace(outcome, why=known.why)


def _looked(
    decision: Decision, role: Role, probes: Probes, source: PriceSource, now: datetime
) -> Measurement:
    if decision.verdict is not None:
        said = decision.verdict
        known = Outcome(said.outcome, str(said.measured["why"]))
        return Measurement(decision, known, said.measured)
    outcome = _measured_now(decision, role, probes, source, now)
    is_wrong = outcome.verdict == "wrong"
    trend = trend_before(outcome, decision, role, source) if is_wrong else None
    return Measurement(decision, outcome, numbers_of(outcome, trend))


def _measured_now(
    decision: Decision, role: Role, probes: Probes, source: PriceSource, now: datetime
) -> Outcome:
    """Return an outcome; one that cannot be had must not hold up the others of its role."""
    try:
        return measure(decision, role, probes, source, now)
    except LookAheadError:
        return unknown("no_exit", f"it is not due at {iso(now)}: the clock was set back")
