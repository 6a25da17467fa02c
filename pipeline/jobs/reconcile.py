"""Give back what dead, frozen, hung or forgetful processes hold."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from pipeline.clock import to_micros
from pipeline.jobs.lease import Leases, record
from pipeline.jobs.model import MAX_CRASHES, Kind

_HOLDERS = text("SELECT DISTINCT lease_owner FROM jobs WHERE state = 'running'")
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
_FREE_CRASHED = text(f"""
UPDATE jobs SET state = 'ready', crashes = crashes + 1, solo = 1,
  attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1,
  waits_for = 'a run alone: its worker died'
WHERE {_HELD}
""")
_FREE_FROZEN = text(f"""
UPDATE jobs SET state = 'ready', attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1, available_at = :now
WHERE {_HELD}
""")
_HUNG = "state = 'running' AND id IN (SELECT value FROM json_each(:ids))"
_BURY_HUNG = text(f"""
UPDATE jobs SET state = 'dead', last_error = :note, lease_owner = NULL, lease_until = NULL,
  epoch = epoch + 1, waits_for = NULL
WHERE {_HUNG} AND attempts >= :max_attempts
""")
_FREE_HUNG = text(f"""
UPDATE jobs SET state = 'ready', solo = 1, last_error = :note, sent_at = NULL,
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


def has_sent(conn: Connection) -> bool:
    """Say whether any row waits to be taken from the transport."""
    return conn.execute(_ANY_SENT).first() is not None


def free_crashed(conn: Connection, owner: str, now: datetime) -> None:
    """Take the jobs of a process that died; each counts a crash and runs alone from now on.

    The process took all its jobs down; only a job that dies alone again is the culprit, so the
    innocent ones are cleared by their next run and the guilty one is buried at the third.
    """
    _write_down(conn, owner, "crashed", "its worker died", now)
    conn.execute(_BURY_CRASHED, {"owner": owner, "max_crashes": MAX_CRASHES})
    conn.execute(_FREE_CRASHED, {"owner": owner})


def free_frozen(conn: Connection, owner: str, now: datetime) -> None:
    """Take the jobs of a process that stands still, at no cost to them."""
    _write_down(conn, owner, "handed_back", "its worker stood still", now)
    conn.execute(_FREE_FROZEN, {"owner": owner, "now": to_micros(now)})


def free_hung(conn: Connection, leases: Leases, kind: Kind) -> None:
    """Take jobs that passed their deadline from their own worker; the late result is refused.

    Raises:
        LeaseLostError: they ended, or were taken, in this very moment.
    """
    note = f"passed its deadline of {kind.deadline_s:g} s"
    record(conn, leases, "hung", leases.clock(), note)
    ids = json.dumps([lease.id for lease in leases])
    conn.execute(_BURY_HUNG, {"ids": ids, "note": note, "max_attempts": kind.max_attempts})
    conn.execute(_FREE_HUNG, {"ids": ids, "note": note})


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


def _write_down(conn: Connection, owner: str, outcome: str, note: str, now: datetime) -> None:
    values = {"owner": owner, "outcome": outcome}
    conn.execute(_RECORD, values | {"note": note, "now": to_micros(now)})
    conn.execute(_COUNT, values)
