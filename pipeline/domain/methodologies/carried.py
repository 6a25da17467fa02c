"""Methodologies on their way from one file to another: with their standing, or without it."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import run_sql
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies import compare_rows, read_rows, rows
from afterword.pipeline.domain.methodologies.checks import CheckedMethodology
from afterword.pipeline.domain.methodologies.injection import scan_methodology_for_injection
from afterword.pipeline.domain.methodologies.model import (
    FORGOTTEN,
    MethodNumbers,
    Methodology,
    NewMethodology,
)
from afterword.pipeline.domain.methodologies.same import group_of
from afterword.pipeline.domain.methodologies.similarity import terms, weights

CARRIED_RECORD: Final = ("imported_uses", "imported_correct", "imported_confidence")
"""Columns of its record elsewhere."""

SAID: Final = tuple(
    field.name for field in fields(NewMethodology) if field.name not in CARRIED_RECORD
)
"""Fields of what a methodology says, and who said it."""

_AT_FIRST: Final = ("known_at", *CARRIED_RECORD)
_SINCE: Final = (
    *(field.name for field in fields(MethodNumbers)),
    *("quarantine", "sightings", "last_sighted_at", "injection_cleared_at", "flagged_at"),
    *("flags_in_row", "reviewed_uses", "literal_from", "strict_from"),
)
STANDING: Final = (*_AT_FIRST, *_SINCE)
"""Columns of what was known of a methodology at first, and of what became of it since; moments in
microseconds."""

_CARRIED: Final = f"""
SELECT id, {", ".join(STANDING)} FROM methodologies
WHERE deleted_at IS NULL AND merged_into IS NULL AND source <> 'placebo'
  AND methodology <> '{FORGOTTEN}' ORDER BY id
"""
_RESTORE: Final = (
    f"UPDATE methodologies SET {', '.join(f'{one} = ?' for one in _SINCE)} WHERE id = ?"
)
_NO_WORDS: Final = {0: 1.0}


def carried_methodologies(conn: Connection) -> Iterator[tuple[Methodology, dict[str, Any]]]:
    """Yield the methodologies that stand, each with its standing, in the order of their rows."""
    for row_id, *standing in run_sql(conn, _CARRIED).fetchall():
        method = read_rows.find(conn, int(row_id), None)
        if method is not None:
            yield method, dict(zip(STANDING, standing, strict=True))


def restore_methodology(
    conn: Connection,
    by: Writer,
    uid: str,
    session: str | None,
    new: CheckedMethodology,
    standing: Mapping[str, Any],
    now: datetime,
) -> None:
    """Write a methodology again that this group had, with the standing it had.

    Args:
        uid: of no row.
        standing: a value for each of `STANDING`, which the schema checks.
    """
    injection = scan_methodology_for_injection(new)
    row_id = rows.insert(conn, uid, session, new, injection, standing["known_at"])
    words = weights(terms(new.compared_text)) or _NO_WORDS
    compare_rows.insert_terms(conn, row_id, group_of(new), words)
    run_sql(conn, _RESTORE, (*(standing[name] for name in _SINCE), row_id))
    touched = ChangedRow(row_id, by.session, {"uid": uid, "source": new.source})
    record(conn, now, by.actor, "methodology.restore", "methodologies", [touched])
