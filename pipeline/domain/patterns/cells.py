"""The cells of a role: how its decisions of one direction did after one kind of move.

Six cells of a family are the setups of its hypotheses; the three neutral ones have no hypothesis
and are only counted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

from afterword.pipeline.domain.patterns.numbers import mean_by_votes
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import SETUPS
from afterword.pipeline.rules.evidence.rates import base_rate, wilson_interval
from afterword.pipeline.rules.market.exact import PPB

_TOLERANCE: Final = 1e-9


class CellKey(NamedTuple):
    """A cell of a role: class of assets, direction, and the move before; None if unknown."""

    asset_class: str
    direction: str
    trend: str | None


@dataclass(frozen=True, slots=True)
class CellNumbers:
    """How decisions did, against what they would have done without skill.

    Args:
        n: decisions; count.
        n_eff: stretches that voted; count. `spent` did not: they stayed inside the band.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill.
        mean_residual: mean move beyond the market in the direction of the decisions; a share.
        cost_micro_usd: sum of the known results, negative if lost.
    """

    n: int = 0
    n_eff: int = 0
    spent: int = 0
    hits: float = 0.0
    expected: float = 0.0
    mean_residual: float | None = None
    cost_micro_usd: int | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of hits, by Wilson."""
        return wilson_interval(self.hits, self.n_eff)

    @property
    def contradicts_lessons(self) -> bool:
        """Whether it was right at least as often as without skill: it supports no warning."""
        return contradicts_lessons(self.n_eff, self.hits, self.expected)


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
                found[CellKey(asset_class, *setup)] = CellNumbers(
                    of.n,
                    of.n_eff,
                    of.spent,
                    of.hits,
                    of.expected,
                    of.mean_residual,
                    of.cost_micro_usd,
                )
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


def total(cells: Iterable[CellNumbers]) -> CellNumbers:
    """Return the sum of cells; stretches of different cells are counted in each."""
    all_cells = list(cells)
    costs = [one.cost_micro_usd for one in all_cells if one.cost_micro_usd is not None]
    return CellNumbers(
        sum(one.n for one in all_cells),
        sum(one.n_eff for one in all_cells),
        sum(one.spent for one in all_cells),
        fsum(one.hits for one in all_cells),
        fsum(one.expected for one in all_cells),
        mean_by_votes((one.mean_residual, one.n_eff) for one in all_cells),
        sum(costs) if costs else None,
    )


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
