"""SQL of the reports of audits: they are only ever added."""

import json
from typing import Any, Final

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.audit.model import AuditFinding, AuditReport

TABLE: Final = "methodology_audit_reports"

_COLUMNS: Final = (
    "uid, trigger, window_days, composite, band, dimension_scores, dimension_weights_used,"
    " findings, advisory_actions, known_at"
)
# A job that is delivered twice writes its report once.
_KEEP: Final = text(f"""
INSERT INTO {TABLE} ({_COLUMNS})
VALUES (:uid, :trigger, :window_days, :composite, :band, :scores, :weights, :findings, :actions,
  :now)
ON CONFLICT (uid) DO NOTHING
""")
_FIND: Final = text(f"SELECT {_COLUMNS} FROM {TABLE} WHERE uid = :uid OR CAST(id AS TEXT) = :uid")
_LATEST: Final = text(f"SELECT {_COLUMNS} FROM {TABLE} ORDER BY known_at DESC, id DESC LIMIT 1")
_SINCE: Final = text(f"""
SELECT {_COLUMNS} FROM {TABLE} WHERE known_at >= :since ORDER BY known_at, id
""")
_LAST_AT: Final = text(f"SELECT max(known_at) FROM {TABLE}")


def keep(conn: Connection, report: AuditReport) -> None:
    """Write a report, unless it is there."""
    findings = [
        {"dimension": one.dimension, "severity": one.severity, "text": one.text}
        | {"about": list(one.about)}
        for one in report.findings
    ]
    conn.execute(
        _KEEP,
        {
            "uid": report.uid,
            "trigger": report.trigger,
            "window_days": report.window_days,
            "composite": report.composite,
            "band": report.band,
            "scores": json.dumps(report.dimension_scores),
            "weights": json.dumps(report.dimension_weights_used),
            "findings": json.dumps(findings),
            "actions": json.dumps(report.advisory_actions),
            "now": to_micros(report.known_at),
        },
    )


def find(conn: Connection, name: str) -> AuditReport | None:
    """Return a report by its uid or its row id."""
    row = conn.execute(_FIND, {"uid": name}).one_or_none()
    return None if row is None else _report(row)


def latest(conn: Connection) -> AuditReport | None:
    """Return the last report."""
    row = conn.execute(_LATEST).one_or_none()
    return None if row is None else _report(row)


def since(conn: Connection, moment: int) -> list[AuditReport]:
    """Return the reports since a moment (microseconds), the earliest first."""
    return [_report(row) for row in conn.execute(_SINCE, {"since": moment})]


def last_at(conn: Connection) -> int | None:
    """Return when the last report was written (microseconds)."""
    found: int | None = conn.execute(_LAST_AT).scalar()
    return found


def _report(row: Row[Any]) -> AuditReport:
    stored = json.loads(row.findings)
    findings = [AuditFinding(**(one | {"about": tuple(one["about"])})) for one in stored]
    return AuditReport(
        uid=row.uid,
        trigger=row.trigger,
        window_days=row.window_days,
        composite=row.composite,
        band=row.band,
        dimension_scores=json.loads(row.dimension_scores),
        dimension_weights_used=json.loads(row.dimension_weights_used),
        findings=tuple(findings),
        advisory_actions=tuple(json.loads(row.advisory_actions)),
        known_at=from_micros(row.known_at),
    )
