"""Add jobs to the ledger, in the transaction of the row that causes them.

Work is a kind and a payload. A dead job stays dead until a person redrives it: no producer
(schedule, trigger, restored row) adds the same work again beside it.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.model import NEXT_TRIGGER
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.errors import ConflictError, UnavailableError

# A key is unique over every open state. A second add of it moves a waiting row (debounce) or
# changes nothing (coalesce); while the first one runs, it runs once more afterwards.
_ADD = text("""
INSERT INTO jobs (kind, key, payload, state, priority, available_at, created_at)
VALUES (:kind, :key, :payload, :state, :priority, :available_at, :now)
ON CONFLICT (kind, key) WHERE key IS NOT NULL AND state <> 'dead' DO UPDATE SET
  again_at = CASE WHEN jobs.state = 'running' THEN excluded.available_at ELSE jobs.again_at END,
  state = CASE WHEN :debounce AND jobs.state IN ('later', 'ready', 'sent')
               THEN excluded.state ELSE jobs.state END,
  available_at = CASE WHEN :debounce AND jobs.state IN ('later', 'ready', 'sent')
                      THEN excluded.available_at ELSE jobs.available_at END,
  priority = min(jobs.priority, excluded.priority + jobs.crashes)
""")
_ADD_MANY: Final = """
INSERT INTO jobs (kind, payload, state, priority, available_at, created_at)
SELECT :kind, value, :state, :priority, :available_at, :now FROM json_each(:payloads) AS wanted
WHERE NOT EXISTS (
  SELECT 1 FROM jobs WHERE state = 'dead' AND kind = :kind AND payload = wanted.value)
"""
# Jobs that failed by their own fault come first, then the oldest.
_DEAD = text("""
SELECT id, waits_for FROM (
  SELECT id, waits_for FROM jobs WHERE state = 'dead' AND kind = :kind AND payload = :payload
  UNION ALL
  SELECT id, waits_for FROM jobs WHERE state = 'dead' AND kind = :kind AND key = :key)
ORDER BY waits_for IS NOT NULL, id LIMIT 1
""")
_REMOVE = text("DELETE FROM jobs WHERE id = :id AND state = 'dead'")
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), sort_keys=True)
_WAITING = text("""
SELECT id FROM jobs
WHERE kind = :kind AND key = :key AND state IN ('later', 'ready', 'sent')
""")
_OPEN = text("SELECT id FROM jobs WHERE kind = :kind AND key = :key AND state <> 'dead'")
_BACKLOG = text("""
SELECT count(*) FROM (SELECT 1 FROM jobs WHERE state = 'ready' AND kind = :kind LIMIT :limit)
""")


def add(
    conn: Connection,
    kind: Kind,
    payload: Mapping[str, Any],
    now: datetime,
    *,
    key: str | None = None,
    run_at: datetime | None = None,
    debounce: bool = False,
    priority: int = 0,
) -> bool:
    """Add one job to the ledger, unless a dead job has the same work.

    A dead job with a key that died because a service did not answer is replaced: this call is its
    next trigger (see `NEXT_TRIGGER`).

    Args:
        payload: the job's arguments, ids rather than content; JSON.
        key: at most one open job of this kind has this key.
        run_at: the job does not start before this moment; None means now.
        debounce: a second add of an open key moves its time; otherwise it changes nothing.
        priority: smaller numbers run first; 0 is the default, `URGENT` passes a backlog.

    Returns:
        True if an open job does this work now; False if a dead job has this work and waits for a
        person.
    """
    work = {"kind": kind.name, "payload": _compact(payload), "key": key}
    dead = conn.execute(_DEAD, work).one_or_none()
    if dead is not None:
        if dead.waits_for != NEXT_TRIGGER:
            return False
        conn.execute(_REMOVE, {"id": dead.id})
    conn.execute(_ADD, _row(kind, now, run_at or now, priority) | work | {"debounce": debounce})
    return True


def add_asked(
    conn: Connection, kind: Kind, payload: Mapping[str, Any], now: datetime, *, key: str
) -> int:
    """Add a job that a person asks for, and return its number.

    Args:
        key: of what was asked; while a job of it waits, nobody needs to ask again.

    Raises:
        ConflictError: such a job waits already, or is dead.
    """
    asked = {"kind": kind.name, "key": key}
    waiting = conn.execute(_WAITING, asked).scalar_one_or_none()
    if waiting is not None:
        raise ConflictError(f"somebody asked for it already: job {waiting} waits for a worker")
    if not add(conn, kind, payload, now, key=key):
        raise ConflictError(
            f"the last job that was asked for is dead; `afterword jobs dead --kind {kind.name}` "
            "shows why"
        )
    added: int = conn.execute(_OPEN, asked).scalar_one()
    return added


def add_many(
    conn: Connection,
    kind: Kind,
    payloads: Iterable[Mapping[str, Any]],
    now: datetime,
    *,
    run_at: datetime | None = None,
    priority: int = 0,
) -> int:
    """Add many jobs without keys in one statement, in the order given, and return how many.

    A payload that a dead job has is left out.
    """
    row = _row(kind, now, run_at or now, priority)
    values = row | {"payloads": _compact(list(payloads))}
    added = driver_cursor(conn)
    added.execute(_ADD_MANY, values)
    return added.rowcount


def check_backlog(conn: Connection, kind: Kind, limit: int) -> None:
    """Refuse a bulk write while too many jobs of a kind are ready.

    Args:
        limit: the largest number of ready rows of this kind; 0 means no limit.

    Raises:
        UnavailableError: the backlog has reached the limit; nothing was written, try again later.
    """
    if limit <= 0:
        return
    ready = conn.execute(_BACKLOG, {"kind": kind.name, "limit": limit}).scalar_one()
    if ready >= limit:
        raise UnavailableError(
            f"{ready} jobs {kind.name} are waiting (AFTERWORD_JOBS_MAX_READY={limit}); "
            "wait until the workers have run them (see `afterword jobs ls`), then try again"
        )


def _row(kind: Kind, now: datetime, run_at: datetime, priority: int) -> dict[str, Any]:
    return {
        "kind": kind.name,
        "state": "later" if run_at > now else "ready",
        "priority": priority,
        "available_at": to_micros(run_at),
        "now": to_micros(now),
    }


def _compact(content: Any) -> str:
    return _ENCODER.encode(content)
