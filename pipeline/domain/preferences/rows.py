"""SQL over preferences and the runs that learned them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.preferences.model import Preference

_PREFERENCE: Final = Codec(Preference, moments=("proposed_at", "known_at", "superseded_at"))
_FIELDS: Final = _PREFERENCE.columns
_CURRENT = text(f"""
SELECT {_FIELDS} FROM learned_preferences WHERE superseded_at IS NULL ORDER BY text_id
""")
_CURRENT_AT = text(f"""
SELECT {_FIELDS} FROM learned_preferences
WHERE known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of) ORDER BY text_id, id
""")
_PAST = text(f"SELECT {_FIELDS} FROM learned_preferences WHERE uid = :uid ORDER BY id DESC")
_OF_MEMORY = text("""
SELECT p.uid FROM learned_preferences AS p JOIN memories AS m ON m.id = p.memory_id
WHERE m.id = :key OR m.uid = :key ORDER BY p.id DESC LIMIT 1
""")
_END = text("""
UPDATE learned_preferences SET superseded_at = max(:now, known_at)
WHERE uid = :uid AND superseded_at IS NULL
""")
_INSERT: Final = _PREFERENCE.insert("learned_preferences", "id")
_NEXT_ID = text("""
SELECT max(ifnull((SELECT max(id) FROM learned_preferences), 0),
  ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'learned_preferences'), 0)) + 1
""")
_LAST_MINING = text("SELECT id, mode, changes FROM preference_minings ORDER BY id DESC LIMIT 1")
_ADD_MINING = text("""
INSERT INTO preference_minings (mode, observed, changes, mined_at)
VALUES (:mode, :observed, :changes, :now)
""")
_COUNTS = text("""
SELECT kind, state, count(*) FROM learned_preferences WHERE superseded_at IS NULL GROUP BY 1, 2
""")
_LATEST = text("""
SELECT max(at) FROM (
  SELECT * FROM (SELECT known_at AS at FROM round_trips ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT known_at FROM closed_trades ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT created_at FROM perps_fills ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT known_at FROM role_memory ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT max(finished_at) FROM (
    SELECT finished_at FROM turns ORDER BY id DESC LIMIT 100)
  UNION ALL SELECT max(updated_at) FROM memories
  WHERE category IN ('preference', 'instruction', 'correction', 'personalization')
    AND deleted_at IS NULL AND superseded_at IS NULL)
""")


def current(conn: Connection, as_of: int | None = None) -> list[Preference]:
    """Return the preferences as they are, or were at a moment (microseconds), the oldest first."""
    if as_of is None:
        return [_PREFERENCE.read(row) for row in conn.execute(_CURRENT)]
    rows = conn.execute(_CURRENT_AT, {"as_of": as_of})
    # What came later is not known yet; of two rows of one moment the later one stands.
    once = {row.uid: replace(_PREFERENCE.read(row), superseded_at=None) for row in rows}
    return list(once.values())


def past(conn: Connection, uid: str) -> list[Preference]:
    """Return the rows of one preference, the newest first."""
    return [_PREFERENCE.read(row) for row in conn.execute(_PAST, {"uid": uid})]


def of_memory(conn: Connection, key: str | int) -> str | None:
    """Return the uid of the preference that a memory tells."""
    uid: str | None = conn.execute(_OF_MEMORY, {"key": key}).scalar_one_or_none()
    return uid


def renew(conn: Connection, preference: Preference) -> Preference:
    """End the row of a preference, and add the one that stands from its `known_at` on.

    Args:
        preference: with a `text_id` of 0 if it is new.
    """
    conn.execute(_END, {"uid": preference.uid, "now": to_micros(preference.known_at)})
    row_id = int(conn.execute(_NEXT_ID).scalar_one())
    kept = replace(preference, text_id=preference.text_id or row_id)
    conn.exec_driver_sql(_INSERT, (*_PREFERENCE.write(kept), row_id))
    return kept


def last_mining(conn: Connection) -> tuple[int, str, list[Any]]:
    """Return the number, the mode and the changes of the last run that is kept; 0 without one."""
    row = conn.execute(_LAST_MINING).one_or_none()
    return (0, "on", []) if row is None else (int(row.id), str(row.mode), json.loads(row.changes))


def add_mining(
    conn: Connection, mode: str, observed: int, changes: Iterable[Sequence[Any]], now: int
) -> None:
    """Keep what a run changed, or would have (microseconds)."""
    told = json.dumps([list(change) for change in changes], ensure_ascii=False)
    conn.execute(_ADD_MINING, {"mode": mode, "observed": observed, "changes": told, "now": now})


def counts(conn: Connection) -> dict[tuple[str, str], int]:
    """Count the preferences by kind and state."""
    return {(kind, state): int(number) for kind, state, number in conn.execute(_COUNTS)}


def latest(conn: Connection) -> int | None:
    """Return when the last thing became known that can be learned from (microseconds)."""
    at: int | None = conn.execute(_LATEST).scalar_one()
    return at
