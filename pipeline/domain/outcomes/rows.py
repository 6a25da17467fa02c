"""SQL over `outcomes`: they are inserted once and never change."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, SubjectKind

_COLUMNS: Final = ", ".join(MeasuredOutcome._fields)
_INSERT: Final = f"""
INSERT INTO outcomes ({_COLUMNS}) VALUES ({", ".join("?" * len(MeasuredOutcome._fields))})
ON CONFLICT DO NOTHING
"""
_OF_SUBJECT: Final = f"""
SELECT {_COLUMNS} FROM outcomes
WHERE subject_kind = :kind AND subject_id = :id
  AND rule_version = (SELECT max(rule_version) FROM outcomes
    WHERE subject_kind = :kind AND subject_id = :id)
ORDER BY window_hours
"""


def insert(conn: Connection, outcomes: Sequence[MeasuredOutcome]) -> None:
    """Add outcomes; one that is stored already stays as it is."""
    # The driver binds a plain tuple in half the time of a named one.
    driver_cursor(conn).executemany(_INSERT, [tuple(outcome) for outcome in outcomes])


def of_subject(conn: Connection, kind: SubjectKind, subject_id: int) -> list[MeasuredOutcome]:
    """Return the outcomes of a subject by the newest rules, the shortest window first."""
    rows = run_sql(conn, _OF_SUBJECT, {"kind": kind, "id": subject_id}).fetchall()
    return [MeasuredOutcome(*row) for row in rows]
