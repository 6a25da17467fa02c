"""Free the jobs of frozen and hung workers, and send lost messages again."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.crashes import LEASED_BY, record_leased
from afterword.pipeline.core.jobs.lease import Leases, record

_HOLDERS = text("SELECT DISTINCT lease_owner FROM jobs WHERE state = 'running'")
_RUNNING = text("SELECT kind, id, epoch FROM jobs WHERE state = 'running'")
_ANY_SENT = text("SELECT 1 FROM jobs WHERE state = 'sent' LIMIT 1")
_FREE_FROZEN = text(f"""
UPDATE jobs SET state = 'ready', attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1, available_at = :now
WHERE {LEASED_BY}
""")
_HUNG = """
state = 'running' AND (id, epoch) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:held))
"""
_RECORD_OVERDUE = text(f"""
INSERT INTO job_runs
  (job_id, kind, outcome, attempt, owner, started_at, ended_at, waited_us, ran_us, note)
SELECT id, kind, 'hung', attempts, lease_owner, leased_at, :now,
  max(0, leased_at - available_at), max(0, :now - leased_at), :note
FROM jobs WHERE {_HUNG}
""")
_COUNT_OVERDUE = text(f"""
INSERT INTO job_stats (kind, outcome, jobs, waited_us, ran_us)
SELECT kind, 'hung', count(*), 0, 0 FROM jobs WHERE {_HUNG} GROUP BY kind
ON CONFLICT (kind, outcome) DO UPDATE SET jobs = jobs + excluded.jobs
""")
_DEAD_LETTER_HUNG = text(f"""
UPDATE jobs SET state = 'dead', last_error = :note, lease_owner = NULL, lease_until = NULL,
  epoch = epoch + 1, waits_for = NULL
WHERE {_HUNG} AND attempts >= :max_attempts
""")
_FREE_HUNG = text(f"""
UPDATE jobs SET state = 'ready', batch_limit = 1, last_error = :note, sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1
WHERE {_HUNG}
""")
_RESEND = text("""
UPDATE jobs SET state = 'ready', sent_at = NULL
WHERE state = 'sent' AND kind = :kind AND (sent_at <= :before OR sent_at > :ahead)
""")
_RESEND_UNKNOWN = text("""
UPDATE jobs SET state = 'ready', sent_at = NULL
WHERE state = 'sent' AND kind NOT IN (SELECT value FROM json_each(:kinds)) AND sent_at <= :before
""")
_RESEND_ALL = text("UPDATE jobs SET state = 'ready', sent_at = NULL WHERE state = 'sent'")


def holders(conn: Connection) -> set[str]:
    """Return the uids of the workers that hold leases in this file."""
    return {str(row[0]) for row in conn.execute(_HOLDERS)}


def running(conn: Connection) -> list[tuple[str, int, int]]:
    """Return kind, job id and epoch of every lease in this file."""
    return [(str(row.kind), row.id, row.epoch) for row in conn.execute(_RUNNING)]


def has_sent(conn: Connection) -> bool:
    """Say whether any job was sent and is not leased yet."""
    return conn.execute(_ANY_SENT).first() is not None


def free_frozen(conn: Connection, worker_uid: str, now: datetime) -> None:
    """Free the jobs of a worker without a heartbeat, at no cost to the jobs."""
    record_leased(conn, worker_uid, "handed_back", "its worker had no heartbeat", now)
    conn.execute(_FREE_FROZEN, {"owner": worker_uid, "now": to_micros(now)})


def free_hung(conn: Connection, leases: Leases, kind: Kind) -> None:
    """Free jobs of this process that passed their deadline; their late result is refused.

    Raises:
        LeaseLostError: the jobs have just ended, or another process has freed them.
    """
    record(conn, leases, "hung", leases.clock(), _past_deadline(kind))
    _free_hung(conn, kind, [(lease.id, lease.epoch) for lease in leases])


def free_overdue(
    conn: Connection, kind: Kind, leases: Sequence[tuple[int, int]], now: datetime
) -> int:
    """Free jobs of any process that passed their deadline, and return how many.

    Args:
        leases: job id and epoch; a lease that has ended meanwhile is left out.
    """
    values = {"held": json.dumps(leases), "now": to_micros(now), "note": _past_deadline(kind)}
    freed = conn.execute(_RECORD_OVERDUE, values).rowcount
    conn.execute(_COUNT_OVERDUE, values)
    _free_hung(conn, kind, leases)
    return freed


def resend_stale(conn: Connection, resend_after_s: Mapping[str, float], now: datetime) -> int:
    """Make rows ready again if no worker took their message for too long; return how many.

    A row that was sent more than a minute after `now` was sent before the clock was set back. It
    is sent again too: otherwise it would wait until the clock catches up.

    Args:
        resend_after_s: seconds by kind; a kind that is missing here (of another release) gets the
            longest time of all.
    """
    found = 0
    ahead = to_micros(now + timedelta(minutes=1))
    for kind, after_s in resend_after_s.items():
        before = to_micros(now - timedelta(seconds=after_s))
        values = {"kind": kind, "before": before, "ahead": ahead}
        found += conn.execute(_RESEND, values).rowcount
    oldest = to_micros(now - timedelta(seconds=max(resend_after_s.values(), default=20.0)))
    kinds = json.dumps(list(resend_after_s))
    return found + conn.execute(_RESEND_UNKNOWN, {"kinds": kinds, "before": oldest}).rowcount


def resend_all(conn: Connection) -> int:
    """Make every sent row ready again, because the transport lost its messages; return how many."""
    return conn.execute(_RESEND_ALL).rowcount


def _past_deadline(kind: Kind) -> str:
    return f"passed its deadline of {kind.deadline_s:g} s"


def _free_hung(conn: Connection, kind: Kind, leases: Sequence[tuple[int, int]]) -> None:
    values = {"held": json.dumps(leases), "note": _past_deadline(kind)}
    conn.execute(_DEAD_LETTER_HUNG, values | {"max_attempts": kind.max_attempts})
    conn.execute(_FREE_HUNG, values)
