"""How one job looks to those who run or inspect it; `core.area` has the limits of its kind."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ALONE = "alone"
"""Queue of jobs suspected of having killed their worker."""

MAX_CRASHES = 3
"""A job that was running in this many dying processes is buried."""

NEXT_OCCASION = "its next occasion, or `afterword jobs redrive`"
"""`waits_for` of a dead job with a key that died because the outside did not answer."""

URGENT = -10
"""Priority that passes a backlog; smaller runs first, 0 is usual."""


@dataclass(frozen=True, slots=True)
class QueueHead:
    """The first of the ready jobs of one kind.

    Args:
        suspects: whether it stands for the suspects of a crash or for the other jobs.
        batch_limit: most rows of its message; None for the limit of its kind.
    """

    kind: str
    suspects: bool
    priority: int
    batch_limit: int | None


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A due row that was just marked sent.

    Args:
        batch_limit: most rows of its message; None for the limit of its kind.
    """

    id: int
    priority: int
    batch_limit: int | None
    crashes: int


@dataclass(frozen=True, slots=True)
class Lease:
    """One job held by one worker, until its epoch moves on."""

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
    """One row of the ledger, as an operator sees it; moments are aware UTC."""

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
    """One line of a job's history."""

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
