"""SQL over waiting decisions: which are ripe, which wait for prices, when the next is due."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.rows import COLUMNS, to_decision

_UNSEEN: Final = """
AND NOT EXISTS (SELECT 1 FROM role_shadows
  WHERE role_memory_id = role_memory.id AND task = :shadowed)
"""
# Two short walks instead of one sort: decisions never measured, and those to measure again.
_RIPE = """
SELECT * FROM (SELECT {columns} FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL AND decided_at <= :ripe
    {unseen}
  ORDER BY decided_at, id LIMIT :limit)
UNION ALL
SELECT * FROM (SELECT {columns} FROM role_memory
  WHERE role_id = :role_id AND retry_at <= :now {unseen}
  ORDER BY retry_at, id LIMIT :limit)
ORDER BY decided_at, id LIMIT :limit
"""
_RIPE_ALL: Final = _RIPE.format(columns=COLUMNS, unseen="")
_RIPE_UNSEEN: Final = _RIPE.format(columns=COLUMNS, unseen=_UNSEEN)
_COUNT_RIPE = text("""
SELECT count(*) FILTER (WHERE state = 'pending' AND retry_at IS NULL AND decided_at <= :ripe)
  + count(*) FILTER (WHERE retry_at <= :now)
FROM role_memory WHERE role_id = :role_id AND state IN ('pending', 'parked')
""")
_NEXT: Final = """
SELECT min(at) FROM (
  SELECT min(decided_at) + :min_age AS at FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL
  UNION ALL
  SELECT min(retry_at) FROM role_memory WHERE role_id = :role_id AND retry_at IS NOT NULL)
"""
_OVERDUE: Final = """
SELECT id FROM role_memory
WHERE role_id = :role_id AND state IN ('pending', 'parked') AND known_at < :oldest
  AND mark IS NULL
ORDER BY known_at, id LIMIT :limit
"""
_FIRST_KNOWN: Final = """
SELECT min(known_at) FROM role_memory
WHERE role_id = :role_id AND state IN ('pending', 'parked') AND mark IS NULL
"""
_WAITING_FOR = text("""
SELECT DISTINCT role_id FROM role_memory
WHERE asset_key IN (SELECT value FROM json_each(:assets)) AND state IN ('pending', 'parked')
ORDER BY role_id
""")
_RETRY = text("""
UPDATE role_memory SET retry_at = :now
WHERE asset_key IN (SELECT value FROM json_each(:assets)) AND role_id = :role_id
  AND state = 'parked' AND retry_at > :now
""")
_RETRY_ALL = text("""
UPDATE role_memory SET retry_at = :now
WHERE role_id = :role_id AND state IN ('pending', 'parked')
  AND (state = 'parked' OR retry_at IS NOT NULL)
""")
_COUNT_PENDING = text("""
SELECT count(*) FROM role_memory WHERE state = 'pending' AND decided_at < :before
""")
_BEGUN = text("""
SELECT payload ->> 'role' FROM jobs WHERE kind = :kind AND state <> 'later'
""")


def ripe(
    conn: Connection,
    role_id: str,
    ripe_at: int,
    now: int,
    limit: int,
    unless_shadowed: str | None = None,
) -> list[Decision]:
    """Return decisions to be measured now, the oldest first; moments in microseconds.

    Args:
        ripe_at: decisions made by then have reached their minimum age.
        unless_shadowed: leaves out decisions with a shadow record of this task.
    """
    values: dict[str, Any] = {"role_id": role_id, "ripe": ripe_at, "now": now, "limit": limit}
    query = _RIPE_ALL
    if unless_shadowed is not None:
        query, values["shadowed"] = _RIPE_UNSEEN, unless_shadowed
    found = driver_cursor(conn)
    found.execute(query, values)
    return [to_decision(row) for row in found.fetchall()]


def count_ripe(conn: Connection, role_id: str, ripe_at: int, now: int) -> int:
    """Return how many decisions of a role are to be measured now (see `ripe`)."""
    values = {"role_id": role_id, "ripe": ripe_at, "now": now}
    found: int = conn.execute(_COUNT_RIPE, values).scalar_one()
    return found


def next_at(conn: Connection, role_id: str, min_age: int) -> int | None:
    """Return when the next decision of a role is to be measured (microseconds); None: never."""
    values = {"role_id": role_id, "min_age": min_age}
    found = driver_cursor(conn)
    found.execute(_NEXT, values)
    (moment,) = found.fetchone() or (None,)
    return moment


def overdue(conn: Connection, role_id: str, oldest: int, limit: int) -> list[int]:
    """Return waiting, unmarked decisions recorded before a moment."""
    values = {"role_id": role_id, "oldest": oldest, "limit": limit}
    found = driver_cursor(conn)
    found.execute(_OVERDUE, values)
    return [row_id for (row_id,) in found.fetchall()]


def first_known(conn: Connection, role_id: str) -> int | None:
    """Return when the oldest waiting, unmarked decision was recorded (microseconds)."""
    found = driver_cursor(conn)
    found.execute(_FIRST_KNOWN, {"role_id": role_id})
    (moment,) = found.fetchone() or (None,)
    return moment


def roles_waiting_for(conn: Connection, assets: Sequence[str]) -> list[str]:
    """Return the roles with waiting decisions about assets (by key)."""
    return list(conn.execute(_WAITING_FOR, {"assets": json.dumps(list(assets))}).scalars())


def retry_now(conn: Connection, role_id: str, assets: Sequence[str], now: int) -> None:
    """Make a role's parked decisions about assets due now."""
    values = {"role_id": role_id, "assets": json.dumps(list(assets)), "now": now}
    conn.execute(_RETRY, values)


def retry_all_now(conn: Connection, role_id: str, now: int) -> None:
    """Make all decisions of a role due now that are parked or wait after a failure."""
    conn.execute(_RETRY_ALL, {"role_id": role_id, "now": now})


def count_pending(conn: Connection, before: int) -> int:
    """Return how many decisions made before a moment (microseconds) are pending."""
    found: int = conn.execute(_COUNT_PENDING, {"before": before}).scalar_one()
    return found


def begun(conn: Connection, kind: str) -> set[str]:
    """Return the roles that have a job of a kind that is ready, sent, running or dead."""
    return set(conn.execute(_BEGUN, {"kind": kind}).scalars())
