"""SQL that writes methodologies: what they say, each time they were written, what ended them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from afterword.pipeline.domain.methodologies.checks import CheckedMethodology, phases_text
from afterword.pipeline.domain.methodologies.model import (
    LifecycleKind,
    RecognisedBy,
)

_INSERT = text("""
INSERT INTO methodologies (uid, record_key, session_id, origin, source, seeded_from, asset_class,
  name, methodology, evidence, phases, direction, primary_signal, timeframe, indicators, dedup_key,
  known_at, injection, last_sighted_at, imported_uses, imported_correct, imported_confidence)
VALUES (:uid, :record_key, :session_id, :origin, :source, :seeded_from, :asset_class, :name,
  :methodology, :evidence, :phases, :direction, :primary_signal, :timeframe, :indicators,
  :dedup_key, :now, :injection, :now, :imported_uses, :imported_correct, :imported_confidence)
RETURNING id
""")
_INSERT_EVENT = text("""
INSERT INTO methodology_lifecycle_events (methodology_id, kind, reason_text, numbers, said_by,
  known_at)
VALUES (:methodology_id, :kind, :reason, :numbers, :said_by, :now)
""")
_INSERT_SIGHTING = text("""
INSERT INTO methodology_sightings (methodology_id, record_key, digest, session_id, origin,
  recognised_by, likeness, known_at)
VALUES (:methodology_id, :record_key, :digest, :session_id, :origin, :by, :likeness, :now)
""")
_SIGHT = text("""
UPDATE methodologies SET sightings = sightings + 1,
  last_sighted_at = max(last_sighted_at, :now)
WHERE id = :id
""")
_DELETE = text("""
UPDATE methodologies SET deleted_at = :now, quarantine = 1
WHERE id = :id AND deleted_at IS NULL AND merged_into IS NULL
""")
_CLEAR = text("""
UPDATE methodologies SET injection_cleared_at = :now
WHERE id = :id AND injection <> '[]' AND injection_cleared_at IS NULL
""")


def insert(
    conn: Connection,
    uid: str,
    session: str | None,
    new: CheckedMethodology,
    injection: Sequence[Mapping[str, Any]],
    now: int,
) -> int:
    """Store a methodology; return its id."""
    values = {
        "uid": uid,
        "record_key": new.record_key,
        "session_id": session,
        "origin": new.origin,
        "source": new.source,
        "seeded_from": new.seeded_from,
        "asset_class": new.asset_class,
        "name": new.name,
        "methodology": new.methodology,
        "evidence": new.evidence,
        "phases": phases_text(new.phases),
        "direction": new.direction,
        "primary_signal": new.primary_signal,
        "timeframe": new.timeframe,
        "indicators": json.dumps(new.indicators),
        "dedup_key": new.dedup_key,
        "now": now,
        "injection": json.dumps(list(injection), ensure_ascii=False),
        "imported_uses": new.imported_uses,
        "imported_correct": new.imported_correct,
        "imported_confidence": new.imported_confidence,
    }
    found: int = conn.execute(_INSERT, values).scalar_one()
    return found


def insert_event(
    conn: Connection,
    methodology_id: int,
    kind: LifecycleKind,
    said_by: str,
    now: int,
    reason: str = "",
    numbers: Mapping[str, Any] | None = None,
) -> None:
    """Add an event that no gate decides."""
    values = {
        "methodology_id": methodology_id,
        "kind": kind,
        "reason": reason,
        "numbers": json.dumps(numbers or {}),
        "said_by": said_by,
        "now": now,
    }
    conn.execute(_INSERT_EVENT, values)


def sight(
    conn: Connection,
    methodology_id: int,
    new: CheckedMethodology,
    session: str | None,
    by: RecognisedBy,
    likeness: float,
    now: int,
) -> None:
    """Count that a methodology was written again."""
    values = {
        "methodology_id": methodology_id,
        "record_key": new.record_key,
        "digest": new.content_digest,
        "session_id": session,
        "origin": new.origin,
        "by": by,
        "likeness": min(likeness, 1.0),
        "now": now,
    }
    conn.execute(_INSERT_SIGHTING, values)
    conn.execute(_SIGHT, {"id": methodology_id, "now": now})


def delete(conn: Connection, methodology_id: int, now: int) -> bool:
    """Delete a methodology, softly; False if it is deleted or merged already."""
    return conn.execute(_DELETE, {"id": methodology_id, "now": now}).rowcount == 1


def clear(conn: Connection, methodology_id: int, now: int) -> bool:
    """Note that its text is no injection; False if nothing was found in it, or it was cleared."""
    return conn.execute(_CLEAR, {"id": methodology_id, "now": now}).rowcount == 1
