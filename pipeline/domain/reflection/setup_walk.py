"""Walk through the outcomes of a role in the order of its decisions: what was known at each.

The walk depends on market time alone. At each decision the stretches that had ended by then close;
then it joins the record itself. So the standing of a decision is the same whether it was judged
alone or among thousands, and nothing that was decided or known after it counts.

Decisions made from trips are recorded long after they were made. Nobody could know their record
before: it counts only for decisions made after the import.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from heapq import heappop, heappush
from operator import itemgetter
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.patterns.family import votes_of
from afterword.pipeline.domain.reflection import standing_rows
from afterword.pipeline.domain.reflection.measure import Measurement
from afterword.pipeline.domain.reflection.standing import SetupStanding
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL, FamilyRecord
from afterword.pipeline.rules.evidence.model import SETUPS, Hypothesis, PatternScope, Setup, Vote

_SETUPS: Final[Mapping[tuple[str, str | None], Setup]] = {
    (setup.direction, setup.trend): setup for setup in SETUPS
}


class _Place(NamedTuple):
    """A place in the order of decisions: its moment in microseconds, then its number."""

    decided_at: int
    decision: int


_START: Final = _Place(-(1 << 62), 0)
_NEVER: Final = -(1 << 62)


class SetupWalk:
    """Reads standings pass by pass; a `Standings`.

    It keeps its place, so a long record is read once. A pass with an earlier decision, or an
    outcome that came late, begins the walk again. It serves one role at a time, and one thread.

    Args:
        level: see `FamilyRecord`.
    """

    def __init__(self, level: float = CONFIRMED_LEVEL) -> None:
        self._level = level
        self._role: Role | None = None
        self._imported_by = _NEVER
        self._begin()

    def __call__(
        self, conn: Connection, role: Role, measured: Sequence[Measurement]
    ) -> Mapping[int, SetupStanding]:
        """Return how decisions in the setups of these had turned out when each was made."""
        wanted = list(_asked(measured))
        if not wanted:
            return {}
        if role != self._role:
            self._role, self._imported_by = role, _NEVER
            self._begin()
        imports = standing_rows.import_moments(conn, role.id)
        self._read(conn, role)
        if wanted[0][0] < self._place:
            self._begin()
            self._read(conn, role)
        standings = {}
        for place, outcome, setup in wanted:
            self._count_imports(conn, role, imports, place)
            self._go_to(place)
            family = self._families.get(outcome.asset_class)
            standings[place.decision] = (
                SetupStanding(outcome.asset_class, *setup)
                if family is None
                else family.standing(outcome.asset_class, setup, outcome.asset_key)
            )
        return standings

    def _begin(self) -> None:
        self._families: dict[str, _Family] = {}
        self._waiting: list[tuple[_Place, str, Vote]] = []
        self._place, self._last_read = _START, 0

    def _count_imports(
        self, conn: Connection, role: Role, imports: Sequence[int], place: _Place
    ) -> None:
        """Begin again where other imports of trips were known at a place than at the last one."""
        known = bisect_right(imports, place.decided_at)
        imported_by = imports[known - 1] if known else _NEVER
        if imported_by != self._imported_by:
            self._imported_by = imported_by
            self._begin()
            self._read(conn, role)

    def _read(self, conn: Connection, role: Role) -> None:
        """Take in the outcomes that were measured since the last pass."""
        casts = votes_of(conn, role, self._last_read)
        if not casts:
            return
        made = standing_rows.moments(conn, [cast.vote.subject for cast in casts])
        new = [
            (_Place(at.decided_at, cast.vote.subject), cast.asset_class, cast.vote)
            for cast in casts
            if (at := made[cast.vote.subject]).counts_from <= self._imported_by
        ]
        came_late = bool(new) and min(new)[0] < self._place
        if self._last_read and came_late:  # all from the beginning
            self._begin()
            self._read(conn, role)
            return
        self._last_read = max(cast.outcome_id for cast in casts)
        self._waiting = sorted([*self._waiting, *new], reverse=True)

    def _go_to(self, place: _Place) -> None:
        """Take in the decisions before a place, each at its own moment, and stop there."""
        waiting = self._waiting
        while waiting and waiting[-1][0] < place:
            at, asset_class, vote = waiting.pop()
            family = self._families.get(asset_class)
            if family is None:
                family = self._families[asset_class] = _Family(self._level)
            family.close(at.decided_at)  # at each decision: the walk must not depend on the asked
            family.add(vote)
        self._place = place
        for family in self._families.values():
            family.close(place.decided_at)


class SetupWalks:
    """Keeps a walk for each role, where passes of many roles take turns; a `Standings`.

    Args:
        level: see `FamilyRecord`.
    """

    def __init__(self, level: float) -> None:
        self._level = level
        self._walks: dict[str, SetupWalk] = {}

    def __call__(
        self, conn: Connection, role: Role, measured: Sequence[Measurement]
    ) -> Mapping[int, SetupStanding]:
        """See `SetupWalk`."""
        if role.id not in self._walks:
            self._walks[role.id] = SetupWalk(self._level)
        return self._walks[role.id](conn, role, measured)


class _Family:
    """The record of a role in one class of assets, fed in the order of decisions."""

    def __init__(self, level: float) -> None:
        self._record = FamilyRecord(level)
        self._exits: list[int] = []
        self._at = _START.decided_at
        self._known: dict[Setup, tuple[SetupStanding, PatternScope]] = {}

    def close(self, moment: int) -> None:
        """End the stretches that had ended by a moment."""
        exits, ended = self._exits, None
        while exits and exits[0] <= moment:
            ended = heappop(exits)
        if ended is not None:
            # Not to the moment itself: the next decision may enter at a bar before it.
            self._at = max(self._at, ended)
            self._record.close(self._at)
            self._known.clear()

    def add(self, vote: Vote) -> None:
        """Take a decision in; one that enters at an older bar enters where the record stands."""
        entry_at = max(vote.entry_at, self._at)
        if entry_at >= vote.exit_at:
            return
        self.close(entry_at)
        self._record.add(vote._replace(entry_at=entry_at))
        self._at = entry_at
        heappush(self._exits, vote.exit_at)

    def standing(self, asset_class: str, setup: Setup, asset: str) -> SetupStanding:
        """Return the record of a setup as it stands, for one asset."""
        known = self._known.get(setup)
        if known is None:
            failing, works = Hypothesis(setup, "failing"), Hypothesis(setup, "works")
            counts = self._record.record(setup)
            standing = SetupStanding(
                asset_class,
                *setup,
                counts.n,
                counts.n_eff,
                _exact(counts.hits),
                _exact(counts.expected),
                self._record.state(failing),
                self._record.state(works),
            )
            known = self._known[setup] = standing, self._record.scope(failing)
        standing, scope = known
        is_told = standing.failing == "confirmed" and (scope.is_class or asset in scope.assets)
        return replace(standing, is_told=True) if is_told else standing


def _asked(measured: Sequence[Measurement]) -> Iterator[tuple[_Place, MeasuredOutcome, Setup]]:
    """Yield the decisions with a setup in the order in which they were made."""
    by_place = (
        (_Place(to_micros(measurement.decision.decided_at), measurement.decision.id), measurement)
        for measurement in measured
    )
    for place, measurement in sorted(by_place, key=itemgetter(0)):
        outcome = measurement.measured
        setup = None if outcome is None else _SETUPS.get((outcome.direction, outcome.trend))
        if outcome is not None and setup is not None:
            yield place, outcome, setup


def _exact(number: float) -> Decimal:
    return Decimal(f"{number:.3f}")
