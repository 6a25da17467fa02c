"""Values of the evidence engine: setups, hypotheses, votes, and the record of a pattern."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from afterword.pipeline.rules.evidence.market_rate import WindowCount
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.setup import TRENDS, Direction, Trend

Side = Literal["failing", "works"]
"""What a hypothesis says: a setup is right less often, or more often, than its base rate."""

PatternState = Literal["single", "emerging", "confirmed", "retired"]
"""What may be said of a pattern: nothing, a hint, a lesson, a lesson that no longer holds."""


class Setup(NamedTuple):
    """The direction of a decision and the trend before it. Neutral calls cast no vote."""

    direction: Direction
    trend: Trend


class Hypothesis(NamedTuple):
    """A statement that is tested: decisions in this setup are failing, or they work."""

    setup: Setup
    side: Side


SETUPS: Final = tuple(
    Setup(direction, trend) for direction in get_args(Direction) for trend in TRENDS
)
"""The six setups."""

HYPOTHESES: Final = tuple(Hypothesis(setup, side) for setup in SETUPS for side in get_args(Side))
"""The twelve hypotheses of every role and asset class, fixed in advance: more would cost power."""


class Vote(NamedTuple):
    """One long or short decision with its outcome.

    A decision that still waits for its outcome belongs into the sequence too, with the moment when
    it is due as `exit_at`: until then its stretch stays open, and its move is not read.

    Args:
        subject: number of the decision.
        asset: key of its market.
        entry_at: close of the entry bar; microseconds UTC.
        exit_at: close of the exit bar; microseconds UTC, after `entry_at`.
        move: price move from entry to exit; 0.05 is 5 % up, whatever the direction.
        band: greatest move that counts as noise; a share, at least 0.
        base: chance that a decision of this direction without skill is right, as known at the
            entry and shrunk to one half (`base_rate`).
        residual: the part of the move that the market does not explain; None if unknown.
        cost_micro_usd: result, negative if lost; None where the size is unknown.
        market: what the asset did after such a move, as known at the entry; None if unknown.
    """

    subject: int
    asset: str
    setup: Setup
    entry_at: int
    exit_at: int
    move: float
    band: float
    base: float
    residual: float | None = None
    cost_micro_usd: int | None = None
    market: WindowCount | None = None


class HitCount(NamedTuple):
    """Votes, and how many were right.

    Args:
        n_eff: stretches that voted; count.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill: the sum of the base rates.
    """

    n_eff: int
    hits: float
    expected: float

    @property
    def rate(self) -> float | None:
        """The share that was right; None without votes."""
        return self.hits / self.n_eff if self.n_eff else None

    @property
    def base(self) -> float | None:
        """The mean base rate; None without votes."""
        return self.expected / self.n_eff if self.n_eff else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share that is right, by Wilson; (0, 1) without votes."""
        return wilson_interval(self.hits, self.n_eff)


class AssetRecord(NamedTuple):
    """What one asset contributes to a pattern.

    Args:
        evidence: e-value of the asset alone.
        n_eff: its stretches that voted; count.
        hits: of these, right.
        expected: hits without skill.
        n: decisions in its closed stretches; count.
        spent: stretches that stayed inside the band; count.
        mean_residual: mean move beyond the market in the direction of the decisions, over the
            stretches that voted; None if unknown.
        cost_micro_usd: sum of the known results; None if none is known.
        market: what it did itself in the setup, as known at its latest decision.
    """

    evidence: float
    n_eff: int
    hits: float
    expected: float
    n: int
    spent: int
    mean_residual: float | None
    cost_micro_usd: int | None
    market: WindowCount | None


@dataclass(frozen=True, slots=True)
class PatternScope:
    """The assets of which a pattern may be told.

    Args:
        assets: named by their own evidence, sorted.
        is_class: whether the whole asset class is meant.
    """

    assets: tuple[str, ...] = ()
    is_class: bool = False


@dataclass(frozen=True, slots=True)
class SetupRecord:
    """The outcomes of one setup; only closed stretches count.

    Args:
        n: decisions; count.
        n_eff: stretches that voted, of all assets together; count.
        spent: stretches in which every asset stayed inside the band; count.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill: the sum of the base rates.
        interval: 95 % interval of the share of hits, by Wilson over `n_eff`.
        mean_residual: mean move beyond the market in the direction of the decisions, over the
            stretches that voted; None if unknown.
        cost_micro_usd: sum of the known results; None if none is known.
        first_at: entry of the first decision; microseconds UTC, None without one.
        last_at: entry of the last one.
    """

    setup: Setup
    n: int
    n_eff: int
    spent: int
    hits: float
    expected: float
    interval: tuple[float, float]
    mean_residual: float | None
    cost_micro_usd: int | None
    first_at: int | None
    last_at: int | None


@dataclass(frozen=True, slots=True)
class PatternRecord:
    """The record of one hypothesis; only closed stretches count, each of them since the beginning.

    Args:
        level: chance of any false confirmed pattern in a role without effects.
        evidence: e-value of the hypothesis, since it was last retired.
        n: decisions; count.
        n_eff: stretches that voted, of all assets together; count.
        spent: stretches in which every asset stayed inside the band; count.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill: the sum of the base rates.
        interval: 95 % interval of the share of hits, by Wilson over `n_eff`.
        mean_residual: mean move beyond the market in the direction of the decisions, over the
            stretches that voted; None if unknown.
        cost_micro_usd: sum of the known results; None if none is known.
        first_at: entry of the first decision; microseconds UTC, None without one.
        last_at: entry of the last one.
        confirmed_at: when the last stretch closed that confirmed it; None unless it is confirmed.
        retired_at: when it was last retired; None if it never was.
        since: the record in its scope since it was confirmed; None unless it is confirmed.
        reverse: the bet that the effect is lost; retired at 10; 1 unless it is confirmed.
        shrunk_rate: the share of hits to expect next.
        asset_evidence: by asset, sorted.
        stretches_needed: voting stretches until it would be confirmed at its present rate; None if
            its rate does not point this way, or it is confirmed.
    """

    hypothesis: Hypothesis
    state: PatternState
    level: float
    evidence: float
    n: int
    n_eff: int
    spent: int
    hits: float
    expected: float
    interval: tuple[float, float]
    mean_residual: float | None
    cost_micro_usd: int | None
    first_at: int | None
    last_at: int | None
    scope: PatternScope
    confirmed_at: int | None
    retired_at: int | None
    since: HitCount | None
    reverse: float
    shrunk_rate: float
    asset_evidence: Mapping[str, AssetRecord]
    stretches_needed: int | None

    def is_in_scope(self, asset: str) -> bool:
        """Say whether the pattern may be told of an asset."""
        return self.scope.is_class or asset in self.scope.assets
