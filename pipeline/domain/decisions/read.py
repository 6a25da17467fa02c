"""Read decisions, and the counts of each role."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.judge_evidence import read_evidence
from afterword.pipeline.domain.decisions.lesson_sets import ToldLessons, sets_of
from afterword.pipeline.domain.decisions.model import (
    DECISION_STATES,
    Decision,
    DecisionState,
    ShadowVerdict,
)
from afterword.pipeline.domain.memory.checks import check_limit, check_word, short_repr
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.errors import InvalidInputError, NotFoundError

MAX_DECISIONS_READ: Final = 1_000
"""Decisions of one read."""


@dataclass(frozen=True, slots=True)
class DecisionDetails:
    """A decision with its context, its shadow records and its outcomes.

    Args:
        context: frozen when it was made; empty where it had none.
        supersedes: id of the decision it replaced.
        outcomes: what became of it, the shortest window first.
        lessons: what its prompt held of lessons; None where that is not known.
    """

    decision: Decision
    context: Mapping[str, Any]
    shadows: tuple[ShadowVerdict, ...]
    supersedes: int | None = None
    outcomes: tuple[MeasuredOutcome, ...] = ()
    lessons: ToldLessons | None = None


@dataclass(frozen=True, slots=True)
class RoleCounts:
    """A role and its decisions by result; counts.

    Args:
        role: None if no skill declares it any more; its rows stay.
        reflected: by class, or outcome where that needs none.
        outcomes: of the same decisions: `right`, `wrong` and `noise`.
        waiting: by reason; `pending` for those that have none.
    """

    role_id: str
    role: Role | None
    decisions: int = 0
    waiting: Mapping[str, int] = field(default_factory=dict)
    reflected: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    skipped: int = 0


def list_decisions(
    store: Store,
    role_id: str | None = None,
    state: DecisionState | None = None,
    limit: int = 50,
    *,
    as_of: datetime | None = None,
    after: tuple[int, int] | None = None,
) -> list[Decision]:
    """Return decisions, the latest first.

    Args:
        after: `decided_at` (microseconds) and `id` of the last decision of the page before.
        as_of: as they were known at this moment, without later verdicts and lessons. A decision
            that waited then is `pending`, also if it was parked: past parkings are not stored.

    Raises:
        InvalidInputError: no such state, a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_DECISIONS_READ)
    if state is not None:
        check_word(state, DECISION_STATES, "state")
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        if moment is None:
            return read_rows.listed(conn, role_id, state, limit, None, after)
        if state == "parked":
            accepted = "pending (the parked among them), skipped or reflected"
            raise InvalidInputError("state", "parked is not stored for the past", accepted)
        # The table holds no past states: all decisions are read and filtered.
        decisions = read_rows.listed(conn, role_id, None, -1 if state else limit, moment, after)
        return [decision for decision in decisions if state in (None, decision.state)][:limit]


def show_decision(store: Store, decision: str | int) -> DecisionDetails:
    """Return one decision with its context, shadow records and outcomes.

    Raises:
        NotFoundError: there is none of that name.
    """
    with reading(store) as conn:
        stored = find_decision(conn, decision)
        hashes = [stored.context_hash] if stored.context_hash is not None else []
        body = read_rows.contexts(conn, hashes).get(stored.context_hash or "", "")
        shadows = tuple(read_rows.shadows(conn, stored.id))
        supersedes = read_rows.superseded_by(conn, stored.id)
        outcomes = tuple(outcome_rows.of_subject(conn, "decision", stored.id))
        digest = stored.lessons_hash or ""
        lessons = sets_of(conn, [digest]).get(digest)
    frozen = json.loads(body) if body else {}
    return DecisionDetails(stored, frozen, shadows, supersedes, outcomes, lessons)


def show_evidence(store: Store, decision: str | int) -> Mapping[str, Any]:
    """Return what the judge of a decision saw.

    Raises:
        NotFoundError: there is no such decision, no judge was asked about it, or what it saw was
            forgotten.
    """
    with reading(store) as conn:
        stored = find_decision(conn, decision)
        seen = read_evidence(conn, stored)
    if seen is None:
        was_judged = stored.verdict is not None and stored.verdict.outcome == "wrong"
        why = "none of its judge is kept" if was_judged else "only wrong decisions have a judge"
        raise NotFoundError(f"decision {stored.uid} has no evidence: {why}")
    return seen


def find_decision(conn: Connection, decision: str | int) -> Decision:
    """Return one decision.

    Raises:
        NotFoundError: there is none of that name.
    """
    stored = read_rows.find(conn, decision)
    if stored is None:
        raise NotFoundError(f"decision {short_repr(decision)} does not exist")
    return stored


def count_roles(store: Store, registry: RoleRegistry) -> list[RoleCounts]:
    """Return every role with its counts; roles no skill declares any more come last."""
    counted: dict[str, list[tuple[str, str, int]]] = {role.id: [] for role in registry}
    outcomes: dict[str, dict[str, int]] = {}
    with reading(store) as conn:
        for role_id, state, word, number in read_rows.counts(conn):
            counted.setdefault(role_id, []).append((state, word, number))
        for role_id, outcome, number in read_rows.outcomes(conn):
            outcomes.setdefault(role_id, {})[outcome] = number
    return [
        _counts(role_id, registry.find(role_id), of, outcomes.get(role_id, {}))
        for role_id, of in counted.items()
    ]


def _counts(
    role_id: str, role: Role | None, of: list[tuple[str, str, int]], outcomes: Mapping[str, int]
) -> RoleCounts:
    waiting: Counter[str] = Counter()
    reflected: Counter[str] = Counter()
    skipped = 0
    for state, word, number in of:
        match state:
            case "pending":
                waiting["pending"] += number
            case "parked":
                waiting[word] += number
            case "skipped":
                skipped += number
            case _:
                reflected[word] += number
    total = sum(number for *_, number in of)
    return RoleCounts(role_id, role, total, dict(waiting), dict(reflected), outcomes, skipped)
