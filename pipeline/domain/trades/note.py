"""Notes: what the owner writes about a trade. No prompt shows them."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.trades import note_rows
from afterword.pipeline.domain.trades.note_rows import TripNote
from afterword.pipeline.domain.trades.tag import named_trip
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.pipeline.rules.masking import mask

MAX_TRIP_NOTE: Final = 4_000
"""Characters of a note."""

NO_NOTE: Final = 0
"""What `replaces` is where a trade has no note yet."""


def write_note(by: Writer, trip: str, note: str, replaces: int | None = None) -> Trip:
    """Write the note of a trade; an earlier one stays readable as of its time.

    Args:
        trip: its name, or the beginning of it.
        replaces: id of the note that the writer saw, or `NO_NOTE`; None replaces any.

    Raises:
        InvalidInputError: the note is blank or too long, or several trips have the beginning.
        NotFoundError: no such trip.
        ConflictError: another note stands there now.
    """
    check_text(note, MAX_TRIP_NOTE, "note")
    text = mask(note)
    families = families_of(text)
    with writing(by.store) as conn:
        noted = named_trip(conn, trip)
        _end(conn, by, noted, replaces)
        now = by.clock()
        row_id = note_rows.insert_note(conn, noted, text, families, now)
        touched = ChangedRow(row_id, by.session, {"trip": noted.trip_uid})
        audit(conn, now, by.actor, "trade.note", "trip_notes", [touched])
    return noted


def remove_note(by: Writer, trip: str, replaces: int | None = None) -> Trip:
    """Take the note of a trade away; see `write_note`.

    Raises:
        NotFoundError: no such trip, or it has no note.
    """
    with writing(by.store) as conn:
        noted = named_trip(conn, trip)
        ended = _end(conn, by, noted, replaces)
        if ended is None:
            raise NotFoundError(f"trip {noted.trip_uid[:12]} has no note")
        touched = ChangedRow(ended, by.session, {"trip": noted.trip_uid})
        audit(conn, by.clock(), by.actor, "trade.unnote", "trip_notes", [touched])
    return noted


def note_of(conn: Connection, trip: Trip, as_of: datetime | None = None) -> TripNote | None:
    """Return the note of a trade; None without one.

    Args:
        as_of: the one of that moment; that of now if None.
    """
    return note_rows.note_of(conn, trip, as_of)


def _end(conn: Connection, by: Writer, trip: Trip, replaces: int | None) -> int | None:
    """End the note that stands; return its id."""
    present = note_of(conn, trip)
    stands = NO_NOTE if present is None else present.id
    if replaces is not None and replaces != stands:
        raise ConflictError(
            f"the note of trip {trip.trip_uid[:12]} was changed since it was shown; "
            "read it again: nothing was done"
        )
    if present is None:
        return None
    note_rows.end_note(conn, present.id, by.clock())
    return present.id
