"""An audit of the learning loop: its scores, its findings, and how the composite changed."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.audit.composite import WEIGHTS, weight_scored
from afterword.pipeline.domain.audit.model import (
    DIMENSIONS,
    AuditFinding,
    AuditReport,
    Dimension,
)
from afterword.pipeline.rules.text.numbers import percent
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import moment

AUDIT_OFF: Final = "learning is off (AFTERWORD_LEARNING_ENABLED): nothing is audited or written"

_NONE_YET: Final = "no audit was run yet: `afterword audit run`"
_NO_FINDINGS: Final = "no findings"

_DIMENSIONS: Final = ("dimension", "score", "weight", "used")
_FINDINGS: Final = ("severity", "dimension", "finding", "methodologies")
_TREND: Final = ("at", "composite", "band", "findings", "audit")


def audit_off() -> View:
    """Return that nothing is audited."""
    return View([Paragraph(AUDIT_OFF)])


def audit_report(report: AuditReport | None) -> View:
    """Return the scores, the findings and what may be done; None before the first audit."""
    if report is None:
        return View([Paragraph(_NONE_YET)])
    facts = {
        "audit": report.uid,
        "at": moment(report.known_at),
        "window": f"{report.window_days} days",
        "composite": _composite(report),
    }
    rows = [_dimension(name, report) for name in DIMENSIONS]
    blocks: list[Block] = [Fields(facts), Table(_DIMENSIONS, rows)]
    blocks.append(_findings(report.findings, _NO_FINDINGS))
    blocks += (Paragraph(f"You may: {action}") for action in report.advisory_actions)
    return View(blocks)


def audit_findings(findings: Sequence[AuditFinding], *, was_run: bool) -> View:
    """Return findings below each other.

    Args:
        was_run: whether there is an audit that could have found any.
    """
    return View([_findings(findings, _NO_FINDINGS if was_run else _NONE_YET)])


def audit_trend(reports: Sequence[AuditReport], line: str, days: int) -> View:
    """Return the composites of audits, the first one first.

    Args:
        line: the composites as a sparkline.
        days: how far it looks back.
    """
    if not reports:
        return View([Paragraph(f"no audit within {days} days: `afterword audit run`")])
    return View([Paragraph(line), Table(_TREND, list(map(_point, reports)))])


def _composite(report: AuditReport) -> str:
    if report.composite is None:
        return "not enough data to score"
    weight = percent(weight_scored(report.dimension_scores))
    band = report.band or "too little for a verdict"
    return f"{_score(report.composite)}, {band}, from {weight} of the weight"


def _dimension(name: Dimension, report: AuditReport) -> list[Cell]:
    score = report.dimension_scores.get(name)
    used = report.dimension_weights_used.get(name)
    return [
        name.replace("_", " "),
        "too little data" if score is None else _score(score),
        f"{WEIGHTS[name]:.2f}",
        "" if used is None else f"{used:.2f}",
    ]


def _findings(findings: Sequence[AuditFinding], empty: str) -> Table:
    rows = [
        [
            finding.severity,
            finding.dimension.replace("_", " "),
            finding.text,
            ", ".join(finding.about),
        ]
        for finding in findings
    ]
    return Table(_FINDINGS, rows, empty)


def _point(report: AuditReport) -> list[Cell]:
    composite = "" if report.composite is None else _score(report.composite)
    band = report.band or "not scored"
    return [
        moment(report.known_at),
        composite,
        band,
        len(report.findings),
        Ref(report.uid, "audit", report.uid),
    ]


def _score(score: float) -> str:
    return f"{score:.1f}"
