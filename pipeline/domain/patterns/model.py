"""A pattern of a role: one of twelve hypotheses in one class of assets, with its record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import (
    MeasuredVerdict,
    TrendBefore,
    VolatilityTercile,
)
from afterword.pipeline.rules.evidence.market_rate import MarketRate
from afterword.pipeline.rules.evidence.model import PatternState, Side
from afterword.pipeline.rules.setup import Direction

STORED_STATES: Final[tuple[PatternState, ...]] = ("confirmed", "emerging", "retired")
"""States with a text; the record of a `single` cell is computed when it is asked for."""

TEMPLATE_AUTHOR: Final = "template"
"""Author of a text that no model worded."""

MAX_PATTERN_CHARS: Final = 700
"""Characters of a text."""


class PatternKey(NamedTuple):
    """What a pattern is about; it has at most one current text."""

    role_id: str
    asset_class: str
    direction: Direction
    trend: TrendBefore
    side: Side


@dataclass(frozen=True, slots=True)
class AssetNumbers:
    """What one asset contributes to a pattern.

    Args:
        evidence_log10: logarithm of its own e-value.
        n_eff: stretches that voted; count.
        hits: of these, right.
        expected: hits without skill.
    """

    asset: str
    evidence_log10: float
    n_eff: int
    hits: float
    expected: float


@dataclass(frozen=True, slots=True)
class PatternNumbers:
    """Every number that the text of a pattern may name; of the assets it may be told of.

    Shares are fractions: 0.05 is 5 %.

    Args:
        window_hours: the window of the role.
        level: the chance of an error that it was confirmed with.
        n: decisions; count.
        n_eff: stretches that voted; count.
        spent: stretches inside the band; count.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill.
        low: lower end of the 95 % interval of the share of hits; `high` is the upper one.
        shrunk: the share of hits to expect next.
        mean_residual: mean move beyond the market in the direction of the decisions.
        cost_micro_usd: sum of the known results, negative if lost.
        first_at: entry of the first decision; aware UTC.
        last_at: entry of the last one.
        evidence_log10: logarithm of the e-value of the hypothesis.
        confirmed_at: when the stretch closed that confirmed it.
        retired_at: when it was last retired.
        since_n: stretches since it was confirmed; count. `since_hits` of them were right, and
            `since_expected` would be without skill.
        reverse: the bet that the effect is lost; retired at 10.
        stretches_needed: further stretches until it would be confirmed at its present rate.
        assets: of all assets of the setup, by name.
        market: what the market itself did in the setup, of a confirmed pattern; None if unknown.
    """

    window_hours: int
    level: float
    n: int
    n_eff: int
    spent: int
    hits: float
    expected: float
    low: float
    high: float
    shrunk: float
    mean_residual: float | None
    cost_micro_usd: int | None
    first_at: datetime | None
    last_at: datetime | None
    evidence_log10: float
    confirmed_at: datetime | None
    retired_at: datetime | None
    since_n: int | None
    since_hits: float | None
    since_expected: float | None
    reverse: float
    stretches_needed: int | None
    assets: tuple[AssetNumbers, ...]
    market: MarketRate | None = None


@dataclass(frozen=True, slots=True)
class PatternDraft:
    """A pattern as its votes give it, with the text of the template.

    Args:
        numbers: as they are stored: JSON.
        assets: keys of the assets it may be told of in any case.
    """

    key: PatternKey
    state: PatternState
    is_class: bool
    assets: tuple[str, ...]
    numbers: str
    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as it is read: one text, with the numbers it was made from; moments are aware UTC.

    Args:
        asset_class: with the role, its family.
        direction: of the decisions it is about.
        trend: the move before them.
        side: whether such decisions go wrong, or right, more often than without skill.
        is_class: whether it may be told of every asset of its class.
        assets: keys of the assets it may be told of in any case.
        worded_by: `template`, or the name of a model.
        known_at: from when on it was known in this form.
        superseded_at: when another form took its place; None for the current one.
        asked_by: the model that was asked to word it; None if none was.
        said: what that model said, where that has no effect.
        refusal: why its words were refused.
    """

    id: int
    role_id: str
    asset_class: str
    direction: Direction
    trend: TrendBefore
    side: Side
    state: PatternState
    is_class: bool
    assets: tuple[str, ...]
    numbers: PatternNumbers
    text: str
    worded_by: str
    rule_version: int
    known_at: datetime
    superseded_at: datetime | None
    asked_by: str | None = None
    asked_at: datetime | None = None
    said: str | None = None
    refusal: str | None = None

    @property
    def key(self) -> PatternKey:
        """What it is about."""
        return PatternKey(self.role_id, self.asset_class, self.direction, self.trend, self.side)

    def is_told_of(self, asset_key: str) -> bool:
        """Return whether it may be told of an asset of its class."""
        return self.is_class or asset_key in self.assets


class PatternMember(NamedTuple):
    """A decision that a pattern counts, with the numbers of its outcome; moments are aware UTC.

    Args:
        move: price move from entry to exit; a share, as are `band` and the next ones.
        result: what its direction earned net of costs.
        residual: the part of the move that the market does not explain.
    """

    decision_id: int
    uid: str
    asset_key: str
    decided_at: datetime
    entry_at: datetime
    exit_at: datetime
    move: float
    band: float
    base: float | None
    window_verdict: MeasuredVerdict
    result: float | None
    result_micro_usd: int | None
    residual: float | None
    volatility: VolatilityTercile | None


class PersonNote(NamedTuple):
    """What a person said of a decision when marking it.

    Args:
        mark: the outcome the person gave.
        note: the person's own words.
    """

    decision_id: int
    uid: str
    role_id: str
    asset_key: str | None
    direction: str
    mark: str
    note: str
    marked_at: datetime
