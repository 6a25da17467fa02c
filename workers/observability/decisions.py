"""Metrics of the decisions of all groups, from counts that every change of a decision updates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.model import (
    CLASSIFICATIONS,
    DECISION_STATES,
    TRAINABLE,
    RoleStat,
)
from afterword.pipeline.domain.decisions.read_rows import oldest_pending, stats
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.domain.patterns.rows import count_states
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.workers.observability.cached import Tally, Values
from afterword.workers.observability.catalogue import NO_SKILL, OTHER_ROLES
from afterword.workers.observability.names import BoundedNames

MOST_ROLES: Final = 100
"""Roles shown by name (count): the first ones in the order of their ids."""

MOST_REASONS: Final = 50
"""Reasons shown by name (count); our own code has some twenty."""

MODEL: Final = "model"
"""Label of every judge that is not one of our own rules."""

MOST_MISSING: Final = 10_000
"""Decisions without an outcome that are counted in a group; more would make the read slow."""

OTHER_WINDOWS: Final = "other"
"""Label of the windows of roles that are not on the ladder."""

_MEASURED: Final = ("probe", "mark")
_ASKED: Final = ("heuristic", MODEL)
_ENDS: Final = (
    *product(("right",), ("",), _MEASURED),
    *product(("noise",), ("variance",), _MEASURED),
    *product(("wrong",), CLASSIFICATIONS, _ASKED),
)
"""Outcome, class and judge of a decision that ended; shown with 0 too."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of one group.

    Args:
        ripe_at: by role, since when the oldest pending decision may be judged; aware UTC.
        measured: outcomes ever measured, by window (hours); count.
        missing: decisions that lack an outcome of a past window; count.
        due_at: when the first outcome that is not measured yet is due; None if none is.
        patterns: current patterns: role, state, count.
    """

    stats: list[RoleStat]
    ripe_at: dict[str, datetime]
    measured: list[tuple[int, int]]
    missing: int
    due_at: datetime | None
    patterns: list[tuple[str, str, int]]


class DecisionSums:
    """Reads the decisions of a group, and sums those of all groups.

    Args:
        registry: the known roles; decisions of any other role are shown together.
    """

    def __init__(self, registry: RoleRegistry) -> None:
        self._registry, self._reasons = registry, BoundedNames(MOST_REASONS)
        self._shown = sorted(role.id for role in registry)[:MOST_ROLES]

    def read(self, conn: Connection) -> Decisions:
        """Return the decisions of a group; more decisions do not make it slower."""
        found = stats(conn)
        pending = {one.role_id for one in found if one.state == "pending" and one.decisions}
        ripe_at = {}
        for role in (role for one in pending if (role := self._registry.find(one)) is not None):
            made_at = oldest_pending(conn, role.id)
            if made_at is not None:
                ripe_at[role.id] = from_micros(made_at) + role.reflection_policy.min_age
        due_at = due_rows.first_due(conn)
        return Decisions(
            found,
            ripe_at,
            due_rows.ever_measured(conn),
            due_rows.count_missing(conn, MOST_MISSING),
            None if due_at is None else from_micros(due_at),
            count_states(conn),
        )

    def sums(
        self, present: Sequence[Decisions], gone: Sequence[Decisions], now: datetime
    ) -> dict[str, Values]:
        """Return the numbers by metric.

        Args:
            gone: decisions of removed groups; they still count in totals.
        """
        ever = [one for found in (*present, *gone) for one in found.stats]
        measured = _measured(one for found in (*present, *gone) for one in found.measured)
        ladder = _ladder(present, now) | {"afterword_outcomes_measured_total": measured}
        return self._standing(present, now) | ladder | self._totals(ever)

    def _standing(self, present: Sequence[Decisions], now: datetime) -> dict[str, Values]:
        shown = [*self._shown, OTHER_ROLES, NO_SKILL]
        decisions: Tally = Counter(dict.fromkeys(product(shown, DECISION_STATES), 0))
        ages: dict[tuple[str, ...], float] = {(name,): 0.0 for name in shown if name != NO_SKILL}
        parked: Tally = Counter()
        patterns: Tally = Counter(dict.fromkeys(product(shown, STORED_STATES), 0))
        for found in present:
            for role_id, state, number in found.patterns:
                patterns[self._label(role_id), state] += number
            for one in found.stats:
                name = self._label(one.role_id)
                decisions[name, one.state] += one.decisions
                if one.state == "parked":
                    parked[name, self._reasons.label(one.reason)] += one.decisions
            for role_id, ripe_at in found.ripe_at.items():
                label = (self._label(role_id),)
                ages[label] = max(ages[label], (now - ripe_at).total_seconds())
        return {
            "afterword_role_decisions": decisions,
            "afterword_role_decisions_parked": parked,
            "afterword_role_oldest_ripe_age_seconds": ages,
            "afterword_role_patterns": patterns,
        }

    def _totals(self, ever: list[RoleStat]) -> dict[str, Values]:
        reflected: Tally = Counter(dict.fromkeys(_ENDS, 0))
        lessons: Tally = Counter(dict.fromkeys(((name,) for name in _ASKED), 0))
        parked: Tally = Counter()
        skipped: Tally = Counter()
        for one in ever:
            match one.state:
                case "reflected":
                    judge = _judge(one.classified_by)
                    reflected[one.outcome, one.classification, judge] += one.ever
                    if one.classification in TRAINABLE:
                        lessons[judge,] += one.ever
                case "parked":
                    parked[self._reasons.label(one.reason),] += one.ever
                case "skipped":
                    skipped[self._reasons.label(one.reason),] += one.ever
        return {
            "afterword_role_reflected_total": reflected,
            "afterword_role_lessons_total": lessons,
            "afterword_role_parked_total": parked,
            "afterword_role_skipped_total": skipped,
        }

    def _label(self, role_id: str) -> str:
        if self._registry.find(role_id) is None:
            return NO_SKILL
        return role_id if role_id in self._shown else OTHER_ROLES


def _ladder(present: Sequence[Decisions], now: datetime) -> dict[str, Values]:
    ages = [(now - one.due_at).total_seconds() for one in present if one.due_at is not None]
    return {
        "afterword_outcomes_missing": {(): float(sum(one.missing for one in present))},
        "afterword_outcome_oldest_due_age_seconds": {(): max(0.0, *ages, 0.0)},
    }


def _measured(windows: Iterable[tuple[int, int]]) -> Values:
    shown: Tally = Counter({(str(hours),): 0 for hours in LADDER_HOURS} | {(OTHER_WINDOWS,): 0})
    for hours, ever in windows:
        shown[(str(hours) if hours in LADDER_HOURS else OTHER_WINDOWS,)] += ever
    return shown


def _judge(classified_by: str) -> str:
    return classified_by if classified_by in (*_MEASURED, "heuristic") else MODEL
