"""Find due jobs and mark them as sent, in batches, urgent jobs first."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.crashes import dead_letter_crashed
from afterword.pipeline.core.jobs.model import ClaimedJob, QueueHead
from afterword.pipeline.core.store import driver_cursor

_PROMOTE = text("""
UPDATE jobs SET state = 'ready', waits_for = NULL, gate = NULL WHERE id IN (
  SELECT id FROM jobs WHERE state = 'later' AND available_at <= :now
  ORDER BY available_at LIMIT :limit)
""")
_NEXT_LATER = text("SELECT min(available_at) FROM jobs WHERE state = 'later'")
_HEADS = text("""
SELECT head.kind, isolated.value AS isolated, head.priority, head.batch_limit
FROM json_each(:kinds) AS wanted JOIN json_each('[0, 1]') AS isolated JOIN jobs AS head
  ON head.id = (SELECT id FROM jobs WHERE state = 'ready' AND kind = wanted.value
                AND (crashes > 0) = isolated.value ORDER BY priority, id LIMIT 1)
WHERE wanted.value NOT IN (SELECT kind FROM paused_kinds)
""")
_IN_FLIGHT = text("""
SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'sent')
  OR EXISTS (SELECT 1 FROM jobs WHERE state = 'running')
""")
_CLAIM: Final = """
UPDATE jobs SET state = 'sent', sent_at = :now, deliveries = deliveries + 1, waits_for = NULL,
  gate = NULL
WHERE id IN (SELECT id FROM jobs WHERE state = 'ready' AND kind = :kind
             AND (crashes > 0) = :isolated ORDER BY priority, id LIMIT :limit)
RETURNING id, priority, batch_limit, crashes
"""
_UNSEND = text("""
UPDATE jobs SET state = 'ready', sent_at = NULL, deliveries = deliveries - 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'sent'
""")


@dataclass(frozen=True, slots=True)
class Agenda:
    """The open work of one group's ledger.

    Args:
        heads: the first ready job of each kind that is not paused; the most urgent first.
        next_due: when the next waiting row comes due; microseconds.
        in_flight: whether any row is sent or running.
    """

    heads: list[QueueHead]
    next_due: int | None
    in_flight: bool

    def due_at(self, now: int) -> int | None:
        """Return since or from when on a process is needed for it; microseconds; None if never."""
        return now if self.heads or self.in_flight else self.next_due


def agenda(conn: Connection, kinds: Iterable[str]) -> Agenda:
    """Return the open work of a group; the cost does not depend on the size of the backlog."""
    in_flight = bool(conn.execute(_IN_FLIGHT).scalar_one())
    return Agenda(heads(conn, kinds), next_later(conn), in_flight)


def promote(conn: Connection, now: datetime, limit: int = 10_000) -> int:
    """Make the rows ready that have come due, and return how many.

    Those that have crashed too often are dead-lettered instead.
    """
    dead_letter_crashed(conn, now)
    return conn.execute(_PROMOTE, {"now": to_micros(now), "limit": limit}).rowcount


def next_later(conn: Connection) -> int | None:
    """Return when the next waiting row comes due, in microseconds, or None."""
    found: int | None = conn.execute(_NEXT_LATER).scalar()
    return found


def heads(conn: Connection, kinds: Iterable[str]) -> list[QueueHead]:
    """Return the first ready job of each kind that is not paused, the most urgent first.

    Isolated jobs have a head of their own. The cost is two index lookups per kind, whatever the
    size of the backlog.
    """
    rows = conn.execute(_HEADS, {"kinds": json.dumps(list(kinds))})
    found = [QueueHead(row.kind, bool(row.isolated), row.priority, row.batch_limit) for row in rows]
    return sorted(found, key=lambda head: head.priority)


def claim(
    conn: Connection, kind: str, limit: int, now: datetime, *, isolated: bool = False
) -> list[ClaimedJob]:
    """Mark up to `limit` ready rows of a kind as sent, and return them in the order to run them.

    Args:
        isolated: claim only isolated jobs (their worker died before); False claims only the others.
    """
    values = {"kind": kind, "limit": limit, "now": to_micros(now), "isolated": int(isolated)}
    claimed = driver_cursor(conn)
    claimed.execute(_CLAIM, values)
    found = [ClaimedJob(*row) for row in claimed.fetchall()]
    return sorted(found, key=lambda row: (row.priority, row.id))


def unsend(conn: Connection, ids: Iterable[int]) -> int:
    """Make rows ready again whose message the transport did not accept; return how many."""
    return conn.execute(_UNSEND, {"ids": json.dumps(list(ids))}).rowcount
