"""What a judge sees of a decision: its outcome, and what could be known when it was made."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.domain.decisions import rows
from afterword.pipeline.domain.decisions.checks import claimed_inputs
from afterword.pipeline.domain.decisions.model import Decision, Lesson
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Claim, Probes
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.skills import Manual, Role
from afterword.pipeline.rules.market.outcome import Outcome, PricePoint, marked
from afterword.pipeline.rules.market.splits import change

MOST_LESSONS = 5
"""Earlier lessons of its role that a judge is shown with a decision."""


@dataclass(frozen=True, slots=True)
class Case:
    """A decision that is to be explained, whose outcome is known.

    Args:
        measured: the numbers of its outcome, as they are kept.
        context: its frozen context as JSON; empty where it has none.
        lessons: of its role, as they were known when it decided; the latest first.
        known: what post-hoc sources could say when it was decided.
        later: what they could say only when its outcome was due: nothing it could have used.
    """

    decision: Decision
    role: Role
    measured: Mapping[str, Any]
    context: str = ""
    lessons: tuple[Lesson, ...] = ()
    known: tuple[Evidence, ...] = ()
    later: tuple[Evidence, ...] = ()

    @property
    def window(self) -> timedelta:
        """How long after the decision its outcome was due."""
        return window_of(self.role)


def window_of(role: Role) -> timedelta:
    """Return how long after a decision its outcome is due; its minimum age where nobody says."""
    probe = role.reflection_policy.outcome_probe
    if isinstance(probe, Manual):
        return role.reflection_policy.min_age
    return timedelta(hours=probe.window_hours)


def claim_of(decision: Decision, role: Role) -> Claim:
    """Return what a decision said, as a probe or a source needs it."""
    inputs = claimed_inputs(decision.inputs, decision.asset, role)
    return Claim(inputs, decision.direction, decision.decided_at)


def measure(
    decision: Decision, role: Role, probes: Probes, prices: PriceSource, now: datetime
) -> Outcome:
    """Return what became of a decision: as a person marked it, else as its role's probe says."""
    if decision.mark is not None:
        return marked(decision.mark, decision.mark_note or "marked by hand")
    probe = role.reflection_policy.outcome_probe
    return probes.outcome(probe, claim_of(decision, role), prices, now)


def trend_before(
    outcome: Outcome, decision: Decision, role: Role, prices: PriceSource
) -> Decimal | None:
    """Return how the price had moved over such a window, as the decision knew it; None: unknown."""
    if outcome.entry is None:
        return None
    decided_at = decision.decided_at
    for series in prices.series(outcome.entry.symbol):
        if (series.source, series.symbol) != (outcome.entry.source, outcome.entry.symbol):
            continue
        entry = prices.close_at(series, decided_at, decided_at)
        before = prices.close_at(series, decided_at - window_of(role), decided_at)
        if entry is not None and before is not None and before.closed_at < entry.closed_at:
            return change(prices.splits(series), before, entry)
    return None


def numbers_of(outcome: Outcome, trend: Decimal | None) -> dict[str, Any]:
    """Return an outcome as it is kept: exact numbers as text, moments as text."""
    numbers: dict[str, Any] = {"why": outcome.why}
    named = (("change", outcome.change), ("result", outcome.result), ("band", outcome.band))
    for name, value in (*named, ("trend_before", trend)):
        if value is not None:
            numbers[name] = str(value)
    for name, point in (("entry", outcome.entry), ("exit", outcome.exit)):
        if point is not None:
            numbers[name] = _point(point)
    return numbers


def number(measured: Mapping[str, Any], name: str) -> Decimal | None:
    """Return a number of a kept outcome."""
    return Decimal(measured[name]) if name in measured else None


def gather(
    conn: Connection, role: Role, looked: Sequence[tuple[Decision, Mapping[str, Any]]]
) -> list[Case]:
    """Return the cases of decisions of one role and their kept outcomes, each with its context."""
    hashes = [one.context_hash for one, _ in looked if one.context_hash is not None]
    bodies = rows.contexts(conn, hashes)
    return [
        Case(decision, role, measured, bodies.get(decision.context_hash or "", ""))
        for decision, measured in looked
    ]


def with_lessons(conn: Connection, case: Case) -> Case:
    """Return a case with the lessons of its role as they were known when it decided."""
    decided_at = to_micros(case.decision.decided_at)
    found = rows.distinct_lessons(conn, case.role.id, MOST_LESSONS, decided_at)
    return replace(case, lessons=tuple(found))


def with_evidence(case: Case, post_hoc: PostHoc, prices: PriceSource) -> Case:
    """Return a case with what its role's post-hoc sources say.

    What they could say at the decision stands apart from what they could say only when it was due.
    """
    claim = claim_of(case.decision, case.role)
    decided_at = case.decision.decided_at
    known: list[Evidence] = []
    later: list[Evidence] = []
    for spec in case.role.reflection_policy.post_hoc_probes:
        then = post_hoc.known(spec, claim, prices, decided_at)
        known += then
        due = post_hoc.known(spec, claim, prices, decided_at + case.window)
        later += [one for one in due if one not in then]
    return replace(case, known=tuple(known), later=tuple(later))


def context_of(case: Case) -> Any:
    """Return the frozen context as JSON; an empty object where there is none."""
    return json.loads(case.context) if case.context else {}


def _point(point: PricePoint) -> dict[str, str]:
    return {
        "source": point.source,
        "symbol": point.symbol,
        "at": iso(point.at),
        "price": str(point.price),
    }
