"""Read patterns: what is current, how it came about, and which decisions it counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.cells import CellKey, base_of, cells_of
from afterword.pipeline.domain.patterns.counts import CellNumbers, total
from afterword.pipeline.domain.patterns.family import (
    families_by_class,
    family_of,
    vote_of,
    window_of,
)
from afterword.pipeline.domain.patterns.model import Pattern, PatternKey, PatternMember, PersonNote
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL, FamilyRecord
from afterword.pipeline.rules.evidence.model import PatternRecord, PatternState, Setup
from afterword.pipeline.rules.evidence.stretch_records import StretchRecord, stretch_records

MAX_NOTES: Final = 50
"""Notes of one read; count."""


@dataclass(frozen=True, slots=True)
class DirectionCounts:
    """The outcomes of decisions of one direction over the window; counts of decisions.

    Args:
        expected: right ones without skill, of those that were right or wrong.
    """

    n: int
    right: int
    wrong: int
    noise: int
    expected: float


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """How a role did in one class of assets.

    Args:
        family: the record of its hypotheses.
        all: the sum of the cells; stretches of different cells are counted in each.
        cells: those that have a decision.
        directions: by direction.
        sized: decisions with a known result in USD; count.
        plans: what the plans of decisions met first; counts.
        first_at: entry of the first decision; aware UTC.
        calibration: stated confidence of each decision that was right or wrong (by its plan, if it
            has one), and whether it was right.
    """

    asset_class: str
    window_hours: int
    family: FamilyRecord
    all: CellNumbers
    cells: Mapping[CellKey, CellNumbers]
    directions: Mapping[str, DirectionCounts]
    sized: int
    plans: Mapping[str, int]
    first_at: datetime
    last_at: datetime
    calibration: tuple[tuple[float, bool], ...]


def current(
    conn: Connection,
    role_ids: Sequence[str] | None,
    states: Sequence[PatternState] = ("confirmed",),
    as_of: datetime | None = None,
) -> list[Pattern]:
    """Return the patterns of roles: confirmed, emerging, retired; one text each.

    Args:
        role_ids: None for every role.
        as_of: as they were known at this moment.
    """
    return form_rows.current(conn, role_ids, states, _micros(as_of))


def history(conn: Connection, key: PatternKey) -> list[Pattern]:
    """Return every form that a pattern had, the oldest first."""
    return form_rows.history(conn, key)


def members(
    conn: Connection,
    key: PatternKey,
    window_hours: int,
    limit: int,
    as_of: datetime | None = None,
) -> list[PatternMember]:
    """Return the decisions of a cell, the latest first, whether a pattern is stored or not.

    Args:
        window_hours: of the role; a pattern has it among its numbers.
    """
    return rows.members(conn, key, window_hours, limit, _micros(as_of))


def stretches(
    conn: Connection, role: Role, key: PatternKey, as_of: datetime | None = None
) -> list[StretchRecord]:
    """Return the stretches of a cell, the oldest first: its effective n one by one."""
    window_hours = window_of(role)
    if window_hours is None:
        return []
    outcomes = rows.votes(conn, role.id, window_hours, _micros(as_of))
    votes = (vote_of(row) for row in outcomes if row.asset_class == key.asset_class)
    setup = Setup(key.direction, key.trend)
    return stretch_records(setup, (vote for vote in votes if vote is not None))


def cells(
    conn: Connection,
    role: Role,
    asset_class: str,
    *,
    level: float = CONFIRMED_LEVEL,
    as_of: datetime | None = None,
) -> tuple[PatternRecord, ...]:
    """Return the records of all twelve hypotheses of a family, in their fixed order."""
    return family_of(conn, role, asset_class, level=level, as_of=as_of).patterns()


def summaries(
    conn: Connection,
    role: Role,
    *,
    level: float = CONFIRMED_LEVEL,
    as_of: datetime | None = None,
) -> list[ClassSummary]:
    """Return how a role did, by class of assets, from one read of its outcomes."""
    window_hours = window_of(role)
    if window_hours is None:
        return []
    outcomes = rows.votes(conn, role.id, window_hours, _micros(as_of))
    families = families_by_class(outcomes, level)
    cells_by_key = cells_of(outcomes, families)
    by_class: dict[str, list[OutcomeRow]] = {}
    for row in outcomes:
        by_class.setdefault(row.asset_class, []).append(row)
    return [
        _summary(
            window_hours,
            families.get(asset_class) or FamilyRecord(level),
            {key: cell for key, cell in cells_by_key.items() if key.asset_class == asset_class},
            own,
        )
        for asset_class, own in sorted(by_class.items())
    ]


def notes(
    conn: Connection,
    role_ids: Sequence[str] | None,
    limit: int = MAX_NOTES,
    as_of: datetime | None = None,
) -> list[PersonNote]:
    """Return what people said of decisions of roles, in their words; the latest first."""
    return rows.notes(conn, role_ids, limit, _micros(as_of))


def _summary(
    window_hours: int,
    family: FamilyRecord,
    own: Mapping[CellKey, CellNumbers],
    outcomes: Sequence[OutcomeRow],
) -> ClassSummary:
    return ClassSummary(
        outcomes[0].asset_class,
        window_hours,
        family,
        total(own.values()),
        own,
        {
            direction: _counts([row for row in outcomes if row.direction == direction])
            for direction in sorted({row.direction for row in outcomes})
        },
        sum(row.result_micro_usd is not None for row in outcomes),
        Counter(row.plan for row in outcomes if row.plan is not None),
        from_micros(outcomes[0].entry_at),
        from_micros(outcomes[-1].entry_at),
        tuple(
            (row.confidence, row.verdict == "right")
            for row in outcomes
            if row.confidence is not None and row.verdict != "noise"
        ),
    )


def _counts(outcomes: Sequence[OutcomeRow]) -> DirectionCounts:
    verdicts = Counter(row.window_verdict for row in outcomes)
    expected = fsum(base_of(row) for row in outcomes if row.window_verdict != "noise")
    return DirectionCounts(
        len(outcomes), verdicts["right"], verdicts["wrong"], verdicts["noise"], expected
    )


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)
