"""SQL that writes methodologies: what they say, each time they were written, what ended them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import JSON, Codec
from afterword.pipeline.domain.methodologies.checks import (
    ASCII_ITEMS,
    PHASES,
    CheckedMethodology,
    content_digest,
)
from afterword.pipeline.domain.methodologies.model import RecognisedBy

_NEW: Final = Codec(
    CheckedMethodology,
    names={"key": "record_key"},
    codings={"phases": PHASES, "indicators": ASCII_ITEMS, "seeded_from": ASCII_ITEMS},
)
_BESIDE: Final = ("uid", "session_id", "dedup_key", "known_at", "last_sighted_at", "injection")
_INSERT: Final = _NEW.insert("methodologies", *_BESIDE, otherwise="RETURNING id")
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
    beside = (uid, session, new.dedup_key, now, now, JSON.write(injection))
    cursor = driver_cursor(conn)
    cursor.execute(_INSERT, (*_NEW.write(new), *beside))
    row_id: int = cursor.fetchall()[0][0]
    return row_id


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
        "record_key": new.key,
        "digest": content_digest(new),
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
