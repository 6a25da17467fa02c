"""Lease jobs while they run, and end them in the transaction of their effect.

Every lease raises the epoch of its row. A job can be ended only with the epoch of its lease: a
worker that lost its lease (it hung, froze or was taken for dead) finds another number in the row
and changes nothing.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.model import Lease
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import ConflictError

RUNS_KEPT = 20_000
"""Lines of run history kept in a file; older ones make room."""

_LEASE: Final = """
UPDATE jobs SET state = 'running', epoch = epoch + 1, attempts = attempts + 1,
  leased_at = :now, lease_owner = :owner, lease_until = :until, waits_for = NULL, gate = NULL
WHERE id IN (SELECT value FROM json_each(:ids)) AND kind = :kind AND state IN ('sent', 'ready')
  AND (batch_limit IS NULL OR batch_limit >= :size) AND (crashes = 0 OR :isolated)
RETURNING id, kind, payload, epoch, attempts, available_at
"""
_RECORD = text("""
INSERT INTO job_runs
  (job_id, kind, outcome, attempt, owner, started_at, ended_at, waited_us, ran_us, note)
SELECT j.id, j.kind, :outcome, j.attempts, j.lease_owner, j.leased_at, :now,
  max(0, j.leased_at - j.available_at), max(0, :now - j.leased_at), :note
FROM json_each(:held) AS held JOIN jobs AS j ON j.id = held.value ->> 0
WHERE j.epoch = held.value ->> 1 AND j.state = 'running'
""")
_PRUNE = text("DELETE FROM job_runs WHERE id <= (SELECT max(id) FROM job_runs) - :kept")
_COUNT = text("""
INSERT INTO job_stats (kind, outcome, jobs, waited_us, ran_us)
VALUES (:kind, :outcome, :jobs, :waited, :ran)
ON CONFLICT (kind, outcome) DO UPDATE SET jobs = jobs + excluded.jobs,
  waited_us = waited_us + excluded.waited_us, ran_us = ran_us + excluded.ran_us
""")
_AGAIN = text("""
UPDATE jobs SET state = 'later', available_at = again_at, again_at = NULL, attempts = 0,
  priority = priority - crashes, crashes = 0, excused = 0, batch_limit = NULL,
  lease_owner = NULL, lease_until = NULL, leased_at = NULL
WHERE id IN (SELECT value ->> 0 FROM json_each(:held)) AND again_at IS NOT NULL
""")
_END = text("""
DELETE FROM jobs
WHERE id IN (SELECT value ->> 0 FROM json_each(:held)) AND state = 'running'
""")
_STILL_HELD = text("""
SELECT count(*) FROM json_each(:held) AS held JOIN jobs AS j ON j.id = held.value ->> 0
WHERE j.epoch = held.value ->> 1 AND j.state = 'running'
""")


class LeaseLostError(ConflictError):
    """Another worker got the job meanwhile; this run has no effect."""


@dataclass(frozen=True, slots=True)
class Leases:
    """Leases of some jobs of one kind; a `Finisher` that ends all of them with one write.

    Args:
        held: the leases, in the order to run the jobs.
        worker_uid: uid of the worker process.
        clock: read when the jobs end.
    """

    held: tuple[Lease, ...]
    worker_uid: str
    clock: Clock
    started: datetime = field(kw_only=True)

    def __iter__(self) -> Iterator[Lease]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)

    def one(self, lease: Lease) -> "Leases":
        """Return the finisher of one of these jobs, for functions that settle row by row."""
        return Leases((lease,), self.worker_uid, self.clock, started=self.started)

    def finish(self, conn: Connection) -> None:
        """End the jobs as done in this transaction.

        Raises:
            LeaseLostError: another worker has one of them now; the caller's transaction rolls back.
        """
        now = self.clock()
        record(conn, self, "done", now)
        held = _json(self.held)
        conn.execute(_AGAIN, {"held": held})
        conn.execute(_END, {"held": held})


def lease(
    conn: Connection,
    ids: Sequence[int],
    worker_uid: str,
    clock: Clock,
    kind: Kind,
    isolated: bool = False,
) -> Leases:
    """Lease the jobs of a message; jobs that are leased, done or dead by now are left out.

    Args:
        ids: job ids of the message.
        worker_uid: uid of this worker process.
        kind: the kind that the jobs must have; its deadline is the end of the lease.
        isolated: whether the message came over the isolation queue. If not, isolated jobs are left
            out. A job is always left out of a message with more ids than its `batch_limit`, such
            as a message that was sent before the job's first crash.
    """
    now = clock()
    until = to_micros(now + timedelta(seconds=kind.deadline_s))
    at = to_micros(now)
    leased = driver_cursor(conn)
    leased.execute(
        _LEASE,
        {
            "ids": json.dumps(list(ids)),
            "kind": kind.name,
            "owner": worker_uid,
            "now": at,
            "until": until,
            "size": len(ids),
            "isolated": isolated,
        },
    )
    held = tuple(
        Lease(job_id, name, payload, epoch, attempts, max(0, at - available_at))
        for job_id, name, payload, epoch, attempts, available_at in sorted(leased.fetchall())
    )
    return Leases(held, worker_uid, clock, started=now)


def still_held(conn: Connection, leases: Leases) -> int:
    """Return how many of these leases still stand."""
    found: int = conn.execute(_STILL_HELD, {"held": _json(leases.held)}).scalar_one()
    return found


def record(
    conn: Connection, leases: Leases, outcome: str, now: datetime, note: str | None = None
) -> None:
    """Write the runs into the history and the totals, if all leases still stand.

    Raises:
        LeaseLostError: the epoch of one of the jobs has changed.
    """
    if not leases.held:
        return
    at = to_micros(now)
    values = {"held": _json(leases.held), "outcome": outcome, "now": at, "note": note}
    if conn.execute(_RECORD, values).rowcount != len(leases.held):
        emit("jobs.stale", kind=leases.held[0].kind, jobs=len(leases.held))
        raise LeaseLostError(
            f"{leases.held[0].kind}: the lease of {len(leases.held)} job(s) was lost before the "
            "work was settled; nothing was written, another worker runs the job"
        )
    conn.execute(_PRUNE, {"kept": RUNS_KEPT})
    ran = max(0, at - to_micros(leases.started))
    conn.execute(
        _COUNT,
        {
            "kind": leases.held[0].kind,
            "outcome": outcome,
            "jobs": len(leases.held),
            "waited": sum(lease.waited_us for lease in leases.held),
            "ran": ran * len(leases.held),
        },
    )


def _json(held: Sequence[Lease]) -> str:
    return json.dumps([(lease.id, lease.epoch) for lease in held], separators=(",", ":"))
