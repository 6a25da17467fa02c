"""Give back what dead, frozen, hung or forgetful processes hold."""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.lease import Leases, record
from afterword.pipeline.core.jobs.model import MAX_CRASHES

_HOLDERS = text("SELECT DISTINCT lease_owner FROM jobs WHERE state = 'running'")
_RUNNING = text("SELECT kind, id, epoch FROM jobs WHERE state = 'running'")
_ANY_SENT = text("SELECT 1 FROM jobs WHERE state = 'sent' LIMIT 1")
_HELD = "state = 'running' AND lease_owner = :owner"
_RECORD = text(f"""
INSERT INTO job_runs
  (job_id, kind, outcome, attempt, owner, started_at, ended_at, waited_us, ran_us, note)
SELECT id, kind, :outcome, attempts, lease_owner, leased_at, :now,
  max(0, leased_at - available_at), max(0, :now - leased_at), :note
FROM jobs WHERE {_HELD}
""")
_COUNT = text(f"""
INSERT INTO job_stats (kind, outcome, jobs, waited_us, ran_us)
SELECT kind, :outcome, count(*), 0, 0 FROM jobs WHERE {_HELD} GROUP BY kind
ON CONFLICT (kind, outcome) DO UPDATE SET jobs = jobs + excluded.jobs
""")
_BURY_CRASHED = text(f"""
UPDATE jobs SET state = 'dead', crashes = crashes + 1, last_error = 'killed its worker',
  waits_for = NULL, lease_owner = NULL, lease_until = NULL, epoch = epoch + 1
WHERE {_HELD} AND crashes + 1 >= :max_crashes
""")
_FIRST_CRASHES = text(f"""
SELECT kind, count(*) AS jobs FROM jobs WHERE {_HELD} AND crashes = 0 GROUP BY kind
""")
_FREE_CRASHED = text(f"""
UPDATE jobs SET state = 'ready', crashes = crashes + 1,
  batch_limit = CASE WHEN crashes > 0 OR batch_limit = 1 THEN 1
                     ELSE (SELECT value FROM json_each(:limits) WHERE key = kind) END,
  attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1,
  waits_for = 'a run apart from others: its worker died'
WHERE {_HELD}
""")
_FREE_FROZEN = text(f"""
UPDATE jobs SET state = 'ready', attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1, available_at = :now
WHERE {_HELD}
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
_BURY_HUNG = text(f"""
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
    """Return the uids of the owners that hold leases in this file."""
    return {str(row[0]) for row in conn.execute(_HOLDERS)}


def running(conn: Connection) -> list[tuple[str, int, int]]:
    """Return kind, job id and epoch of every lease of this file."""
    return [(str(row.kind), row.id, row.epoch) for row in conn.execute(_RUNNING)]


def has_sent(conn: Connection) -> bool:
    """Say whether any row waits to be taken from the transport."""
    return conn.execute(_ANY_SENT).first() is not None


def free_crashed(conn: Connection, owner: str, now: datetime) -> None:
    """Take the jobs of a process that died; each counts a crash and is a suspect from now on.

    Suspects run apart from all other jobs. After its first crash a job runs in a batch of about
    the square root of the suspects of its kind, after the second by itself: of `n` suspects the
    guilty one is found in about `2 * sqrt(n)` runs, dies by itself at the third crash and is
    buried then, while no other job counts more than two.
    """
    _write_down(conn, owner, "crashed", "its worker died", now)
    conn.execute(_BURY_CRASHED, {"owner": owner, "max_crashes": MAX_CRASHES})
    first = conn.execute(_FIRST_CRASHES, {"owner": owner})
    limits = {row.kind: math.ceil(math.sqrt(row.jobs)) for row in first}
    conn.execute(_FREE_CRASHED, {"owner": owner, "limits": json.dumps(limits)})


def free_frozen(conn: Connection, owner: str, now: datetime) -> None:
    """Take the jobs of a process that stands still, at no cost to them."""
    _write_down(conn, owner, "handed_back", "its worker stood still", now)
    conn.execute(_FREE_FROZEN, {"owner": owner, "now": to_micros(now)})


def free_hung(conn: Connection, leases: Leases, kind: Kind) -> None:
    """Take jobs that passed their deadline from this process; the late result is refused.

    Raises:
        LeaseLostError: they ended, or were taken, in this very moment.
    """
    record(conn, leases, "hung", leases.clock(), _past_deadline(kind))
    _take_hung(conn, kind, [(lease.id, lease.epoch) for lease in leases])


def free_overdue(
    conn: Connection, kind: Kind, leases: Sequence[tuple[int, int]], now: datetime
) -> int:
    """Take jobs that passed their deadline from their processes, and return how many.

    Args:
        leases: job id and epoch; a lease that has ended meanwhile is left out.
    """
    values = {"held": json.dumps(leases), "now": to_micros(now), "note": _past_deadline(kind)}
    freed = conn.execute(_RECORD_OVERDUE, values).rowcount
    conn.execute(_COUNT_OVERDUE, values)
    _take_hung(conn, kind, leases)
    return freed


def resend_stale(conn: Connection, resend_after_s: Mapping[str, float], now: datetime) -> int:
    """Make rows ready again whose message nobody has taken for too long; return how many.

    Args:
        resend_after_s: seconds by kind; kinds missing here (an older release's) get the longest.

    A row sent more than a minute ahead of now was sent before the clock was set back: it counts
    as stale too, or it would wait for the clock to catch up.
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
    """Make every sent row ready again, after the transport came back empty; return how many."""
    return conn.execute(_RESEND_ALL).rowcount


def _past_deadline(kind: Kind) -> str:
    return f"passed its deadline of {kind.deadline_s:g} s"


def _take_hung(conn: Connection, kind: Kind, leases: Sequence[tuple[int, int]]) -> None:
    values = {"held": json.dumps(leases), "note": _past_deadline(kind)}
    conn.execute(_BURY_HUNG, values | {"max_attempts": kind.max_attempts})
    conn.execute(_FREE_HUNG, values)


def _write_down(conn: Connection, owner: str, outcome: str, note: str, now: datetime) -> None:
    values = {"owner": owner, "outcome": outcome}
    conn.execute(_RECORD, values | {"note": note, "now": to_micros(now)})
    conn.execute(_COUNT, values)
