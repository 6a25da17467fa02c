"""Metrics of the methodologies of all groups, and of their last synthesis."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.audit.model import SEVERITIES, AuditReport
from afterword.pipeline.domain.audit.rows import latest
from afterword.pipeline.domain.methodologies.model import METHOD_STATES
from afterword.pipeline.domain.methodologies.read import count_methodologies
from afterword.pipeline.domain.synthesis.rows import PassRow, last_pass
from afterword.workers.observability.cached import Tally, Values

PLACEBO: Final = "placebo"


@dataclass(frozen=True, slots=True)
class MethodologyNumbers:
    """The methodologies of one group.

    Args:
        states: methodologies by state; count.
        last: the last pass of the synthesis; None without one.
        audit: the last audit; None without one.
    """

    states: dict[str, int]
    last: PassRow | None
    audit: AuditReport | None


def read_methodologies(conn: Connection) -> MethodologyNumbers:
    """Return the numbers of a group."""
    states: dict[str, int] = dict(count_methodologies(conn).items())
    placebos = sum(count_methodologies(conn, placebos=True).values())
    if placebos:
        states[PLACEBO] = placebos
    return MethodologyNumbers(states, last_pass(conn), latest(conn))


def methodology_sums(present: Sequence[MethodologyNumbers], now: datetime) -> dict[str, Values]:
    """Return the numbers of all groups, by metric."""
    states: Tally = Counter(dict.fromkeys(((state,) for state in (*METHOD_STATES, PLACEBO)), 0))
    for found in present:
        for state, number in found.states.items():
            states[state,] += number
    passes = [one.last for one in present if one.last is not None]
    waiting = [one for one in present if one.states and one.last is not None]
    ages = [
        (now - from_micros(one.last.finished_at)).total_seconds()
        for one in waiting
        if one.last is not None
    ]
    audits = [one.audit for one in present if one.audit is not None]
    return _audits(audits, now) | {
        "afterword_methodologies": states,
        "afterword_methodologies_tried": {(): _sum(passes, "tried")},
        "afterword_methodologies_expected_false": {(): _sum(passes, "expected_false")},
        "afterword_methodologies_synthesis_age_seconds": {(): max(0.0, *ages, 0.0)},
        "afterword_methodologies_frozen_groups": {(): sum(one.is_frozen for one in passes)},
    }


def _audits(audits: Sequence[AuditReport], now: datetime) -> dict[str, Values]:
    composites = [one.composite for one in audits if one.composite is not None]
    scores: dict[tuple[str, ...], float] = {}
    findings: Tally = Counter(dict.fromkeys(((one,) for one in SEVERITIES), 0))
    for report in audits:
        findings.update((one.severity,) for one in report.findings)
        for dimension, score in report.dimension_scores.items():
            if score is not None:
                scores[dimension,] = min(score, scores.get((dimension,), 100.0))
    return {
        "afterword_audit_composite": {(): min(composites)} if composites else {},
        "afterword_audit_dimension_score": scores,
        "afterword_audit_findings": findings,
        "afterword_audit_age_seconds": {
            (): max([0.0, *((now - one.known_at).total_seconds() for one in audits)])
        },
    }


def _sum(passes: Sequence[PassRow], name: str) -> float:
    return float(sum(one.numbers.get(name, 0) for one in passes))
