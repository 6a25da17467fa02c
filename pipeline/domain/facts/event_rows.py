"""SQL over the decisions about facts; rows are only added."""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.facts.model import DecidedBy, Event, EventKind, NewEvent

_KEEP = text("""
INSERT INTO memory_consolidation_events
  (at, kind, memory_id, other_id, version, decided_by, detail, said, undoes)
SELECT :now, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
  value ->> 6, value ->> 7
FROM json_each(:events)
""")
_COLUMNS: Final = """
event.id, event.at, event.kind, event.memory_id, event.other_id, event.version, event.decided_by,
event.undoes, event.detail, event.said, EXISTS (
  SELECT 1 FROM memory_consolidation_events AS later WHERE later.undoes = event.id)
"""
_FIND = text(f"SELECT {_COLUMNS} FROM memory_consolidation_events AS event WHERE event.id = :id")
_RECENT = text(f"""
SELECT {_COLUMNS} FROM memory_consolidation_events AS event
WHERE (:kind IS NULL OR event.kind = :kind)
  AND (:memory_id IS NULL OR :memory_id IN (event.memory_id, event.other_id))
ORDER BY event.id DESC LIMIT :limit
""")


def keep(conn: Connection, events: Sequence[NewEvent], now: int) -> None:
    """Add decisions, made now (microseconds)."""
    written = [_row(event) for event in events]
    conn.execute(_KEEP, {"events": json.dumps(written, ensure_ascii=False), "now": now})


def find(conn: Connection, event_id: int) -> Event | None:
    """Return one decision."""
    if event_id.bit_length() > 63:
        return None
    row = conn.execute(_FIND, {"id": event_id}).one_or_none()
    return None if row is None else _event(*row)


def recent(
    conn: Connection, limit: int, kind: str | None = None, memory_id: int | None = None
) -> list[Event]:
    """Return the latest decisions, the newest first: of a kind, or about a fact on either side."""
    values = {"limit": limit, "kind": kind, "memory_id": memory_id}
    return [_event(*row) for row in conn.execute(_RECENT, values)]


def _row(event: NewEvent) -> tuple[str | int | None, ...]:
    named = (event.kind, event.memory_id, event.other_id, event.version, event.decided_by)
    return (*named, json.dumps(event.detail, sort_keys=True), event.said, event.undoes)


def _event(
    event_id: int,
    at: int,
    kind: EventKind,
    memory_id: int,
    other_id: int | None,
    version: int,
    decided_by: DecidedBy,
    undoes: int | None,
    detail: str,
    said: str,
    undone: int,
) -> Event:
    moment, about = from_micros(at), (memory_id, other_id, version, decided_by, undoes)
    return Event(event_id, moment, kind, *about, json.loads(detail), said, bool(undone))
