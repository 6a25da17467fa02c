"""Seeds: methodologies that the program writes itself, from clusters of cases and from patterns.

A seed begins like any other, in quarantine and with zero counts. What it was made of never counts
for it: those decisions are older than it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    SPANS,
    MethodDirection,
    MethodPhase,
    NewMethodology,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.domain.patterns.model import Pattern, PatternKey
from afterword.pipeline.domain.synthesis.clusters import CaseCluster
from afterword.pipeline.rules.market.taxonomy import AssetClass
from afterword.pipeline.rules.setup import Direction, Trend
from afterword.pipeline.rules.text.numbers import amount

_MOST_NAMED: Final = 50
"""Decisions that are kept with a seed, the latest."""

SEED_TEMPLATE: Final = "template"
"""Who worded a seed that no model worded."""

_VERBS: Final[Mapping[MethodDirection, str]] = {
    "bullish": "Go long",
    "bearish": "Go short",
    "neutral": "Expect no clear move",
}
_DIRECTION_OF: Final[Mapping[Direction, MethodDirection]] = {"long": "bullish", "short": "bearish"}
_MOVES: Final[Mapping[Trend, str]] = {
    "up": "rose beyond its usual range",
    "down": "fell beyond its usual range",
    "flat": "made no clear move",
}
_SIGNALS: Final[Mapping[tuple[Direction, Trend], PrimarySignal]] = {
    ("long", "up"): "momentum",
    ("short", "down"): "momentum",
    ("long", "down"): "mean_reversion",
    ("short", "up"): "mean_reversion",
    ("long", "flat"): "technical",
    ("short", "flat"): "technical",
}


@dataclass(frozen=True, slots=True)
class MethodSeed:
    """A methodology to be planted, as the template words it.

    Args:
        decisions: uids of what it was made of, the latest last.
        examples: the words of some of them, for a model.
    """

    new: NewMethodology
    decisions: tuple[str, ...]
    examples: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its idempotency key: a seed is planted once, whatever becomes of it."""
        assert self.new.key is not None
        return self.new.key


def seed_of_cluster(cluster: CaseCluster, examples: int = 12) -> MethodSeed:
    """Return the seed of a cluster of cases.

    Args:
        examples: decisions whose words a model is given, the latest; count.
    """
    kind, record = cluster.kind, cluster.record
    names = " and ".join(name.replace("_", " ") for name in cluster.indicators)
    verb, span = _VERBS[kind.direction], SPANS[kind.timeframe]
    speaks = f"{names} speak{'' if len(cluster.indicators) > 1 else 's'} for it"
    first, last = (
        from_micros(case.vote.entry_at) for case in (cluster.cases[0], cluster.cases[-1])
    )
    new = NewMethodology(
        f"{verb} for {span} in an asset of class {kind.asset_class} when {speaks}.",
        kind.asset_class,
        kind.direction,
        kind.timeframe,
        name=f"{verb} on {names}, {span}",
        evidence=(
            f"Made from {len(cluster.cases)} decisions, {first:%Y-%m-%d} to {last:%Y-%m-%d}, which "
            f"name {names}: right {amount(record.hits)} of {record.n_eff} stretches, "
            f"{amount(record.expected)} without skill. They count nothing for it."
        ),
        phases=_plan(speaks),
        primary_signal=cluster.signal,
        indicators=cluster.indicators,
        key=f"seed:cases:{':'.join(kind)}:{'+'.join(cluster.indicators)}",
        origin="system",
        source="cases",
    )
    decisions = tuple(case.decision for case in cluster.cases)
    words = tuple(case.words for case in cluster.cases[-examples:])
    return MethodSeed(new, decisions, words)


def seed_of_pattern(
    pattern: Pattern, asset_class: AssetClass, decisions: Sequence[str]
) -> MethodSeed:
    """Return the seed of a confirmed pattern of decisions that are right more often.

    Args:
        asset_class: that of most of its decisions; the pattern's own classes are wider.
        decisions: uids, the latest last.
    """
    direction = _DIRECTION_OF[pattern.direction]
    timeframe = nearest_timeframe(pattern.numbers.window_hours)
    before = f"the price {_MOVES[pattern.trend]} over the time before"
    verb, span = _VERBS[direction], SPANS[timeframe]
    new = NewMethodology(
        f"{verb} for {span} in an asset of class {asset_class} when {before}, of the same length.",
        asset_class,
        direction,
        timeframe,
        name=f"{verb} after the price {_MOVES[pattern.trend]}, {span}",
        evidence=f"Made from a pattern of {pattern.role_id}: {pattern.text} Its decisions count "
        "nothing for it.",
        phases=_plan(before),
        primary_signal=_SIGNALS[pattern.direction, pattern.trend],
        indicators=(),
        key=f"seed:pattern:{':'.join(_without_side(pattern.key))}",
        origin="system",
        source="pattern",
    )
    return MethodSeed(new, tuple(decisions), (pattern.text,))


def worded(
    seed: MethodSeed, words: NewMethodology | None, said_by: str, said: str | None = None
) -> NewMethodology:
    """Return a seed as it is planted.

    Args:
        words: what a model made of it; None for the template.
        said: what a model said that is not used.
    """
    new = seed.new if words is None else words
    made_of: dict[str, Any] = {"decisions": list(seed.decisions[-_MOST_NAMED:]), "said_by": said_by}
    return replace(new, seeded_from=[made_of if said is None else made_of | {"said": said}])


def nearest_timeframe(hours: int) -> Timeframe:
    """Return the timeframe whose horizon is nearest to a window, by their ratio."""
    return min(
        HORIZON_HOURS,
        key=lambda timeframe: (
            max(hours, HORIZON_HOURS[timeframe]) / min(hours, HORIZON_HOURS[timeframe])
        ),
    )


def _plan(criterion: str) -> tuple[MethodPhase, ...]:
    return (
        MethodPhase("Gather", (criterion,)),
        MethodPhase("Decide", ("the decision names this method",), depends_on=("Gather",)),
    )


def _without_side(key: PatternKey) -> tuple[str, ...]:
    return key.role_id, key.asset_class, key.direction, key.trend
