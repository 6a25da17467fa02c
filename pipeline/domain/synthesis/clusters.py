"""Clusters of cases: decisions that rest on the same indicators, and were right more often.

A cluster suggests a methodology; it proves nothing. The best of many clusters looks good by chance,
so its cases never count for the methodology that is made of it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from afterword.pipeline.domain.methodologies.indicators import read_indicators
from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    METHOD_STANCES,
    MethodDirection,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.domain.methodologies.signals import read_signal
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.evidence.graduation import MARGIN
from afterword.pipeline.rules.evidence.method_record import MethodRecord, MethodVote, method_record
from afterword.pipeline.rules.evidence.rates import shrunk_rate
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.taxonomy import AssetClass

_FEWEST_STRETCHES: Final = 10
"""Voting stretches of a cluster, at least."""

CLUSTER_EVIDENCE: Final = 5.0
"""The e-value of a cluster, at least. It only keeps seeds few: each one is a further trial."""

_MOST_READ: Final = 6
"""Indicators of one decision that are combined, the first by name."""

_DIRECTION_OF: Final = {stance: direction for direction, stance in METHOD_STANCES.items()}
_TIMEFRAME_OF: Final = {hours: timeframe for timeframe, hours in HORIZON_HOURS.items()}


class ClusterKind(NamedTuple):
    """What the cases of a cluster have in common beside their indicators."""

    asset_class: AssetClass
    direction: MethodDirection
    timeframe: Timeframe


class SeedCase(NamedTuple):
    """A case with an outcome, over one window.

    Args:
        decision: uid of the decision.
        stance: what it expected of the price.
        words: what was decided and why.
    """

    decision: str
    asset_class: AssetClass
    stance: Stance
    window_hours: int
    words: str
    vote: MethodVote

    @property
    def kind(self) -> ClusterKind:
        """What it has in common with others."""
        return ClusterKind(
            self.asset_class, _DIRECTION_OF[self.stance], _TIMEFRAME_OF[self.window_hours]
        )


@dataclass(frozen=True, slots=True)
class CaseCluster:
    """Cases that rest on the same indicators.

    Args:
        indicators: one or two, sorted.
        cases: by entry.
    """

    kind: ClusterKind
    indicators: tuple[str, ...]
    cases: tuple[SeedCase, ...]
    record: MethodRecord

    @property
    def signal(self) -> PrimarySignal:
        """The signal that most of its cases name; `technical` if none does."""
        named = Counter(
            signal for case in self.cases if (signal := _signal(case.words)) is not None
        )
        return min(named, key=lambda signal: (-named[signal], signal), default="technical")


def best_clusters(
    cases: Iterable[SeedCase],
    known: Collection[tuple[ClusterKind, tuple[str, ...]]],
    most: int,
) -> list[CaseCluster]:
    """Return the clusters that suggest a methodology, the one with the most evidence first.

    A case belongs to one of them at most.

    Args:
        known: what methodologies watch; a cluster whose indicators one of these covers is nothing
            new.
        most: clusters; count.
    """
    covered: dict[ClusterKind, list[frozenset[str]]] = defaultdict(list)
    for kind, names in known:
        covered[kind].append(frozenset(names))
    members: dict[tuple[ClusterKind, tuple[str, ...]], list[SeedCase]] = defaultdict(list)
    for case in cases:
        for names in _combined(read_indicators(case.words)[:_MOST_READ]):
            if not any(wider.issuperset(names) for wider in covered[case.kind]):
                members[case.kind, names].append(case)
    chosen: list[CaseCluster] = []
    taken: set[str] = set()
    clusters = [_cluster(kind, names, those, taken) for (kind, names), those in members.items()]
    while len(chosen) < most and any(clusters):
        # Of two with the same evidence, the one that names more.
        best = min(
            (cluster for cluster in clusters if cluster is not None),
            key=lambda cluster: (
                -cluster.record.evidence,
                -len(cluster.indicators),
                cluster.kind,
                cluster.indicators,
            ),
        )
        chosen.append(best)
        taken.update(cluster.decision for cluster in best.cases)
        clusters = [
            _cluster(cluster.kind, cluster.indicators, cluster.cases, taken)
            for cluster in clusters
            if cluster is not None
        ]
    return chosen


def _combined(names: Sequence[str]) -> Iterable[tuple[str, ...]]:
    yield from combinations(names, 1)
    yield from combinations(names, 2)


def _cluster(
    kind: ClusterKind, names: tuple[str, ...], cases: Sequence[SeedCase], taken: Collection[str]
) -> CaseCluster | None:
    """Return a cluster if its record suggests a methodology."""
    left = [case for case in cases if case.decision not in taken]
    if len(left) < _FEWEST_STRETCHES:
        return None
    record = method_record(case.vote for case in left)
    if record.n_eff < _FEWEST_STRETCHES or record.evidence < CLUSTER_EVIDENCE:
        return None
    if shrunk_rate(record.hits, record.expected, record.n_eff) < record.base + MARGIN:
        return None
    ordered = sorted(left, key=lambda case: (case.vote.entry_at, case.decision))
    return CaseCluster(kind, names, tuple(ordered), record)


def _signal(words: str) -> PrimarySignal | None:
    try:
        return read_signal(words)
    except InvalidInputError:
        return None
