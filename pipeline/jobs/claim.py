"""Find due work and mark it sent, in batches, urgent first."""

import json
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, text

from pipeline.clock import to_micros
from pipeline.jobs.model import Claimed

_PROMOTE = text("""
UPDATE jobs SET state = 'ready', waits_for = NULL, gate = NULL WHERE id IN (
  SELECT id FROM jobs WHERE state = 'later' AND available_at <= :now
  ORDER BY available_at LIMIT :limit)
""")
_NEXT_LATER = text("SELECT min(available_at) FROM jobs WHERE state = 'later'")
_HEADS = text("""
SELECT wanted.value, (SELECT priority FROM jobs WHERE state = 'ready' AND kind = wanted.value
                      ORDER BY priority, id LIMIT 1) AS head
FROM json_each(:kinds) AS wanted
WHERE head IS NOT NULL AND wanted.value NOT IN (SELECT kind FROM paused_kinds)
""")
_CLAIM = text("""
UPDATE jobs SET state = 'sent', sent_at = :now, deliveries = deliveries + 1, waits_for = NULL,
  gate = NULL
WHERE id IN (SELECT id FROM jobs WHERE state = 'ready' AND kind = :kind
             ORDER BY priority, id LIMIT :limit)
RETURNING id, priority, solo, crashes
""")
_UNSEND = text("""
UPDATE jobs SET state = 'ready', sent_at = NULL, deliveries = deliveries - 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'sent'
""")


def promote(conn: Connection, now: datetime, limit: int = 10_000) -> int:
    """Make rows ready whose time has come; return how many."""
    return conn.execute(_PROMOTE, {"now": to_micros(now), "limit": limit}).rowcount


def next_later(conn: Connection) -> int | None:
    """Return when the next waiting row comes due, in microseconds, or None."""
    found: int | None = conn.execute(_NEXT_LATER).scalar()
    return found


def heads(conn: Connection, kinds: Iterable[str]) -> list[tuple[str, int]]:
    """Return kinds that have ready, unpaused rows with the priority of their first, urgent first.

    One index probe per kind, so a backlog of any size costs the same.
    """
    rows = conn.execute(_HEADS, {"kinds": json.dumps(list(kinds))})
    return sorted(((str(kind), int(head)) for kind, head in rows), key=lambda found: found[1])


def claim(conn: Connection, kind: str, limit: int, now: datetime) -> list[Claimed]:
    """Mark up to `limit` ready rows of a kind sent, and return them in the order to run them."""
    rows = conn.execute(_CLAIM, {"kind": kind, "limit": limit, "now": to_micros(now)})
    found = [Claimed(row.id, row.priority, bool(row.solo), row.crashes) for row in rows]
    return sorted(found, key=lambda row: (row.priority, row.id))


def unsend(conn: Connection, ids: Iterable[int]) -> int:
    """Take back rows whose message could not be delivered to the transport."""
    return conn.execute(_UNSEND, {"ids": json.dumps(list(ids))}).rowcount
