"""What a judge sees of a decision: its outcome, and what could be known when it was made."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict, Lesson
from afterword.pipeline.domain.decisions.settle import EndedDecision
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.outcomes.evidence import PostHoc, PostHocSpec, RefetchSource
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.reflection.measure import claim_of
from afterword.pipeline.domain.reflection.standing import SetupStanding
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.domain.skills.failure import failure_of
from afterword.pipeline.rules.text.line import one_line

MAX_PROBLEM: Final = 500
"""Characters kept of what a failed source raised."""

_HOUR: Final = timedelta(hours=1)

MAX_LESSONS_SHOWN: Final = 5
"""Earlier lessons of its role that a judge is shown with a decision."""


@dataclass(frozen=True, slots=True)
class FailedSource:
    """A post-hoc source that could not be asked about a case.

    Args:
        source: its name.
        problem: what it raised.
    """

    source: str
    problem: str


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong decision that a judge is to explain.

    Args:
        measured: the numbers of its outcome, as they are stored.
        outcome: the same as it is stored among all outcomes; None for a mark or a custom probe.
        standing: how such decisions of its role had turned out by then; None if unknown.
        context: its frozen context as JSON; empty where it has none, or no one reads it.
        lessons: of its role, as they were known when it decided; the latest first.
        is_flagged: whether the texts of the decision read like an order, and no owner cleared that.
        known: what post-hoc sources could say when it was decided.
        later: what they could say only when its outcome was due: nothing it could have used.
        failed: the sources that failed; the judge goes on without them.
    """

    decision: Decision
    role: Role
    measured: Mapping[str, Any]
    outcome: MeasuredOutcome | None = None
    standing: SetupStanding | None = None
    context: str = ""
    lessons: tuple[Lesson, ...] = ()
    is_flagged: bool = False
    known: tuple[Evidence, ...] = ()
    later: tuple[Evidence, ...] = ()
    failed: tuple[FailedSource, ...] = ()

    @property
    def window(self) -> timedelta:
        """How long after the decision its outcome was due."""
        return self.role.reflection_policy.window

    @property
    def allowed(self) -> frozenset[str]:
        """The texts that a judge may be shown as they are: those of rows without a flag."""
        decision = self.decision
        own = (
            ()
            if self.is_flagged
            else (decision.decision, decision.asset or "", decision.mark_note or "")
        )
        return frozenset((*own, *(lesson.text for lesson in self.lessons)))


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case with its verdict, and its lesson once one is drafted.

    Args:
        evidence: what the judge saw; None where its verdict was stored before.
        lesson: None where none is drafted.
        lesson_by: name of the judge that drafted it.
    """

    case: Case
    verdict: DecisionVerdict
    evidence: FrozenJson | None = None
    lesson: str | None = None
    lesson_by: str | None = None

    @property
    def decision(self) -> Decision:
        """The decision that was judged."""
        return self.case.decision

    @property
    def is_stored(self) -> bool:
        """Whether its verdict was written by an earlier pass."""
        return self.case.decision.verdict is not None

    @property
    def is_trainable(self) -> bool:
        """Whether it leaves a lesson; a decision that was recorded late leaves none."""
        return self.verdict.is_trainable and not self.teaches_too_late

    @property
    def teaches_too_late(self) -> bool:
        """Whether its verdict would teach, had the decision been recorded in time."""
        return self.verdict.is_trainable and self.decision.is_late(self.case.window // _HOUR)

    @property
    def ended(self) -> EndedDecision:
        """The decision as it ends, with its lesson if it has one."""
        return EndedDecision(self.decision, self.verdict, self.lesson, self.lesson_by)


def with_contexts(conn: Connection, cases: Sequence[Case]) -> list[Case]:
    """Return cases of one role, each with its frozen context."""
    hashes = [case.decision.context_hash for case in cases]
    bodies = read_rows.contexts(conn, [digest for digest in hashes if digest is not None])
    return [
        replace(case, context=bodies.get(case.decision.context_hash or "", "")) for case in cases
    ]


def with_lessons(conn: Connection, case: Case) -> Case:
    """Return a case with the lessons of its role as they were known when it decided, and whether
    its own texts are flagged now."""
    decided_at = to_micros(case.decision.decided_at)
    lessons = read_rows.distinct_lessons(conn, case.role.id, MAX_LESSONS_SHOWN, decided_at)
    is_flagged = bool(families(conn, "role_memory", case.decision.id))
    return replace(case, lessons=tuple(lessons), is_flagged=is_flagged)


def with_evidence(case: Case, post_hoc: PostHoc, prices: PriceSource) -> Case:
    """Return a case with the evidence of its role's post-hoc sources, and those that failed.

    What they could say at the decision stands apart from what they could say only when it was due.
    """
    claim = claim_of(case.decision, case.role)
    decided_at = case.decision.decided_at
    known: list[Evidence] = []
    later: list[Evidence] = []
    failed: list[FailedSource] = []
    for spec in case.role.reflection_policy.post_hoc_probes:
        try:
            then = post_hoc.known(spec, claim, prices, decided_at)
            due = post_hoc.known(spec, claim, prices, decided_at + case.window)
        except Exception as error:  # not our code: its failure must not stop the other cases
            failed.append(_failure(spec, error))
            continue
        known += then
        later += [item for item in due if item not in then]
    return replace(case, known=tuple(known), later=tuple(later), failed=tuple(failed))


def context_of(case: Case) -> Any:
    """Return the frozen context as JSON; an empty object where there is none."""
    return json.loads(case.context) if case.context else {}


def _failure(spec: PostHocSpec, error: Exception) -> FailedSource:
    name = spec.tool if isinstance(spec, RefetchSource) else spec.kind
    problem = one_line(failure_of(error), MAX_PROBLEM)
    return FailedSource(name, problem)
