"""Decisions of methods without skill on made prices with regimes, and gates that know nothing."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from afterword.pipeline.rules.evidence.gated import GatedDecision
from benchmarks.evidence_worlds import Chance, Closes, Floats, market, shuffled, twin

Sham = Literal["drawn", "methods", "luck"]
SHAMS: Final[tuple[Sham, ...]] = ("drawn", "methods", "luck")
"""Gates without information: each decision let through by a draw; a third of the methods, whatever
they did; the methods that were lucky so far. All of them switch on late."""

ASSETS: Final = ("BTC", "ETH", "SOL", "AVAX", "LINK")
SHARED: Final = 0.7
"""Share of an asset's variance that all of them have in common."""

REGIME: Final = 60
"""Bars that a drift or a level of volatility lasts, on average."""

DRIFT: Final = 0.15
"""Drift of a regime, up or down; deviations a bar. It is what a year-long trend of a coin has."""

METHODS: Final = 12
"""A third always expect a rise, a third a fall, a third toss a coin each time."""

WINDOW: Final = 5
"""Bars of a decision: stretches are at least as long."""

FIRST: Final = 100
"""Bars before the first decision: history for the base rate."""

PER_BAR: Final = 0.6
"""Chance that anybody decides on a bar."""


class World(NamedTuple):
    """All decisions of one run, by bar, as columns of the same length.

    Args:
        bar: number of the bar.
        method: number of the method.
        asset: number of the asset.
        came: 1 right, 0 wrong, -1 inside the band.
        base: chance of being right without skill, as known.
        bars: bars of the whole run.
    """

    bar: Sequence[int]
    method: Sequence[int]
    asset: Sequence[int]
    came: Sequence[int]
    base: Sequence[float]
    bars: int


def prices(bars: int, chance: Chance, drift: float) -> list[Closes]:
    """Make the closes of correlated assets with regimes of drift and of volatility."""
    calm = np.where(_regimes(bars, chance) > 0, 2.5, 1.0)
    common = chance.standard_t(4, bars) / np.sqrt(2) + drift / np.sqrt(SHARED) * _regimes(
        bars, chance
    )
    found = []
    for name in ASSETS:
        own = chance.standard_t(4, bars) / np.sqrt(2)
        moves = 0.02 * calm * (np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own)
        closes = 100 * np.exp(np.cumsum(np.clip(moves, -0.3, 0.3)))
        found.append(Closes(name, np.arange(bars), closes, 1))
    return found


def world(bars: int, chance: Chance, *, is_twin: bool, drift: float = DRIFT) -> World:
    """Make the decisions of one run.

    Args:
        bars: from the first decision to the last outcome.
        is_twin: shuffle the moves in blocks, which leaves directions without memory.
    """
    series = prices(FIRST + bars, chance, drift)
    if is_twin:
        order = shuffled(FIRST + bars, chance)
        series = [twin(one, order) for one in series]
    known = [market(one, WINDOW) for one in series]
    up = np.stack([np.sign(one.moves) * (np.abs(one.moves) > one.bands) for one in known])
    rises = np.stack([one.rises for one in known])
    active = FIRST + np.flatnonzero(chance.random(bars - WINDOW) < PER_BAR)
    # Some bars have a decision or two, some a dozen.
    eager = chance.random((len(active), 1)) * 0.9
    at, method = np.nonzero(chance.random((len(active), METHODS)) < eager)
    bar = active[at]
    asset = chance.integers(len(ASSETS), size=len(bar))
    tossed = chance.choice([-1, 1], len(bar))
    way = np.where(method % 3 == 0, 1, np.where(method % 3 == 1, -1, tossed))
    moved = up[asset, bar]
    came = np.where(moved == 0, -1, (moved == way).astype(int))
    base = np.where(way > 0, rises[asset, bar], 1 - rises[asset, bar])
    return World(bar.tolist(), method.tolist(), asset.tolist(), came.tolist(), base.tolist(), bars)


def gate(made: World, sham: Sham, chance: Chance) -> list[bool]:
    """Return of each decision whether a gate that knows nothing lets it through."""
    starts = FIRST + chance.random(METHODS) * made.bars / 3
    if sham == "drawn":
        drawn = chance.random(len(made.bar)) < 0.3
        return [bool(one) and bar >= starts[0] for one, bar in zip(drawn, made.bar, strict=True)]
    if sham == "methods":
        some = set(chance.permutation(METHODS)[: METHODS // 3].tolist())
        return [
            method in some and bar >= starts[method]
            for method, bar in zip(made.method, made.bar, strict=True)
        ]
    return _lucky(made)


def decisions(
    made: World, lets: Sequence[bool], edge: float, chance: Chance
) -> list[GatedDecision]:
    """Return the decisions of a run under a gate.

    Args:
        edge: share of the misses that are turned into hits where the gate lets through.
    """
    turned: list[bool] = (chance.random(len(made.bar)) < edge).tolist()
    return [
        GatedDecision(
            str(place),
            bar,
            bar + WINDOW,
            ASSETS[asset],
            None if came < 0 else came == 1 or (is_let and is_turned),
            base,
            is_let,
        )
        for place, (bar, asset, came, base, is_let, is_turned) in enumerate(
            zip(made.bar, made.asset, made.came, made.base, lets, turned, strict=True)
        )
    ]


def _lucky(made: World) -> list[bool]:
    """Let a method through while the hits that are known exceed its base by a deviation."""
    above, votes = [0.0] * METHODS, [0] * METHODS
    lets = []
    done = 0
    for bar, method in zip(made.bar, made.method, strict=True):
        while made.bar[done] + WINDOW <= bar:
            if made.came[done] >= 0:
                above[made.method[done]] += made.came[done] - made.base[done]
                votes[made.method[done]] += 1
            done += 1
        lets.append(votes[method] >= 20 and above[method] > 0.5 * votes[method] ** 0.5)
    return lets


def _regimes(bars: int, chance: Chance) -> Floats:
    """Return 1 or -1 for each bar, in runs."""
    changes = chance.random(bars) < 1 / REGIME
    return chance.choice([-1.0, 1.0], bars)[np.cumsum(changes)]
