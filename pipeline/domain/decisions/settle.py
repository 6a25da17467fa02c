"""Write a verdict, an end or a pause of decisions, together with the audit lines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, still_held
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import settle_rows
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.flags import families_of, flag_texts

_TABLE = "role_memory"

BY_RULE: Final = frozenset({"probe", "heuristic"})
"""Authors of verdicts that state only what was measured."""


@dataclass(frozen=True, slots=True)
class ParkedDecision:
    """A decision that cannot be judged for now.

    Args:
        reason: one fixed phrase.
        why: the probe's or judge's own explanation.
        retry_at: when to measure it again; None if only a person or new prices can end it.
    """

    decision: Decision
    reason: str
    why: str
    retry_at: datetime | None


@dataclass(frozen=True, slots=True)
class EndedDecision:
    """A judged decision that no longer waits.

    Args:
        lesson: None if it teaches none.
        by: name of the judge that drafted the lesson.
    """

    decision: Decision
    verdict: DecisionVerdict
    lesson: str | None = None
    by: str | None = None

    @property
    def is_measured(self) -> bool:
        """Whether prices judged it over its own window."""
        return "exit" in self.verdict.measured


@contextmanager
def settling(
    store: Store, clock: Clock, leases: Leases | None
) -> Iterator[tuple[Connection, datetime]]:
    """Open the write that settles decisions, and give its moment.

    Raises:
        LeaseLostError: the job of the pass runs elsewhere by now; nothing was written.
    """
    with writing(store) as conn:
        if leases is not None and still_held(conn, leases) < len(leases):
            raise LeaseLostError("reflect_entries: its job runs elsewhere; nothing was written")
        yield conn, clock()


def emit_settled(role_id: str, tally: Tally) -> None:
    """Emit what became of decisions of a role, once it is written."""
    for word, decisions in tally.reflected.items():
        emit("role.reflected", role=role_id, outcome=word, decisions=decisions)
    for reason, decisions in tally.parked.items():
        emit("role.parked", role=role_id, reason=reason, decisions=decisions)
    for reason, decisions in tally.skipped.items():
        emit("role.unreflected", role=role_id, reason=reason, decisions=decisions)
    if tally.failed:
        emit("role.unanswered", role=role_id, decisions=tally.failed)


def keep_verdicts(
    conn: Connection,
    judged: Sequence[tuple[Decision, DecisionVerdict]],
    now: datetime,
    seen: Sequence[FrozenJson] = (),
    *,
    ends: bool = False,
) -> set[int]:
    """Keep verdicts, so that no judge is asked again; return the ids they are new for.

    Args:
        seen: the evidence that the verdicts name.
        ends: whether decisions that teach nothing end at once; hand these to `end` as well.
    """
    moment = to_micros(now)
    if seen:
        settle_rows.keep_evidence(conn, seen, moment)
    ending = [case for case in judged if ends and not case[1].is_trainable]
    waiting = [case for case in judged if not ends or case[1].is_trainable]
    judged_ids = settle_rows.judge(conn, waiting, moment)
    judged_ids |= settle_rows.judge_and_end(conn, ending, moment)
    # Another pass judged some of them, or a person marked them.
    if seen and len(judged_ids) < len(judged):
        settle_rows.drop_evidence(conn, [evidence.hash for evidence in seen])
    details = (
        (decision, _verdict(verdict)) for decision, verdict in judged if decision.id in judged_ids
    )
    _audit(conn, now, "role.classify", details)
    told = [
        (decision.id, _without_note(decision, verdict.narrative))
        for decision, verdict in judged
        if _is_told(verdict)
    ]
    flag_texts(conn, "role_memory", [text for text in told if text[0] in judged_ids], now)
    return judged_ids


def end(
    conn: Connection,
    ended: Sequence[EndedDecision],
    now: datetime,
    *,
    done_already: AbstractSet[int] = frozenset(),
) -> Tally:
    """End judged decisions, with their lessons.

    Args:
        done_already: ids of those without a lesson that ended with their verdict.
    """
    rows = [
        (ending.decision.id, ending.lesson, ending.by)
        for ending in ended
        if ending.decision.id not in done_already
    ]
    done = settle_rows.reflect(conn, rows, to_micros(now)) | done_already
    lessons = [
        (ending.decision.id, _without_note(ending.decision, ending.lesson))
        for ending in ended
        if ending.lesson
    ]
    flag_texts(conn, "role_memory", [text for text in lessons if text[0] in done], now)
    details = (
        (ending.decision, {"outcome": ending.verdict.outcome, "lesson": ending.lesson is not None})
        for ending in ended
        if ending.decision.id in done
    )
    _audit(conn, now, "role.reflect", details)
    verdicts = [ending.verdict for ending in ended if ending.decision.id in done]
    unmeasured = [ending.decision.id for ending in ended if not ending.is_measured]
    if unmeasured:
        settle_rows.make_these_due(conn, unmeasured, to_micros(now))
    return Tally(
        reflected=Counter(verdict.classification or verdict.outcome for verdict in verdicts)
    )


def park(
    conn: Connection,
    parked: Sequence[ParkedDecision],
    now: datetime,
) -> Tally:
    """Park decisions; parking again for the same reason writes no second audit line."""
    rows = [
        (
            pause.decision.id,
            pause.decision.mark,
            pause.reason,
            pause.why,
            None if pause.retry_at is None else to_micros(pause.retry_at),
        )
        for pause in parked
    ]
    done = settle_rows.park(conn, rows, to_micros(now))
    new = [pause for pause in parked if done.get(pause.decision.id)]
    details = ((pause.decision, {"reason": pause.reason}) for pause in new)
    _audit(conn, now, "role.park", details)
    return Tally(parked=Counter(pause.reason for pause in parked if pause.decision.id in done))


def postpone(conn: Connection, decisions: Sequence[tuple[Decision, datetime]]) -> None:
    """Let decisions wait until their windows end: nothing is missing, so none is parked."""
    rows = [(decision.id, decision.mark, to_micros(again_at)) for decision, again_at in decisions]
    settle_rows.postpone(conn, rows)


def skip(conn: Connection, ids: Sequence[int], reason: str, now: datetime) -> Tally:
    """End decisions without a verdict."""
    done = settle_rows.skip(conn, dict.fromkeys(ids, to_micros(now)), reason)
    touched = [ChangedRow(row_id, detail={"reason": reason}) for row_id in sorted(done)]
    audit(conn, now, "system", "role.skip", _TABLE, touched)
    return Tally(skipped={reason: len(done)} if done else {})


def set_back(conn: Connection, decision: Decision, retry_at: datetime) -> Tally:
    """Postpone a decision after a failed question.

    Returns:
        An empty tally if a person marked it or another pass ended it meanwhile.
    """
    rows = [(decision.id, decision.mark, to_micros(retry_at))]
    waits = settle_rows.set_back(conn, rows)
    return Tally(failed=1, again_at=retry_at) if waits else Tally()


def _is_told(verdict: DecisionVerdict) -> bool:
    """Return whether a narrative has words of others: a model's, a person's, a custom probe's."""
    return verdict.by not in BY_RULE or "exit" not in verdict.measured


def _without_note(decision: Decision, text: str) -> str:
    """Return a text without a note that reads like an order: the note was scanned when the
    decision was marked, and its flag may be cleared since."""
    note = decision.mark_note
    return text.replace(note, "") if note and families_of(note) else text


def _verdict(verdict: DecisionVerdict) -> dict[str, Any]:
    detail = {"outcome": verdict.outcome, "by": verdict.by}
    return detail if verdict.classification is None else detail | {"class": verdict.classification}


def _audit(
    conn: Connection,
    now: datetime,
    action: str,
    details: Iterable[tuple[Decision, dict[str, Any]]],
) -> None:
    touched = [
        ChangedRow(decision.id, decision.session_id, {"uid": decision.uid} | detail)
        for decision, detail in details
    ]
    audit(conn, now, "system", action, _TABLE, touched)
