"""Settle jobs that did not finish: retry, postpone, hand back or dead-letter them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.lease import Leases, record
from afterword.pipeline.core.jobs.model import NEXT_TRIGGER
from afterword.pipeline.errors import (
    ConflictError,
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    PostponedError,
    UnavailableError,
)
from afterword.pipeline.ids import RandomSource
from afterword.pipeline.rules.masking import mask

_FIRST_PAUSE_S = 2.0
_LONGEST_PAUSE_S = 600.0
UNDECIDED_PAUSE_S = 30.0
"""How long a job waits if its error names neither a reopening time nor a gate; seconds."""

GATED_PAUSE_S = 3600.0
"""How long a job waits for a gate that does not say when it reopens; seconds. `reopen_jobs` asks
the gate every minute; this limit only ends a wait if that job does not run."""

MAX_ERROR = 2_000
"""Characters kept of an error."""

_LONGEST_READ = 2 * MAX_ERROR
"""Characters of an error that are searched for secrets: one cut at its end is not known as one."""

MAX_WAITS_FOR = 200
"""Characters kept of what a job waits for."""

_RELEASE = text("""
UPDATE jobs SET state = :state, available_at = :at, attempts = max(0, attempts - :refund),
  batch_limit = CASE WHEN :unbatched THEN 1 ELSE batch_limit END,
  waits_for = CASE WHEN :state = 'dead' AND key IS NULL THEN NULL ELSE :waits_for END,
  gate = :gate, sent_at = NULL,
  asked_micro_usd = CASE WHEN :asked > 0 THEN :asked ELSE asked_micro_usd END,
  lease_owner = NULL, lease_until = NULL, leased_at = NULL,
  last_error = coalesce(:error, last_error), last_traceback = coalesce(:trace, last_traceback)
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'running'
""")
# A gate asks for a small amount before a run; the amount that a run was refused is more exact.
_POSTPONE = text("""
UPDATE jobs SET state = :state, available_at = :at, waits_for = :waits_for, sent_at = NULL,
  gate = :gate, asked_micro_usd = max(asked_micro_usd, :asked)
WHERE id IN (SELECT value FROM json_each(:ids)) AND state IN ('sent', 'ready')
""")


@dataclass(frozen=True, slots=True)
class FailureOutcome:
    """What happens next to a job that failed."""

    outcome: str
    pause_s: float = 0.0
    refund: bool = False


def outcome_of(
    error: BaseException, kind: Kind, attempt: int, chance: RandomSource
) -> FailureOutcome:
    """Return what an error means for the job that raised it (see `afterword.pipeline.errors`).

    Args:
        attempt: number of the run; 1 is the first.
        chance: random jitter, so that jobs that failed together are not retried together.
    """
    match error:
        case PostponedError():
            return FailureOutcome("postponed", refund=True)
        case NotFoundError():
            return FailureOutcome("done")
        case InvalidInputError() | CorruptStoreError():
            return FailureOutcome("dead")
    if attempt >= kind.max_attempts:
        return FailureOutcome("dead")
    if isinstance(error, ConflictError):
        return FailureOutcome("retried")
    wanted_s = error.retry_after_s if isinstance(error, UnavailableError) else None
    return FailureOutcome("retried", pause_s=max(wanted_s or 0.0, pause(attempt, chance)))


def pause(attempt: int, chance: RandomSource) -> float:
    """Return the seconds before the next run: doubled from 2 s to 10 min, half of it random."""
    longest = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(attempt - 1, 20))
    return longest * (0.5 + 0.5 * chance())


def fail(
    conn: Connection,
    leases: Leases,
    kind: Kind,
    error: BaseException,
    trace: str,
    chance: RandomSource,
) -> str:
    """Settle jobs whose run raised an error, and return the outcome.

    The jobs of a batch are retried one by one, so that one bad row fails only itself. If a service
    did not answer or a budget is spent, no row is the cause, and the batch waits as a whole.

    Raises:
        LeaseLostError: another worker has the jobs now; there is nothing to settle.
    """
    now = leases.clock()
    attempt = max(lease.attempt for lease in leases)
    failed = outcome_of(error, kind, attempt, chance)
    is_outside = isinstance(error, UnavailableError | PostponedError)
    if len(leases) > 1 and not (is_outside and failed.outcome != "dead"):
        hand_back(conn, leases, "its batch failed; each job runs by itself", unbatched=True)
        return "handed_back"
    text_of = mask(f"{type(error).__name__}: {error}"[:_LONGEST_READ])[:MAX_ERROR]
    if failed.outcome == "done":
        leases.finish(conn)
        return "done"
    record(conn, leases, failed.outcome, now, text_of)
    until, waits_for = now + timedelta(seconds=failed.pause_s), None
    gate, refused_micro_usd = None, 0
    if isinstance(error, PostponedError):
        until, waits_for = reopening(error, now), mask(f"{error}")[:MAX_WAITS_FOR]
        # The batch asked for the sum: each job needs its share.
        gate, refused_micro_usd = error.gate, -(-error.requested_micro_usd // len(leases))
    elif failed.pause_s:
        waits_for = f"retry {attempt + 1} of {kind.max_attempts} at {iso(until)}"
    elif failed.outcome == "dead" and isinstance(error, UnavailableError):
        # A job with a key works on all that waits when it runs, so a later run may succeed. A job
        # about one row would fail in the same way: it waits for a person.
        waits_for = NEXT_TRIGGER
    _release(
        conn,
        [lease.id for lease in leases],
        state="dead" if failed.outcome == "dead" else _state(until, now),
        until=until,
        refund=failed.refund,
        waits_for=waits_for,
        gate=gate,
        refused_micro_usd=refused_micro_usd,
        error=text_of,
        trace=trace[-8000:],
    )
    return failed.outcome


def hand_back(conn: Connection, leases: Leases, note: str, unbatched: bool = False) -> None:
    """Make leased jobs ready again at once, at no cost to their attempts.

    Args:
        unbatched: send each of them in a message of its own from now on.

    Raises:
        LeaseLostError: another worker has the jobs now; there is nothing to hand back.
    """
    now = leases.clock()
    record(conn, leases, "handed_back", now, note)
    ids = [lease.id for lease in leases]
    _release(conn, ids, state="ready", until=now, refund=True, unbatched=unbatched)


def postpone(
    conn: Connection,
    ids: Iterable[int],
    until: datetime,
    waits_for: str,
    now: datetime,
    *,
    gate: str | None = None,
    asked_micro_usd: int = 0,
) -> int:
    """Postpone jobs that have not started, at no cost to their attempts; return how many.

    Args:
        waits_for: the reason, such as `budget:learning until 2026-11-22T00:00Z`.
        gate: name of the gate that closed; it may open before `until` (see `reopen`).
        asked_micro_usd: the amount that the gate refused; micro-USD.
    """
    values = {
        "ids": json.dumps(list(ids)),
        "state": _state(until, now),
        "at": to_micros(until),
        "waits_for": waits_for[:MAX_WAITS_FOR],
        "gate": gate,
        "asked": asked_micro_usd,
    }
    return conn.execute(_POSTPONE, values).rowcount


def reopening(closed: PostponedError, now: datetime) -> datetime:
    """Return until when a job waits for what is closed; an opened gate may release it earlier."""
    pause_s = UNDECIDED_PAUSE_S if closed.gate is None else GATED_PAUSE_S
    return closed.reopens_at or now + timedelta(seconds=pause_s)


def _state(until: datetime, now: datetime) -> str:
    return "later" if until > now else "ready"


def _release(
    conn: Connection,
    ids: list[int],
    *,
    state: str,
    until: datetime,
    refund: bool = False,
    unbatched: bool = False,
    waits_for: str | None = None,
    gate: str | None = None,
    refused_micro_usd: int = 0,
    error: str | None = None,
    trace: str | None = None,
) -> None:
    conn.execute(
        _RELEASE,
        {
            "ids": json.dumps(ids),
            "state": state,
            "at": to_micros(until),
            "refund": int(refund),
            "unbatched": int(unbatched),
            "waits_for": waits_for,
            "gate": gate,
            "asked": refused_micro_usd,
            "error": error,
            "trace": trace,
        },
    )
