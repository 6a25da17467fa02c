"""The cells of a role: how its decisions of one direction did after one kind of move.

Six cells of a family are the setups of its hypotheses; the three neutral ones have no hypothesis
and are only counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import fsum
from typing import Final, NamedTuple

from afterword.pipeline.domain.patterns.counts import CellNumbers, numbers_of_record
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.evidence.model import SETUPS
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB

_TOLERANCE: Final = 1e-9


class CellKey(NamedTuple):
    """A cell of a role: class of assets, direction, and the move before; None if unknown."""

    asset_class: str
    direction: str
    trend: str | None


def contradicts_lessons(n_eff: int, hits: float, expected: float) -> bool:
    """Return whether a cell with these counts was right at least as often as without skill."""
    return n_eff > 0 and hits >= expected - _TOLERANCE


def cells_of(
    outcomes: Iterable[OutcomeRow], families: Mapping[str, FamilyRecord]
) -> dict[CellKey, CellNumbers]:
    """Return the cells of a role that have a decision.

    Args:
        outcomes: by entry.
        families: of the same outcomes.
    """
    cells: dict[CellKey, CellNumbers] = {}
    for asset_class, family in families.items():
        for setup in SETUPS:
            of = family.record(setup)
            if of.n:
                cells[CellKey(asset_class, *setup)] = numbers_of_record(of)
    neutral: defaultdict[CellKey, list[OutcomeRow]] = defaultdict(list)
    for row in outcomes:
        if row.direction == "neutral":
            neutral[CellKey(row.asset_class, row.direction, row.trend)].append(row)
    return cells | {key: _neutral(calls) for key, calls in neutral.items()}


def _neutral(calls: list[OutcomeRow]) -> CellNumbers:
    """Return the counts of neutral calls; those of a stretch are averaged into one vote."""
    spent = 0
    hits, bases = [], []
    for first, joined, _ in stretches_of(calls, ends="first"):
        voting = [row for row in (*first, *joined) if row.window_verdict != "noise"]
        if not voting:
            spent += 1
            continue
        hits.append(sum(row.window_verdict == "right" for row in voting) / len(voting))
        bases.append(fsum(base_of(row) for row in voting) / len(voting))
    return CellNumbers(len(calls), len(hits), spent, fsum(hits), fsum(bases))


def base_of(row: OutcomeRow) -> float:
    """Return the chance that a decision without skill is right; one half if it is unknown."""
    return base_rate(0, 0) if row.base_ppb is None else row.base_ppb / PPB
