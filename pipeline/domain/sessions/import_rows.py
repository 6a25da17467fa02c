"""SQL of imported sessions and of the keys of imported memories."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

_UID: Final = text("SELECT uid FROM sessions WHERE origin = 'import' AND label = :label")
_ADD: Final = text("""
INSERT INTO sessions (uid, handle, label, started_at, ended_at, origin)
VALUES (:uid, :handle, :label, :now, :now, 'import') RETURNING id
""")
_COUNT: Final = text("UPDATE sessions SET stores = stores + :stores WHERE uid = :uid")
_KNOWN: Final = text("""
SELECT record_key, id, uid, content FROM import_keys JOIN memories ON memories.id = memory_id
WHERE record_key IN (SELECT value FROM json_each(:keys))
""")
_KEEP: Final = text("""
INSERT INTO import_keys (memory_id, record_key)
SELECT value ->> 0, value ->> 1 FROM json_each(:rows)
""")


class KnownMemory(NamedTuple):
    """A memory that was imported with a key."""

    id: int
    uid: str
    content: str


def imported_session(conn: Connection, label: str) -> str | None:
    """Return the uid of the imported session of a label."""
    uid: str | None = conn.execute(_UID, {"label": label}).scalar_one_or_none()
    return uid


def add_imported_session(conn: Connection, uid: str, handle: str, label: str, now: int) -> int:
    """Add an imported session, which has ended (microseconds), and return its id."""
    values = {"uid": uid, "handle": handle, "label": label, "now": now}
    session_id: int = conn.execute(_ADD, values).scalar_one()
    return session_id


def count_stores(conn: Connection, stores: Mapping[str, int]) -> None:
    """Add the memories written to sessions, by uid."""
    for uid, number in stores.items():
        conn.execute(_COUNT, {"uid": uid, "stores": number})


def known_keys(conn: Connection, keys: Sequence[str]) -> dict[str, KnownMemory]:
    """Return the memories that were imported with these keys before, deleted ones too."""
    rows = conn.execute(_KNOWN, {"keys": json.dumps(keys)})
    return {row.record_key: KnownMemory(row.id, row.uid, row.content) for row in rows}


def keep_keys(conn: Connection, keys: Mapping[str, int]) -> None:
    """Keep the id of each new memory by its key."""
    rows = [(memory_id, key) for key, memory_id in keys.items()]
    conn.execute(_KEEP, {"rows": json.dumps(rows)})
