"""SQL of notes."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.trades.rows import span_of
from afterword.pipeline.domain.trips.trip import Trip

_SPAN: Final = ("uid", "account", "symbol", "direction", "since", "until")
_INSERT = text("""
INSERT INTO trip_notes
  (trip_uid, sub_account_id, symbol, direction, opened_at, closed_at, note, families, known_at)
VALUES (:uid, :account, :symbol, :direction, :opened, :until, :note, :families, :now)
RETURNING id
""")
_END = text("UPDATE trip_notes SET superseded_at = :now WHERE id = :id AND superseded_at IS NULL")
# A note of a trip with another name meanwhile is that of the trip that holds its entry now.
_OF_TRIP = text("""
SELECT id, note, families, known_at FROM trip_notes AS n
WHERE (superseded_at IS NULL OR superseded_at > :at) AND (:at IS NULL OR known_at <= :at)
  AND (trip_uid = :uid OR (
    sub_account_id = :account AND symbol = :symbol AND direction = :direction
    AND coalesce(opened_at, closed_at) BETWEEN :since AND :until
    AND NOT EXISTS (SELECT 1 FROM round_trips AS r
      WHERE r.trip_uid = n.trip_uid AND r.superseded_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM closed_trades AS c
      WHERE c.trip_uid = n.trip_uid AND c.covered_at IS NULL)))
ORDER BY trip_uid = :uid DESC, id DESC LIMIT 1
""")


class TripNote(NamedTuple):
    """What the owner wrote about a trip.

    Args:
        id: of this text; another text has another one.
        families: of injections that the words look like.
        known_at: when it was written; aware UTC.
    """

    id: int
    note: str
    families: tuple[str, ...]
    known_at: datetime


def insert_note(
    conn: Connection, trip: Trip, note: str, families: Sequence[str], now: datetime
) -> int:
    """Add a note, and return its id."""
    values: dict[str, str | int | None] = dict(zip(_SPAN, span_of(trip), strict=True))
    values["opened"] = None if trip.opened_at is None else values["since"]
    values |= {"note": note, "families": json.dumps(families), "now": to_micros(now)}
    row_id: int = conn.execute(_INSERT, values).scalar_one()
    return row_id


def end_note(conn: Connection, note_id: int, now: datetime) -> None:
    """Mark a note as replaced or taken away."""
    conn.execute(_END, {"id": note_id, "now": to_micros(now)})


def note_of(conn: Connection, trip: Trip, as_of: datetime | None) -> TripNote | None:
    """Return the note of a trip at a moment; None without one."""
    values = dict(zip(_SPAN, span_of(trip), strict=True))
    at = None if as_of is None else to_micros(as_of)
    row = conn.execute(_OF_TRIP, values | {"at": at}).one_or_none()
    if row is None:
        return None
    return TripNote(row.id, row.note, tuple(json.loads(row.families)), from_micros(row.known_at))
