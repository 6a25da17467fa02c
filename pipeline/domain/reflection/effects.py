"""What a pass writes: the real effects, or in the shadow only a record of what it would do.

The switch `classify_entry` chooses between the two, `draft_lesson` whether lessons count
(`effects_of`). Every write is guarded by the state it leaves, so a second pass changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import due_rows, read_rows, settle, settle_rows
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.decisions.settle import EndedDecision, ParkedDecision
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.decisions.triggers import plan_next, reflect_later
from afterword.pipeline.domain.memory.flags import scan_ahead
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.patterns.family import window_of
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.reflection.case import JudgedCase
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.reflection.measure import PARKED_RETRY_AFTER, Measurement
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode

MAX_SKIPPED: Final = 2_000
"""Decisions one pass skips."""

MAX_TRIES: Final = 3
"""Unusable answers to one question before its decision is parked."""

FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""How soon a failed question is asked again: doubling from the first to the longest."""

Settling = Callable[[], AbstractContextManager[tuple[Connection, datetime]]]
"""Opens the write that settles decisions, and gives its moment."""

RECORDED_LATE: Final = "recorded late"
"""Why a decision is skipped whose verdict would teach, had it been recorded in time."""


class Effects(Protocol):
    """What a pass reads as waiting, and what it writes; handed in once, used by every step."""

    def overdue(self, conn: Connection, role: Role, now: datetime) -> list[int]:
        """Return the decisions that waited too long and are to be skipped."""
        ...

    def ripe(self, conn: Connection, role: Role, now: datetime, limit: int) -> list[Decision]:
        """Return the decisions to be measured now, the oldest first."""
        ...

    def settle_free(self, settling: Settling, measured: Sequence[Measurement]) -> Tally:
        """Write all outcomes, and the decisions that need no judge: ended, or parked if unknown."""
        ...

    def keep_verdicts(
        self, settling: Settling, judged: Sequence[JudgedCase]
    ) -> tuple[list[JudgedCase], Tally]:
        """Write verdicts, so that a crash pays for none twice; return the cases that go on."""
        ...

    def to_draft(self, store: Store, judged: Sequence[JudgedCase]) -> list[JudgedCase]:
        """Return the cases a lesson is to be drafted for."""
        ...

    def finish(self, settling: Settling, judged: Sequence[JudgedCase]) -> Tally:
        """Write the cases that went on, with the lessons that were drafted."""
        ...

    def fail(self, settling: Settling, decision: Decision, error: Exception, by: str) -> Tally:
        """Write that a question about a decision failed.

        Args:
            by: name of the judge.

        Raises:
            Exception: `error` itself, if the pass has to end.
        """
        ...

    def plan_next(
        self, conn: Connection, role: Role, now: datetime, tally: Tally, *, is_full: bool
    ) -> None:
        """Add the job that goes on where a pass ended."""
        ...


class RealEffects:
    """Everything counts: decisions end, lessons are kept."""

    def overdue(self, conn: Connection, role: Role, now: datetime) -> list[int]:
        """Return unmarked decisions older than the role's maximum age."""
        oldest = to_micros(now - role.reflection_policy.max_age)
        return due_rows.overdue(conn, role.id, oldest, MAX_SKIPPED)

    def ripe(self, conn: Connection, role: Role, now: datetime, limit: int) -> list[Decision]:
        """See `Effects`."""
        ripe_at = to_micros(now - role.reflection_policy.min_age)
        return due_rows.ripe(conn, role.id, ripe_at, to_micros(now), limit)

    def settle_free(self, settling: Settling, measured: Sequence[Measurement]) -> Tally:
        """Keep what was measured, end right and noise decisions, park unknown ones.

        A decision whose window has not ended since its entry waits for that.
        """
        free = [measurement for measurement in measured if not measurement.needs_judge]
        verdicts = [(measurement, _free_verdict(measurement)) for measurement in free]
        known = [
            (measurement.decision, verdict)
            for measurement, verdict in verdicts
            if verdict is not None
        ]
        with settling() as (conn, now):
            judged = settle.keep_verdicts(conn, known, now, ends=True)
            _keep_outcomes(conn, measured)
            ended = [
                EndedDecision(decision, verdict)
                for decision, verdict in known
                if decision.id in judged
            ]
            tally = settle.end(conn, ended, now, done_already=judged)
            unknown = [measurement for measurement, verdict in verdicts if verdict is None]
            parked = [
                measurement.parked(now)
                for measurement in unknown
                if measurement.outcome.again_at is None
            ]
            settle.postpone(conn, [*_not_ended(unknown)])
            return tally + settle.park(conn, parked, now)

    def keep_verdicts(
        self, settling: Settling, judged: Sequence[JudgedCase]
    ) -> tuple[list[JudgedCase], Tally]:
        """Keep new verdicts and end what teaches nothing; return what a lesson is drafted from."""
        scan_ahead(*(case.verdict.narrative for case in judged))
        with settling() as (conn, now):
            new = [(case.decision, case.verdict) for case in judged if not case.is_stored]
            seen = [case.evidence for case in judged if case.evidence is not None]
            judged_ids = settle.keep_verdicts(conn, new, now, seen, ends=True)
            valid = [case for case in judged if case.is_stored or case.decision.id in judged_ids]
            ended = [case.ended for case in valid if not case.verdict.is_trainable]
            tally = settle.end(conn, ended, now, done_already=judged_ids)
            # Only a lesson ends a verdict that teaches, and these leave none.
            late = [case.decision.id for case in valid if case.teaches_too_late]
            if late:
                tally += settle.skip(conn, late, RECORDED_LATE, now)
        emit("role.classified", decisions=len(judged_ids))
        return [case for case in valid if case.is_trainable], tally

    def to_draft(self, store: Store, judged: Sequence[JudgedCase]) -> list[JudgedCase]:  # noqa: ARG002
        """Return all of them."""
        return list(judged)

    def finish(self, settling: Settling, judged: Sequence[JudgedCase]) -> Tally:
        """End the decisions with their lessons."""
        scan_ahead(*(case.ended.lesson or "" for case in judged))
        with settling() as (conn, now):
            return settle.end(conn, [case.ended for case in judged], now)

    def fail(self, settling: Settling, decision: Decision, error: Exception, by: str) -> Tally:  # noqa: ARG002
        """Park a decision that no judge will answer; let another one be asked about later."""
        with settling() as (conn, now):
            if isinstance(error, InvalidInputError):
                parked = ParkedDecision(decision, "not answered", str(error), None)
                return settle.park(conn, [parked], now) + Tally(failed=1)
            tries = settle_rows.tries(conn, decision.id) + 1
            if isinstance(error, UnusableAnswerError) and tries >= MAX_TRIES:
                retry_at = now + PARKED_RETRY_AFTER
                parked = ParkedDecision(decision, "unusable answers", str(error), retry_at)
                return settle.park(conn, [parked], now) + Tally(failed=1)
            pause = _pause(tries, getattr(error, "retry_after_s", None))
            return settle.set_back(conn, decision, now + pause)

    def plan_next(
        self, conn: Connection, role: Role, now: datetime, tally: Tally, *, is_full: bool
    ) -> None:
        """Go on with what is due, and weigh the patterns of a role that has new outcomes."""
        plan_next(conn, role, now, is_full=is_full, again_at=tally.again_at)
        if tally.reflected and window_of(role) is not None:
            weigh_later(conn, role.id, now)


class ParkedLessons(RealEffects):
    """Verdicts count, lessons do not: a decision that teaches is parked until they do.

    Args:
        draft: `off`, or `shadow` to record the lessons that would be drafted.
    """

    def __init__(self, draft: Mode) -> None:
        self._draft = draft

    def to_draft(self, store: Store, judged: Sequence[JudgedCase]) -> list[JudgedCase]:
        """Return the cases without a lesson in the shadow; none while lessons are off."""
        return _without_shadow_lesson(store, judged) if self._draft.is_enabled else []

    def finish(self, settling: Settling, judged: Sequence[JudgedCase]) -> Tally:
        """Park the decisions, and record the lessons drafted in the shadow."""
        reason, why = f"lessons are {self._draft.value}", f"afterword switch set {DRAFT} on"
        with settling() as (conn, now):
            drafted = _keep_shadow_lessons(conn, judged, now)
            retry_at = now + PARKED_RETRY_AFTER
            parked = [ParkedDecision(case.decision, reason, why, retry_at) for case in judged]
            return settle.park(conn, parked, now) + Tally(shadowed=drafted)


class ShadowEffects:
    """Nothing counts: what a pass would say of a decision is recorded beside it, once.

    Args:
        draft: how lessons may be drafted; in the shadow as well, or not at all.
    """

    def __init__(self, draft: Mode) -> None:
        self._draft = draft

    def overdue(self, conn: Connection, role: Role, now: datetime) -> list[int]:  # noqa: ARG002
        """Return nothing: the shadow skips no decision."""
        return []

    def ripe(self, conn: Connection, role: Role, now: datetime, limit: int) -> list[Decision]:
        """Return ripe decisions that have no record of this shadow yet."""
        ripe_at = to_micros(now - role.reflection_policy.min_age)
        return due_rows.ripe(conn, role.id, ripe_at, to_micros(now), limit, CLASSIFY)

    def settle_free(self, settling: Settling, measured: Sequence[Measurement]) -> Tally:
        """Record the measured outcomes of windows that have ended."""
        ended = [measurement for measurement in measured if measurement.outcome.again_at is None]
        free = [measurement for measurement in ended if not measurement.needs_judge]
        outcomes = [(measurement.decision.id, measurement.outcome) for measurement in free]
        records = [(row_id, "probe", None, f"{of.verdict}: {of.why}") for row_id, of in outcomes]
        with settling() as (conn, now):
            settle_rows.shadow(conn, CLASSIFY, records, to_micros(now))
        return Tally(shadowed=len(records))

    def keep_verdicts(
        self,
        settling: Settling,  # noqa: ARG002
        judged: Sequence[JudgedCase],
    ) -> tuple[list[JudgedCase], Tally]:
        """Write nothing yet: one record is written when the case is finished."""
        return list(judged), Tally()

    def to_draft(self, store: Store, judged: Sequence[JudgedCase]) -> list[JudgedCase]:
        """Return the trainable cases without a lesson in the shadow."""
        trainable = [case for case in judged if case.is_trainable]
        return _without_shadow_lesson(store, trainable) if self._draft.is_enabled else []

    def finish(self, settling: Settling, judged: Sequence[JudgedCase]) -> Tally:
        """Record verdicts and lessons."""
        verdicts = [
            (case.decision.id, case.verdict.by, case.verdict.classification, case.verdict.narrative)
            for case in judged
        ]
        with settling() as (conn, now):
            settle_rows.shadow(conn, CLASSIFY, verdicts, to_micros(now))
            _keep_shadow_lessons(conn, judged, now)
        return Tally(shadowed=len(verdicts))

    def fail(self, settling: Settling, decision: Decision, error: Exception, by: str) -> Tally:
        """Record an answer that cannot be used; end the pass where there was no answer at all."""
        if not isinstance(error, InvalidInputError | UnusableAnswerError):
            raise error
        record = (decision.id, by, None, f"no answer: {error}")
        with settling() as (conn, now):
            settle_rows.shadow(conn, CLASSIFY, [record], to_micros(now))
        return Tally(failed=1, shadowed=1)

    def plan_next(
        self, conn: Connection, role: Role, now: datetime, tally: Tally, *, is_full: bool
    ) -> None:
        """Go on as in reality while there is something new to record; else look again later."""
        if tally.shadowed:
            plan_next(conn, role, now, is_full=is_full, again_at=tally.again_at)
        else:
            reflect_later(conn, role, now, now + PARKED_RETRY_AFTER)


class SwitchedOff(ShadowEffects):
    """Decisions are not judged: as the shadow, and nothing is ripe."""

    def ripe(self, conn: Connection, role: Role, now: datetime, limit: int) -> list[Decision]:  # noqa: ARG002
        """Return nothing."""
        return []


def effects_of(classify: Mode = Mode.ON, draft: Mode = Mode.ON) -> Effects:
    """Return what a pass writes, as the two switches say.

    Args:
        classify: how decisions may be judged.
        draft: how lessons may be drafted.
    """
    real: Effects = RealEffects() if draft.has_effect else ParkedLessons(draft)
    return classify.choose(real, shadow=ShadowEffects(draft), off=SwitchedOff(draft))


def _free_verdict(measured: Measurement) -> DecisionVerdict | None:
    """Return the verdict that needs no judge; where it has a class, it is the rule's."""
    verdict = measured.free_verdict
    return None if verdict is None else replace(verdict, rule_class=verdict.classification)


def _not_ended(unknown: Sequence[Measurement]) -> Iterator[tuple[Decision, datetime]]:
    """Yield the decisions whose windows have not ended, and when they will have."""
    for measurement in unknown:
        if measurement.outcome.again_at is not None:
            yield measurement.decision, measurement.outcome.again_at


def _keep_outcomes(conn: Connection, measured: Sequence[Measurement]) -> None:
    """Write what was measured, of wrong decisions too: a later one is judged by their record."""
    outcomes = [
        measurement.measured for measurement in measured if measurement.measured is not None
    ]
    stands = settle_rows.existing(conn, [outcome.subject_id for outcome in outcomes])
    outcome_rows.insert(conn, [outcome for outcome in outcomes if outcome.subject_id in stands])


def _without_shadow_lesson(store: Store, judged: Sequence[JudgedCase]) -> list[JudgedCase]:
    with reading(store) as conn:
        drafted = read_rows.shadowed(conn, DRAFT, [case.decision.id for case in judged])
    return [case for case in judged if case.decision.id not in drafted]


def _keep_shadow_lessons(conn: Connection, judged: Sequence[JudgedCase], now: datetime) -> int:
    """Record the lessons that were drafted; return how many."""
    drafted = [case for case in judged if case.lesson is not None]
    records = [(case.decision.id, case.lesson_by, None, case.lesson) for case in drafted]
    settle_rows.shadow(conn, DRAFT, records, to_micros(now))
    return len(records)


def _pause(tries: int, asked_s: float | None) -> timedelta:
    """Return how long to wait after failed tries; at least what the service asked for."""
    pause: timedelta = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(tries - 1, 10))
    return max(pause, timedelta(seconds=asked_s or 0.0))
