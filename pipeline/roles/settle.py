"""What is written of a decision: a verdict, an end, a pause; with its audit line, or not at all."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pipeline.clock import to_micros
from pipeline.memory.audit_log import Touched
from pipeline.memory.audit_log import record as audit
from pipeline.roles import settle_rows
from pipeline.roles.model import Decision, Verdict

TABLE = "role_memory"


@dataclass(frozen=True, slots=True)
class Parked:
    """A decision that cannot be judged for now.

    Args:
        reason: in a word or two of ours.
        why: in the words of whoever could not say more.
        retry_at: when to look again; None for never by itself.
    """

    decision: Decision
    reason: str
    why: str
    retry_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A judged decision that waits no more.

    Args:
        lesson: None where there is none to learn.
        by: who drafted it.
    """

    decision: Decision
    verdict: Verdict
    lesson: str | None = None
    by: str | None = None


def keep_verdicts(
    conn: Connection, judged: Sequence[tuple[Decision, Verdict]], now: datetime
) -> set[int]:
    """Keep stage one: from here on nobody is asked again why; return the ids it is new for."""
    rows = [
        (
            one.id,
            verdict.outcome,
            json.dumps(verdict.measured, ensure_ascii=False, sort_keys=True),
            verdict.classification,
            verdict.narrative,
            verdict.by,
        )
        for one, verdict in judged
    ]
    kept = settle_rows.judge(conn, rows, to_micros(now))
    told = ((one, _verdict(verdict)) for one, verdict in judged if one.id in kept)
    _audit(conn, now, "role.classify", told)
    return kept


def end(conn: Connection, ended: Sequence[Ended], now: datetime) -> set[int]:
    """End the waiting of judged decisions, with their lessons; return the ids of those it ended."""
    rows = [(one.decision.id, one.lesson, one.by) for one in ended]
    done = settle_rows.reflect(conn, rows, to_micros(now))
    told = (
        (one.decision, {"outcome": one.verdict.outcome, "lesson": one.lesson is not None})
        for one in ended
        if one.decision.id in done
    )
    _audit(conn, now, "role.reflect", told)
    return done


def park(conn: Connection, parked: Sequence[Parked], now: datetime) -> None:
    """Park decisions; one that is parked for the same reason again leaves no second line."""
    rows = [
        (
            one.decision.id,
            one.reason,
            one.why,
            None if one.retry_at is None else to_micros(one.retry_at),
        )
        for one in parked
    ]
    news = settle_rows.park(conn, rows, to_micros(now))
    told = ((one.decision, {"reason": one.reason}) for one in parked if one.decision.id in news)
    _audit(conn, now, "role.park", told)


def skip(conn: Connection, ids: Sequence[int], reason: str, now: datetime) -> int:
    """End the waiting of decisions without a judgement, for good; return how many."""
    done = settle_rows.skip(conn, ids, reason, to_micros(now))
    audit(
        conn,
        now,
        "system",
        "role.skip",
        TABLE,
        [Touched(one, detail={"reason": reason}) for one in sorted(done)],
    )
    return len(done)


def set_back(conn: Connection, decision: Decision, retry_at: datetime) -> None:
    """Let a decision be asked about again later: a question about it failed."""
    settle_rows.set_back(conn, [(decision.id, to_micros(retry_at))])


def _verdict(verdict: Verdict) -> dict[str, Any]:
    said = {"outcome": verdict.outcome, "by": verdict.by}
    return said if verdict.classification is None else said | {"class": verdict.classification}


def _audit(
    conn: Connection,
    now: datetime,
    action: str,
    told: Iterable[tuple[Decision, dict[str, Any]]],
) -> None:
    touched = [Touched(one.id, one.session_id, {"uid": one.uid} | said) for one, said in told]
    audit(conn, now, "system", action, TABLE, touched)
