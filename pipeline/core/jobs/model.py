"""Values of the ledger: a job, a lease, a run; `core.area` has the kind of a job."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ISOLATION_QUEUE = "alone"
"""Queue of isolated jobs: each was running when its worker process died."""

MAX_CRASHES = 5
"""A job is dead-lettered after so many crashes, of which one may be excused (count)."""

MAX_EXCUSED = 10
"""After so many excused crashes each further one of a job counts (count). Without this bound a job
that takes down all workers of its host would run for ever."""

# Rows of stored files hold this text, so it must not change.
VERDICT = "three seconds, to see whether other workers died as well"
"""`waits_for` of a job that crashed by itself, until it runs again or is dead."""

# Rows of stored files hold this text, so it must not change.
NEXT_TRIGGER = "its next occasion, or `afterword jobs redrive`"
"""`waits_for` of a dead job with a key that died because a service did not answer: the next slot or
trigger that adds the job replaces it."""

URGENT = -10
"""Priority that passes a backlog; smaller numbers run first, 0 is the default."""


@dataclass(frozen=True, slots=True)
class QueueHead:
    """The first of the ready jobs of one kind.

    Args:
        isolated: whether it is the first of the isolated jobs or of the other jobs.
        batch_limit: most rows of its message; None for the limit of its kind.
    """

    kind: str
    isolated: bool
    priority: int
    batch_limit: int | None


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A due row that was just marked as sent.

    Args:
        batch_limit: most rows of its message; None for the limit of its kind.
    """

    id: int
    priority: int
    batch_limit: int | None
    crashes: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one worker to run one job, until the epoch of the job changes."""

    id: int
    kind: str
    raw_payload: str
    epoch: int
    attempt: int
    waited_us: int

    @property
    def payload(self) -> dict[str, Any]:
        """The job's arguments."""
        found: dict[str, Any] = json.loads(self.raw_payload)
        return found


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the ledger, as an operator sees it; times are aware UTC."""

    id: int
    kind: str
    key: str | None
    payload: dict[str, Any]
    state: str
    priority: int
    available_at: datetime
    again_at: datetime | None
    attempts: int
    deliveries: int
    crashes: int
    excused: int
    epoch: int
    sent_at: datetime | None
    lease_owner: str | None
    lease_until: datetime | None
    waits_for: str | None
    last_error: str | None
    last_traceback: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Run:
    """One line of a job's history.

    Args:
        pid: process id of the worker that died; this and what follows only of a run that crashed.
        exit_status: how it ended, by its supervisor: an exit status, or a signal as a negative
            number; None if nobody saw it.
        by_itself: whether the job was the only one in its process.
        excused_by: the other worker whose death excuses the crash; None if it counts.
    """

    job_id: int
    kind: str
    outcome: str
    attempt: int
    owner: str | None
    started_at: datetime | None
    ended_at: datetime
    waited_us: int
    ran_us: int
    note: str | None
    pid: int | None = None
    exit_status: int | None = None
    by_itself: bool | None = None
    excused_by: str | None = None
