"""SQL of the reports of audits: they are only ever added."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.audit.model import AuditFinding, AuditReport

REPORTS_TABLE: Final = "methodology_audit_reports"


def _findings(text: str) -> tuple[AuditFinding, ...]:
    stored = json.loads(text)
    return tuple(AuditFinding(**finding | {"about": tuple(finding["about"])}) for finding in stored)


def _written(findings: Iterable[AuditFinding]) -> str:
    return json.dumps([asdict(finding) for finding in findings])


_REPORT: Final = Codec(
    AuditReport,
    moments=("known_at",),
    json=("dimension_scores", "dimension_weights_used"),
    items=("advisory_actions",),
    codings={"findings": Coding(_findings, _written)},
)
# A job that is delivered twice writes its report once.
_KEEP: Final = _REPORT.insert(REPORTS_TABLE, otherwise="ON CONFLICT (uid) DO NOTHING")
_READ: Final = f"SELECT {_REPORT.columns} FROM {REPORTS_TABLE}"
_FIND: Final = text(f"{_READ} WHERE uid = :uid OR CAST(id AS TEXT) = :uid")
_LATEST: Final = text(f"{_READ} ORDER BY known_at DESC, id DESC LIMIT 1")
_SINCE: Final = text(f"""
{_READ} WHERE known_at >= :since AND (known_at, uid) > (:after_at, :after_uid)
ORDER BY known_at, uid LIMIT :limit
""")
_LAST_AT: Final = text(f"SELECT max(known_at) FROM {REPORTS_TABLE}")


def keep(conn: Connection, report: AuditReport) -> None:
    """Write a report, unless it is there."""
    driver_cursor(conn).execute(_KEEP, _REPORT.write(report))


def find(conn: Connection, name: str) -> AuditReport | None:
    """Return a report by its uid or its row id."""
    row = conn.execute(_FIND, {"uid": name}).one_or_none()
    return None if row is None else _REPORT.read(row)


def latest(conn: Connection) -> AuditReport | None:
    """Return the last report."""
    row = conn.execute(_LATEST).one_or_none()
    return None if row is None else _REPORT.read(row)


def since(
    conn: Connection, moment: int, limit: int = -1, after: tuple[int, str] = (-1, "")
) -> list[AuditReport]:
    """Return the reports since a moment (microseconds), the earliest first.

    Args:
        limit: how many at most; all of them if negative.
        after: `known_at` (microseconds) and `uid` of the last report of the page before.
    """
    values = {"since": moment, "limit": limit, "after_at": after[0], "after_uid": after[1]}
    return [_REPORT.read(row) for row in conn.execute(_SINCE, values)]


def last_at(conn: Connection) -> int | None:
    """Return when the last report was written (microseconds)."""
    at: int | None = conn.execute(_LAST_AT).scalar()
    return at
