"""Metrics of the decisions of all groups, from counts that every change of a decision updates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.telemetry.numbers import OTHER, BoundedNames, Tally, Values
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.model import (
    CLASSIFICATIONS,
    DECISION_STATES,
    TRAINABLE,
    RoleStat,
)
from afterword.pipeline.domain.decisions.read_rows import oldest_pending, stats
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.skills.labels import RoleLabels
from afterword.pipeline.domain.skills.registry import HasRoles

MOST_REASON_LABELS: Final = 50
"""Reasons shown by name (count); our own code has some twenty."""

_MODEL: Final = "model"
"""Label of every judge that is not one of our own rules."""

_MOST_MISSING: Final = 10_000
"""Decisions without an outcome that are counted in a group; more would make the read slow."""

_MEASURED: Final = ("probe", "mark")
_JUDGES: Final = ("heuristic", _MODEL)
_ENDS: Final = (
    *product(("right",), ("",), _MEASURED),
    *product(("noise",), ("variance",), _MEASURED),
    *product(("wrong",), CLASSIFICATIONS, _JUDGES),
)
"""Outcome, class and judge of a decision that ended; shown with 0 too."""


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """The decisions of one group.

    Args:
        ripe_at: by role, since when the oldest pending decision may be judged; aware UTC.
        measured: outcomes ever measured, by window (hours); count.
        missing: decisions that lack an outcome of a past window; count.
        due_at: when the first outcome that is not measured yet is due; None if none is.
    """

    stats: list[RoleStat]
    ripe_at: dict[str, datetime]
    measured: list[tuple[int, int]]
    missing: int
    due_at: datetime | None


class DecisionNumbers:
    """Reads the decisions of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, process: HasRoles) -> None:
        self._registry, self._reasons = process.roles, BoundedNames(MOST_REASON_LABELS)
        self._roles = RoleLabels(process.roles)

    def read(self, conn: Connection) -> DecisionCounts:
        """Return the decisions of a group; more decisions do not make it slower."""
        rows = stats(conn)
        pending = {row.role_id for row in rows if row.state == "pending" and row.decisions}
        ripe_at = {}
        for role in (role for name in pending if (role := self._registry.find(name)) is not None):
            made_at = oldest_pending(conn, role.id)
            if made_at is not None:
                ripe_at[role.id] = from_micros(made_at) + role.reflection_policy.min_age
        due_at = due_rows.first_due(conn)
        return DecisionCounts(
            rows,
            ripe_at,
            due_rows.ever_measured(conn),
            due_rows.count_missing(conn, _MOST_MISSING),
            None if due_at is None else from_micros(due_at),
        )

    def sums(
        self, present: Sequence[DecisionCounts], gone: Sequence[DecisionCounts], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        ever = (*present, *gone)
        windows = (window for counts in ever for window in counts.measured)
        return {
            **self._standing(present, now),
            **_ladder(present, now),
            "afterword_outcomes_measured_total": _measured(windows),
            **self._totals(stat for counts in ever for stat in counts.stats),
        }

    def _standing(self, present: Sequence[DecisionCounts], now: datetime) -> dict[str, Values]:
        decisions: Tally = Counter(dict.fromkeys(product(self._roles.all, DECISION_STATES), 0))
        ages: dict[tuple[str, ...], float] = {(name,): 0.0 for name in self._roles.declared}
        parked: Tally = Counter()
        for counts in present:
            for stat in counts.stats:
                role = self._roles.label(stat.role_id)
                decisions[role, stat.state] += stat.decisions
                if stat.state == "parked":
                    parked[role, self._reasons.label(stat.reason)] += stat.decisions
            for role_id, ripe_at in counts.ripe_at.items():
                label = (self._roles.label(role_id),)
                ages[label] = max(ages[label], (now - ripe_at).total_seconds())
        return {
            "afterword_role_decisions": decisions,
            "afterword_role_decisions_parked": parked,
            "afterword_role_oldest_ripe_age_seconds": ages,
        }

    def _totals(self, ever: Iterable[RoleStat]) -> dict[str, Values]:
        reflected: Tally = Counter(dict.fromkeys(_ENDS, 0))
        lessons: Tally = Counter(dict.fromkeys(((name,) for name in _JUDGES), 0))
        parked: Tally = Counter()
        skipped: Tally = Counter()
        for stat in ever:
            match stat.state:
                case "reflected":
                    judge = _judge(stat.classified_by)
                    reflected[stat.outcome, stat.classification, judge] += stat.ever
                    if stat.classification in TRAINABLE:
                        lessons[judge,] += stat.ever
                case "parked":
                    parked[self._reasons.label(stat.reason),] += stat.ever
                case "skipped":
                    skipped[self._reasons.label(stat.reason),] += stat.ever
        return {
            "afterword_role_reflected_total": reflected,
            "afterword_role_lessons_total": lessons,
            "afterword_role_parked_total": parked,
            "afterword_role_skipped_total": skipped,
        }


def _ladder(present: Sequence[DecisionCounts], now: datetime) -> dict[str, Values]:
    ages = [
        (now - counts.due_at).total_seconds() for counts in present if counts.due_at is not None
    ]
    return {
        "afterword_outcomes_missing": {(): float(sum(counts.missing for counts in present))},
        "afterword_outcome_oldest_due_age_seconds": {(): max(0.0, *ages, 0.0)},
    }


def _measured(windows: Iterable[tuple[int, int]]) -> Values:
    shown: Tally = Counter({(str(hours),): 0 for hours in LADDER_HOURS} | {(OTHER,): 0})
    for hours, ever in windows:
        shown[(str(hours) if hours in LADDER_HOURS else OTHER,)] += ever
    return shown


def _judge(classified_by: str) -> str:
    return classified_by if classified_by in (*_MEASURED, "heuristic") else _MODEL
