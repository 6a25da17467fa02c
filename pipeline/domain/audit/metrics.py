"""Metrics of the last audits of all groups."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Tally, Values
from afterword.pipeline.domain.audit.model import SEVERITIES, AuditReport
from afterword.pipeline.domain.audit.rows import latest


class AuditNumbers:
    """Reads the last audit of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, _process: object) -> None: ...

    def read(self, conn: Connection) -> AuditReport | None:
        """Return the last audit of a group; None without one."""
        return latest(conn)

    def sums(
        self,
        present: Sequence[AuditReport | None],
        _gone: Sequence[AuditReport | None],
        now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        reports = [report for report in present if report is not None]
        composites = [report.composite for report in reports if report.composite is not None]
        scores: dict[tuple[str, ...], float] = {}
        findings: Tally = Counter(dict.fromkeys(((severity,) for severity in SEVERITIES), 0))
        for report in reports:
            findings.update((finding.severity,) for finding in report.findings)
            for dimension, score in report.dimension_scores.items():
                if score is not None:
                    scores[dimension,] = min(score, scores.get((dimension,), 100.0))
        ages = [(now - report.known_at).total_seconds() for report in reports]
        return {
            "afterword_audit_composite": {(): min(composites)} if composites else {},
            "afterword_audit_dimension_score": scores,
            "afterword_audit_findings": findings,
            "afterword_audit_age_seconds": {(): max([0.0, *ages])},
        }
