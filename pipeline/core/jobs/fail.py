"""What becomes of a job that did not finish: again later, not yet, or never."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.lease import Leases, record
from afterword.pipeline.core.jobs.model import NEXT_OCCASION
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

FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 600.0
UNDECIDED_PAUSE_S = 30.0
"""How long a job waits for what says neither when it reopens nor how to ask it; seconds."""

ASKED_PAUSE_S = 3600.0
"""How long a job waits for a gate that does not say when it reopens; seconds. It is asked every
minute (`wake_jobs`); this only ends a wait that nobody looks after."""

MAX_WAITS_FOR = 200
"""Characters kept of what a job waits for."""

_RELEASE = text("""
UPDATE jobs SET state = :state, available_at = :at, attempts = max(0, attempts - :refund),
  batch_limit = CASE WHEN :single THEN 1 ELSE batch_limit END,
  waits_for = CASE WHEN :state = 'dead' AND key IS NULL THEN NULL ELSE :waits_for END,
  gate = :gate, sent_at = NULL,
  asked_micro_usd = CASE WHEN :asked > 0 THEN :asked ELSE asked_micro_usd END,
  lease_owner = NULL, lease_until = NULL, leased_at = NULL,
  last_error = coalesce(:error, last_error), last_traceback = coalesce(:trace, last_traceback)
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'running'
""")
# A gate in front of a job asks for little; what a run of the job was refused with is known better.
_POSTPONE = text("""
UPDATE jobs SET state = :state, available_at = :at, waits_for = :waits_for, sent_at = NULL,
  gate = :gate, asked_micro_usd = max(asked_micro_usd, :asked)
WHERE id IN (SELECT value FROM json_each(:ids)) AND state IN ('sent', 'ready')
""")


@dataclass(frozen=True, slots=True)
class FailureOutcome:
    """What happens to a failed job next."""

    outcome: str
    pause_s: float = 0.0
    refund: bool = False


def judge(error: BaseException, kind: Kind, attempt: int, chance: RandomSource) -> FailureOutcome:
    """Decide what an error means for the job that raised it (see `afterword.pipeline.errors`).

    Args:
        attempt: which run this was; 1 is the first.
        chance: jitter, so that jobs that failed together do not come back together.
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
    asked = error.retry_after_s if isinstance(error, UnavailableError) else None
    return FailureOutcome("retried", pause_s=max(asked or 0.0, pause(attempt, chance)))


def pause(attempt: int, chance: RandomSource) -> float:
    """Return the seconds before the next run: doubling from 2 s to 10 min, half of it chance."""
    longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(attempt - 1, 20))
    return longest * (0.5 + 0.5 * chance())


def fail(
    conn: Connection,
    leases: Leases,
    kind: Kind,
    error: BaseException,
    trace: str,
    chance: RandomSource,
) -> str:
    """Settle jobs whose run raised, and return the outcome.

    A batch is retried one by one, so that one bad row costs only itself; where the outside is away
    or the budget spent, no row is to blame and the batch waits as a whole.

    Raises:
        LeaseLostError: the jobs are no longer ours; there is nothing to settle.
    """
    now = leases.clock()
    attempt = max(lease.attempt for lease in leases)
    verdict = judge(error, kind, attempt, chance)
    nobody_to_blame = isinstance(error, UnavailableError | PostponedError)
    if len(leases) > 1 and not (nobody_to_blame and verdict.outcome != "dead"):
        hand_back(conn, leases, "its batch failed; each runs by itself", single=True)
        return "handed_back"
    text_of = mask(f"{type(error).__name__}: {error}"[:2000])
    if verdict.outcome == "done":
        leases.finish(conn)
        return "done"
    record(conn, leases, verdict.outcome, now, text_of)
    until, waits_for = now + timedelta(seconds=verdict.pause_s), None
    gate, asked = None, 0
    if isinstance(error, PostponedError):
        until, waits_for = reopening(error, now), f"{error}"[:MAX_WAITS_FOR]
        # They asked together: each needs room for its share.
        gate, asked = error.gate, -(-error.requested_micro_usd // len(leases))
    elif verdict.pause_s:
        waits_for = f"retry {attempt + 1} of {kind.max_attempts} at {iso(until)}"
    elif verdict.outcome == "dead" and isinstance(error, UnavailableError):
        # A job with a key works on whatever waits when it runs, so a later run may succeed. A job
        # about one row would do the same again: it waits for a person.
        waits_for = NEXT_OCCASION
    _release(
        conn,
        [lease.id for lease in leases],
        state="dead" if verdict.outcome == "dead" else _state(until, now),
        until=until,
        refund=verdict.refund,
        waits_for=waits_for,
        gate=gate,
        asked=asked,
        error=text_of,
        trace=trace[-8000:],
    )
    return verdict.outcome


def hand_back(conn: Connection, leases: Leases, note: str, single: bool = False) -> None:
    """Give jobs back at once, at no cost to their attempts.

    Args:
        single: whether each of them gets a message of its own from now on.

    Raises:
        LeaseLostError: the jobs are no longer ours; there is nothing to give back.
    """
    now = leases.clock()
    record(conn, leases, "handed_back", now, note)
    ids = [lease.id for lease in leases]
    _release(conn, ids, state="ready", until=now, refund=True, single=single)


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
    """Hold jobs that have not started, saying why in words; costs them nothing.

    Args:
        waits_for: such as `budget:learning until 2026-11-22T00:00Z`.
        gate: what can be asked before that whether they may go on.
        asked_micro_usd: what it refused.

    Returns:
        How many rows now wait.
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
    """Return until when a job waits for what is closed, unless it is let go on before."""
    pause_s = UNDECIDED_PAUSE_S if closed.gate is None else ASKED_PAUSE_S
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
    single: bool = False,
    waits_for: str | None = None,
    gate: str | None = None,
    asked: int = 0,
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
            "single": int(single),
            "waits_for": waits_for,
            "gate": gate,
            "asked": asked,
            "error": error,
            "trace": trace,
        },
    )
