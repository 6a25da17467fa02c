"""One audit: read the records stage by stage, score them, and write one report.

events → cases → methodologies → passes → score → one row, by a connection that may write no other
"""

from datetime import timedelta
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Finisher, Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.audit import records_rows, rows
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.composite import (
    band_of,
    composite,
    weight_scored,
    weights_used,
)
from afterword.pipeline.domain.audit.model import (
    SEVERITIES,
    AuditReport,
    AuditTrigger,
    AuditWindow,
    Dimension,
    DimensionScore,
)
from afterword.pipeline.domain.audit.scoring import (
    BACKLOG_AFTER,
    EXPECTED_LAG,
    FOLLOW_UP,
    attribution_integrity,
    coverage_health,
    cron_health,
    graduation_fp_rate,
    quarantine_churn,
    synthesis_quality,
)
from afterword.pipeline.domain.audit.sealed import writing_only
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.synthesis.rows import last_pass
from afterword.pipeline.errors import InvalidInputError

WINDOW_DAYS: Final = 30
"""Days that an audit looks at, if nobody says otherwise."""

MOST_AUDIT_DAYS: Final = 3_660


def run_audit(
    courtesy: Courtesy,
    uid: str,
    trigger: AuditTrigger,
    gate: MethodGate,
    window_days: int = WINDOW_DAYS,
    finishing: Finisher | None = None,
) -> AuditReport:
    """Score the learning loop, write the report, and return it.

    Between two stages it waits for an agent that is busy.

    Args:
        uid: of the report; a second run with it writes nothing.
        gate: the one in force.
        finishing: a job's lease.

    Raises:
        InvalidInputError: a window that is not 1 to `MOST_AUDIT_DAYS` days.
        UnavailableError: the store cannot be read or written now.
    """
    if not 1 <= window_days <= MOST_AUDIT_DAYS:
        raise InvalidInputError("window_days", f"is {window_days}", f"1 to {MOST_AUDIT_DAYS} days")
    store = courtesy.store
    at = courtesy.clock()
    start = to_micros(at - timedelta(days=window_days))
    window = AuditWindow(start, to_micros(at))
    scored = _scores(store, courtesy, window, gate)
    whole = composite(scored)
    scores = {name: dimension.score for name, dimension in scored.items()}
    weight = weight_scored(scores)
    findings = [finding for dimension in scored.values() for finding in dimension.findings]
    report = AuditReport(
        uid=uid,
        trigger=trigger,
        window_days=window_days,
        composite=whole,
        band=None if whole is None else band_of(whole, weight),
        dimension_scores=scores,
        dimension_weights_used=weights_used(scored),
        findings=tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))),
        advisory_actions=tuple(
            dict.fromkeys(
                action for dimension in scored.values() for action in dimension.advisory_actions
            )
        ),
        known_at=at,
    )
    with writing(store, finishing=finishing) as conn, writing_only(conn, rows.REPORTS_TABLE):
        rows.keep(conn, report)
    emit("audit.written", band=report.band or "none", findings=len(report.findings))
    return report


def _scores(
    store: Store, courtesy: Courtesy, window: AuditWindow, gate: MethodGate
) -> dict[Dimension, DimensionScore]:
    """Read and score, one stage after the other."""
    with reading(store) as conn:
        # Graduations of shortly before were observed until into the window.
        followed = records_rows.events(conn, window.start - FOLLOW_UP, window.now, gate)
    events = [event for event in followed if event.at >= window.start]
    courtesy.yield_if_busy()
    with reading(store) as conn:
        cases = records_rows.cases(conn, window, BACKLOG_AFTER)
        groups = records_rows.traded(conn)
    courtesy.yield_if_busy()
    with reading(store) as conn:
        methods = records_rows.methods(conn, gate)
        last = last_pass(conn, window.now)
        waits = 0 if last else records_rows.unopened(conn, window.now - EXPECTED_LAG)
    courtesy.yield_if_busy()
    return {
        "synthesis_quality": synthesis_quality(events),
        "graduation_fp_rate": graduation_fp_rate(followed, window, gate),
        "attribution_integrity": attribution_integrity(cases),
        "coverage_health": coverage_health(methods, groups),
        "quarantine_churn": quarantine_churn(events),
        "cron_health": cron_health(
            None if last is None else last.finished_at, cases, window, waits
        ),
    }
