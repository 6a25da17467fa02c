"""Count the deaths of workers against the jobs that they ran, and end a job that kills them.

A job crashes when its worker dies. A crash is excused if another worker died at about the same
time: the cause then came from outside, such as the stop of a container. Two deaths that have the
same cause inside excuse nothing: those that ran the same job, and those of two jobs that each ran
by itself.
"""

import json
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.model import MAX_CRASHES, MAX_EXCUSED, VERDICT

NEAR_DEATHS_S: Final = 2.5
"""Deaths of workers excuse each other if they are seen within this time; seconds. The promise is
two seconds, and a death may be seen half a second late."""

VERDICT_S: Final = 3.0
"""How long a job that crashed by itself waits, so that another death can excuse it; seconds."""

LEASED_BY: Final = "state = 'running' AND lease_owner = :owner"
"""The condition of the jobs that a worker holds."""

# The lease makes sure of it: an isolated job with this limit comes in a message of its own, and its
# process runs nothing else meanwhile.
_BY_ITSELF: Final = "crashes > 0 AND batch_limit IS 1"
_RECORD = text(f"""
INSERT INTO job_runs (job_id, kind, outcome, attempt, owner, started_at, ended_at, waited_us,
  ran_us, note, pid, by_itself)
SELECT id, kind, :outcome, attempts, lease_owner, leased_at, :now,
  max(0, leased_at - available_at), max(0, :now - leased_at), :note, :pid,
  CASE :outcome WHEN 'crashed' THEN {_BY_ITSELF} END
FROM jobs WHERE {LEASED_BY}
""")
_COUNT = text(f"""
INSERT INTO job_stats (kind, outcome, jobs, waited_us, ran_us)
SELECT kind, :outcome, count(*), 0, 0 FROM jobs WHERE {LEASED_BY} GROUP BY kind
ON CONFLICT (kind, outcome) DO UPDATE SET jobs = jobs + excluded.jobs
""")
_FIRST_CRASHES = text(f"""
SELECT kind, count(*) AS jobs FROM jobs WHERE {LEASED_BY} AND crashes = 0 GROUP BY kind
""")
# A crash that counts adds one to the priority: `priority - crashes` is what the job was added with,
# and whatever takes crashes back takes as much from the priority.
_FREE = text(f"""
UPDATE jobs SET crashes = crashes + 1, priority = priority + 1,
  state = CASE WHEN {_BY_ITSELF} THEN 'later' ELSE 'ready' END,
  available_at = CASE WHEN {_BY_ITSELF} THEN :verdict_at ELSE available_at END,
  waits_for = CASE WHEN {_BY_ITSELF} THEN :verdict
                   ELSE 'a run on the isolation queue: its worker died' END,
  batch_limit = CASE WHEN crashes > 0 OR batch_limit = 1 THEN 1
                     ELSE (SELECT value FROM json_each(:limits) WHERE key = kind) END,
  attempts = max(0, attempts - 1), sent_at = NULL,
  lease_owner = NULL, lease_until = NULL, epoch = epoch + 1
WHERE {LEASED_BY}
""")
_EXCUSE_RUNS = text("""
UPDATE job_runs AS crash SET excused_by = (
  SELECT other.value FROM json_each(:others) AS other WHERE NOT EXISTS (
    SELECT 1 FROM job_runs AS its WHERE its.outcome = 'crashed' AND its.owner = other.key
      AND (its.job_id = crash.job_id OR its.by_itself AND crash.by_itself))
  ORDER BY other.value LIMIT 1)
WHERE outcome = 'crashed' AND owner = :owner AND excused_by IS NULL
  AND job_id NOT IN (SELECT id FROM jobs WHERE state = 'dead' OR excused >= :max_excused)
RETURNING job_id, excused_by
""")
_EXCUSE = text("""
UPDATE jobs SET crashes = crashes - 1, excused = excused + 1,
  priority = priority - 1,
  batch_limit = CASE WHEN crashes = 1 AND batch_limit > 1 THEN NULL ELSE batch_limit END,
  state = CASE WHEN waits_for IS :verdict THEN 'ready' ELSE state END,
  available_at = CASE WHEN waits_for IS :verdict THEN :now ELSE available_at END,
  waits_for = CASE WHEN waits_for IS :verdict THEN NULL ELSE waits_for END
WHERE id IN (SELECT value FROM json_each(:ids)) AND crashes > 0
""")
_DEAD_LETTER = text("""
UPDATE jobs SET state = 'dead', last_error = 'killed its worker', waits_for = NULL
WHERE state = 'later' AND available_at <= :now
  AND waits_for = :verdict AND crashes + min(excused, 1) >= :max_crashes
""")
_NOTE_EXIT = text("""
UPDATE job_runs SET exit_status = :status WHERE outcome = 'crashed' AND owner = :owner
""")


def free_crashed(conn: Connection, worker_uid: str, now: datetime, pid: int | None = None) -> None:
    """Free the jobs of a worker that died; each counts a crash and is isolated from now on.

    Isolated jobs run on a queue of their own. After the first crash a job runs in a batch of about
    the square root of the isolated jobs of its kind, after the second crash by itself. So of `n`
    jobs the one that kills its worker is found in about `2 * sqrt(n)` runs. A job that crashed by
    itself waits a moment before its next run, in which `excuse` may take the crash back. The more
    crashes a job has, the later it runs among the isolated jobs of its kind: they must not wait
    for a process that it kills.

    Args:
        pid: process id of the worker; None if it is unknown.
    """
    record_leased(conn, worker_uid, "crashed", "its worker died", now, pid)
    first = conn.execute(_FIRST_CRASHES, {"owner": worker_uid})
    limits = {row.kind: math.ceil(math.sqrt(row.jobs)) for row in first}
    conn.execute(
        _FREE,
        {
            "owner": worker_uid,
            "limits": json.dumps(limits),
            "verdict": VERDICT,
            "verdict_at": to_micros(now + timedelta(seconds=VERDICT_S)),
        },
    )


def excuse(conn: Connection, worker_uid: str, others: Mapping[str, str], now: datetime) -> int:
    """Take back the crashes that a worker's death counted, where another death excuses them.

    Args:
        worker_uid: a dead worker whose jobs were freed.
        others: the workers that died within `NEAR_DEATHS_S` of it: name by uid. Their jobs in this
            file were freed, too.

    Returns:
        How many crashes were taken back; a job that was excused `MAX_EXCUSED` times is left out.
    """
    values = {"owner": worker_uid, "others": json.dumps(dict(others)), "max_excused": MAX_EXCUSED}
    crashes = conn.execute(_EXCUSE_RUNS, values).all()
    excused = [crash.job_id for crash in crashes if crash.excused_by is not None]
    if excused:
        conn.execute(
            _EXCUSE, {"ids": json.dumps(excused), "now": to_micros(now), "verdict": VERDICT}
        )
    return len(excused)


def note_exit(conn: Connection, worker_uid: str, status: int) -> None:
    """Keep how a dead worker ended, with the runs that crashed in it.

    Args:
        status: its exit status; a signal is a negative number.
    """
    conn.execute(_NOTE_EXIT, {"owner": worker_uid, "status": status})


def dead_letter_crashed(conn: Connection, now: datetime) -> int:
    """Dead-letter the jobs that have crashed too often and whose verdict is due; return how many.

    The last four crashes of such a job count, and it ran by itself in at least two of them, the
    last one included: it is isolated after the first, and runs by itself after the second.
    """
    values = {"now": to_micros(now), "verdict": VERDICT, "max_crashes": MAX_CRASHES}
    return conn.execute(_DEAD_LETTER, values).rowcount


def record_leased(
    conn: Connection,
    worker_uid: str,
    outcome: str,
    note: str,
    now: datetime,
    pid: int | None = None,
) -> None:
    """Write the runs that a lost worker did not end into the history and the totals."""
    values = {"owner": worker_uid, "outcome": outcome}
    conn.execute(_RECORD, values | {"note": note, "now": to_micros(now), "pid": pid})
    conn.execute(_COUNT, values)
