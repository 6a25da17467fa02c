"""SQL over `outcomes`: they are inserted once and never change."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, SubjectKind

_COLUMNS: Final = ", ".join(MeasuredOutcome._fields)
_INSERT = text(f"""
INSERT INTO outcomes ({_COLUMNS})
SELECT {", ".join(f"value ->> {place}" for place in range(len(MeasuredOutcome._fields)))}
FROM json_each(:rows) WHERE true ORDER BY key
ON CONFLICT DO NOTHING
""")
_OF_SUBJECT = text(f"""
SELECT {_COLUMNS} FROM outcomes
WHERE subject_kind = :kind AND subject_id = :id
  AND rule_version = (SELECT max(rule_version) FROM outcomes
    WHERE subject_kind = :kind AND subject_id = :id)
ORDER BY window_hours
""")


def insert(conn: Connection, found: Sequence[MeasuredOutcome]) -> None:
    """Add outcomes; one that is stored already stays as it is."""
    if found:
        conn.execute(_INSERT, {"rows": json.dumps([list(one) for one in found])})


def of_subject(conn: Connection, kind: SubjectKind, subject_id: int) -> list[MeasuredOutcome]:
    """Return the outcomes of a subject by the newest rules, the shortest window first."""
    found = conn.execute(_OF_SUBJECT, {"kind": kind, "id": subject_id})
    return [MeasuredOutcome(*row) for row in found]
