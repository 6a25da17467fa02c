"""How decisions did: the counts of one cell, of one asset, or of several together."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from afterword.pipeline.rules.evidence.model import AssetRecord, PatternRecord, SetupRecord
from afterword.pipeline.rules.evidence.rates import wilson_interval


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


def numbers_of_record(record: SetupRecord | PatternRecord) -> CellNumbers:
    """Return the counts of a record."""
    return CellNumbers(
        record.n,
        record.n_eff,
        record.spent,
        record.hits,
        record.expected,
        record.mean_residual,
        record.cost_micro_usd,
    )


def total(counts: Iterable[CellNumbers | AssetRecord]) -> CellNumbers:
    """Return the sum of counts; stretches of different cells are counted in each."""
    every = list(counts)
    costs = [one.cost_micro_usd for one in every if one.cost_micro_usd is not None]
    return CellNumbers(
        sum(one.n for one in every),
        sum(one.n_eff for one in every),
        sum(one.spent for one in every),
        fsum(one.hits for one in every),
        fsum(one.expected for one in every),
        _mean_by_votes([(one.mean_residual, one.n_eff) for one in every]),
        sum(costs) if costs else None,
    )


def _mean_by_votes(means: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the mean of means, each weighted by its votes; None if none is known."""
    known = [(mean, votes) for mean, votes in means if mean is not None and votes]
    votes = sum(votes for _, votes in known)
    return fsum(mean * votes for mean, votes in known) / votes if votes else None
