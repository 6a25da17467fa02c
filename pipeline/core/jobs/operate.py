"""The operator's commands on jobs: retry, redrive, pause, resume, drop."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.tables import jobs, paused_kinds
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError

SLOWEST_RATE = 0.001
"""Smallest rate of a redrive; jobs per second. It is one job in a quarter of an hour."""

IDS_SKIPPED = 1_000_000_000
"""Ids that a restored ledger leaves out (count): more than were given since the backup."""

_AMONG = """
  (:kind IS NULL OR kind = :kind)
  AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  AND (:before IS NULL OR created_at < :before) AND (:up_to IS NULL OR id <= :up_to)
  AND (:error IS NULL OR coalesce(last_error, '') = :error)
"""
_DEAD = text(f"""
SELECT id FROM jobs AS dead WHERE state = 'dead' AND {_AMONG}
  AND (key IS NULL OR NOT EXISTS (SELECT 1 FROM jobs AS other
         WHERE other.kind = dead.kind AND other.key = dead.key
           AND (other.state <> 'dead' OR other.id < dead.id)))
ORDER BY id LIMIT :limit
""")
_REVIVE = text("""
UPDATE jobs SET state = CASE WHEN revived.value ->> 1 > :now THEN 'later' ELSE 'ready' END,
  available_at = revived.value ->> 1, attempts = 0, crashes = 0, excused = 0, batch_limit = 1,
  priority = priority - crashes, waits_for = NULL, gate = NULL
FROM json_each(:rows) AS revived
WHERE jobs.id = revived.value ->> 0 AND jobs.state = 'dead'
""")
_RUN_NOW = text("""
UPDATE jobs SET state = 'ready', available_at = :now, waits_for = NULL, gate = NULL
WHERE id = :id AND state = 'later'
""")
_LATER = text(f"SELECT id FROM jobs WHERE state = 'later' AND {_AMONG} ORDER BY id")
_RUN_ALL_NOW = text(f"""
UPDATE jobs SET state = 'ready', available_at = :now, waits_for = NULL, gate = NULL
WHERE state = 'later' AND {_AMONG}
""")
_DROP_WAITING = text("""
DELETE FROM jobs
WHERE kind IN (SELECT value FROM json_each(:kinds)) AND state <> 'running'
""")
_FREE_RESTORED = text("""
UPDATE jobs SET attempts = max(0, attempts - (state = 'running')), state = 'ready', sent_at = NULL,
  leased_at = NULL, lease_owner = NULL, lease_until = NULL, epoch = epoch + 1
WHERE state IN ('sent', 'running')
""")
_COUNT_IDS = text("""
INSERT INTO sqlite_sequence (name, seq)
SELECT 'jobs', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'jobs')
""")
_SKIP_IDS = text("UPDATE sqlite_sequence SET seq = seq + :ids WHERE name = 'jobs'")
_PAUSE = text("""
INSERT INTO paused_kinds (kind, paused_at, note) VALUES (:kind, :now, :note)
ON CONFLICT (kind) DO NOTHING
""")


LONGEST_AGE_MIN = 5_256_000
"""Greatest age that jobs are chosen by; minutes. It is ten years."""


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs an operator means; without a value, all.

    Args:
        kind: of this kind.
        kinds: of one of these.
        before: added before.
        up_to: the last number that was counted, so that later jobs are not among them.
        error: whose last error is this.
    """

    kind: str | None = None
    kinds: Collection[str] | None = None
    before: datetime | None = None
    up_to: int | None = None
    error: str | None = None

    def values(self) -> dict[str, object]:
        """Return the parameters of the statements."""
        return {
            "kind": self.kind,
            "kinds": None if self.kinds is None else json.dumps(list(self.kinds)),
            "before": None if self.before is None else to_micros(self.before),
            "up_to": self.up_to,
            "error": self.error,
        }


EVERY_JOB = JobFilter()
"""Leaves no job out."""


def added_before(older_than_min: float | None, now: datetime) -> datetime | None:
    """Return the moment before which jobs were added that are older than some minutes.

    Args:
        older_than_min: age; minutes. None for any age.

    Raises:
        InvalidInputError: it is no age that a job can have.
    """
    if older_than_min is None:
        return None
    if not 0 <= older_than_min <= LONGEST_AGE_MIN:
        problem, accepted = f"is {older_than_min:g}", f"minutes from 0 to {LONGEST_AGE_MIN:,}"
        raise InvalidInputError("older_than_min", problem, accepted)
    return now - timedelta(minutes=older_than_min)


def retry(conn: Connection, job_id: int, now: datetime) -> str:
    """Run one waiting or dead job now, and return the state it was in.

    Raises:
        NotFoundError: no such job; finished jobs have no row any more.
        ConflictError: the job is running or sent, or another open job has its key.
    """
    state: str | None = conn.execute(
        select(jobs.c.state).where(jobs.c.id == job_id)
    ).scalar_one_or_none()
    if state is None:
        raise NotFoundError(f"job {job_id} does not exist; a finished job leaves only its runs")
    if state == "later":
        conn.execute(_RUN_NOW, {"id": job_id, "now": to_micros(now)})
    elif state == "dead":
        if job_id not in revivable(conn, None, limit=-1):
            raise ConflictError(f"job {job_id}: an open job has the same key; nothing to revive")
        _revive(conn, [job_id], now, rate=None)
    else:
        raise ConflictError(f"job {job_id} is {state}; it needs no retry")
    return state


def redrive(
    conn: Connection,
    kind: str | None,
    now: datetime,
    rate: float | None = None,
    limit: int = -1,
    *,
    dry_run: bool = False,
    among: JobFilter = EVERY_JOB,
) -> int:
    """Make dead jobs ready again with new attempts, and return how many.

    Args:
        kind: only this kind; None for all.
        among: only these.
        rate: most jobs per second, to protect the service that they failed on; None: all now.
        limit: most jobs, oldest first; -1 for all.
        dry_run: only count them.

    Raises:
        InvalidInputError: the rate is below `SLOWEST_RATE`.
    """
    if rate is not None and not rate >= SLOWEST_RATE:
        accepted = f"jobs per second, {SLOWEST_RATE} or more"
        raise InvalidInputError("rate", f"{rate} is too small", accepted)
    ids = revivable(conn, kind, limit, among)
    if not dry_run:
        _revive(conn, ids, now, rate)
    return len(ids)


def later_jobs(conn: Connection, among: JobFilter) -> list[int]:
    """Return the ids of jobs that wait for their start time, oldest first."""
    return list(conn.execute(_LATER, among.values()).scalars())


def run_all_now(conn: Connection, among: JobFilter, now: datetime) -> int:
    """Start jobs that wait for their start time, and return how many."""
    return conn.execute(_RUN_ALL_NOW, among.values() | {"now": to_micros(now)}).rowcount


def revivable(
    conn: Connection, kind: str | None, limit: int, among: JobFilter = EVERY_JOB
) -> list[int]:
    """Return the ids of dead jobs that may run again, oldest first.

    A job is left out if an open job or an older dead job has its key.
    """
    wanted = replace(among, kind=kind or among.kind)
    return list(conn.execute(_DEAD, wanted.values() | {"limit": limit}).scalars())


def pause(conn: Connection, kind: str, now: datetime, note: str = "") -> bool:
    """Stop sending jobs of a kind until `resume`; False if the kind was paused before.

    Jobs that run now finish.
    """
    values = {"kind": kind, "now": to_micros(now), "note": note}
    return conn.execute(_PAUSE, values).rowcount == 1


def resume(conn: Connection, kind: str) -> bool:
    """Send jobs of a kind again; False if the kind was not paused."""
    return conn.execute(delete(paused_kinds).where(paused_kinds.c.kind == kind)).rowcount == 1


def drop_waiting(conn: Connection, kinds: Iterable[str]) -> int:
    """Remove the jobs of some kinds that no worker runs, dead ones too; return how many.

    Only for jobs that their caller adds again: a message of a removed one finds nothing to do.
    """
    return conn.execute(_DROP_WAITING, {"kinds": json.dumps(list(kinds))}).rowcount


def free_restored(conn: Connection) -> None:
    """Make the jobs of a restored backup ready: their leases and messages are gone.

    Messages that were sent after the backup may still wait in the transport. Their ids must never
    be given to other jobs, so the next ids start far above them.
    """
    conn.execute(_FREE_RESTORED)
    conn.execute(_COUNT_IDS)
    conn.execute(_SKIP_IDS, {"ids": IDS_SKIPPED})


def _revive(conn: Connection, ids: list[int], now: datetime, rate: float | None) -> None:
    step = timedelta(seconds=1 / rate) if rate else timedelta()
    rows = [(job_id, to_micros(now + step * place)) for place, job_id in enumerate(ids)]
    conn.execute(_REVIVE, {"rows": json.dumps(rows), "now": to_micros(now)})
