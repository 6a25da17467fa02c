"""SQL over the decisions about facts; rows are only added."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.facts.model import Event, NewEvent

_NEW_EVENT: Final = Codec(
    NewEvent, codings={"detail": Coding(json.loads, partial(json.dumps, sort_keys=True))}
)
_EVENT: Final = Codec(
    Event,
    names={
        "undone": "EXISTS (SELECT 1 FROM memory_consolidation_events AS later"
        " WHERE later.undoes = event.id)"
    },
    moments=("at",),
    flags=("undone",),
    json=("detail",),
)
_KEEP = text(f"""
INSERT INTO memory_consolidation_events (at, {_NEW_EVENT.columns})
SELECT :now, {", ".join(f"value ->> {place}" for place in range(len(_NEW_EVENT.names)))}
FROM json_each(:events)
""")
_FIND = text(
    f"SELECT {_EVENT.columns} FROM memory_consolidation_events AS event WHERE event.id = :id"
)
_RECENT = text(f"""
SELECT {_EVENT.columns} FROM memory_consolidation_events AS event
WHERE (:kind IS NULL OR event.kind = :kind)
  AND (:memory_id IS NULL OR :memory_id IN (event.memory_id, event.other_id))
ORDER BY event.id DESC LIMIT :limit
""")


def keep(conn: Connection, events: Sequence[NewEvent], now: int) -> None:
    """Add decisions, made now (microseconds)."""
    written = [_NEW_EVENT.write(event) for event in events]
    conn.execute(_KEEP, {"events": json.dumps(written, ensure_ascii=False), "now": now})


def find(conn: Connection, event_id: int) -> Event | None:
    """Return one decision."""
    if event_id.bit_length() > 63:
        return None
    row = conn.execute(_FIND, {"id": event_id}).one_or_none()
    return None if row is None else _EVENT.read(row)


def recent(
    conn: Connection, limit: int, kind: str | None = None, memory_id: int | None = None
) -> list[Event]:
    """Return the latest decisions, the newest first: of a kind, or about a fact on either side."""
    values = {"limit": limit, "kind": kind, "memory_id": memory_id}
    return [_EVENT.read(row) for row in conn.execute(_RECENT, values)]
