"""The cells of a role: how its decisions of one direction did after one kind of move.

Six cells of a family are the setups of its hypotheses; the three neutral ones have no hypothesis
and are only counted.
"""

from collections.abc import Iterable, Mapping
from math import fsum
from typing import Final, NamedTuple

from afterword.pipeline.domain.patterns.counts import CellNumbers, numbers_of_record
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.rules.evidence.family import FamilyRecord
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
    found: dict[CellKey, CellNumbers] = {}
    for asset_class, family in families.items():
        for setup in SETUPS:
            of = family.record(setup)
            if of.n:
                found[CellKey(asset_class, *setup)] = numbers_of_record(of)
    neutral: dict[CellKey, list[list[OutcomeRow]]] = {}
    for row in outcomes:
        if row.direction == "neutral":
            key = CellKey(row.asset_class, row.direction, row.trend)
            stretches = neutral.setdefault(key, [])
            if stretches and row.entry_at < stretches[-1][0].exit_at:
                stretches[-1].append(row)
            else:
                stretches.append([row])
    return found | {key: _neutral(stretches) for key, stretches in neutral.items()}


def _neutral(stretches: list[list[OutcomeRow]]) -> CellNumbers:
    """Return the counts of neutral calls; those of a stretch are averaged into one vote."""
    n_eff = spent = 0
    hits, bases = [], []
    for stretch in stretches:
        said = [row for row in stretch if row.window_verdict != "noise"]
        if not said:
            spent += 1
            continue
        n_eff += 1
        hits.append(sum(row.window_verdict == "right" for row in said) / len(said))
        bases.append(fsum(base_of(row) for row in said) / len(said))
    return CellNumbers(sum(map(len, stretches)), n_eff, spent, fsum(hits), fsum(bases))


def base_of(row: OutcomeRow) -> float:
    """Return the chance that a decision without skill is right; one half if it is unknown."""
    return base_rate(0, 0) if row.base_ppb is None else row.base_ppb / PPB
