"""What a decision's market did, as far as an outcome needs it; beside its peers, if it has some."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import asset_group
from afterword.pipeline.rules.market.decimals import RATES
from afterword.pipeline.rules.market.outcome import PricePoint
from afterword.pipeline.rules.market.splits import Split, change
from afterword.pipeline.rules.market.volatility import Move, moves

LARGEST_JUMP: Final = Decimal("1.8")
"""One bar's ratio beyond which, or below 1 / 1.8, a market that may split is not believed."""


@dataclass(frozen=True, slots=True)
class Track:
    """One market around one decision.

    Args:
        symbol: the market as its source writes it.
        recent: bars known at the decision, the entry last.
        window: entry and exit, and where the market may split also the bars between.
        splits: of this market, any time.
    """

    source: str
    symbol: str
    recent: tuple[Bar, ...]
    window: tuple[Bar, ...]
    splits: tuple[Split, ...] = ()

    @property
    def entry(self) -> PricePoint:
        """Return the price as the decision could know it."""
        return self._point(self.window[0])

    @property
    def exit(self) -> PricePoint:
        """Return the price when the decision was due."""
        return self._point(self.window[-1])

    @property
    def change(self) -> Decimal:
        """Return how the price moved from entry to exit, splits apart."""
        return change(self.splits, self.window[0], self.window[-1])

    def moves(self) -> list[Move]:
        """Return the moves known at the decision."""
        return moves(self.recent, self.splits)

    def jump(self) -> Bar | None:
        """Return the bar of a move that looks like a split nobody told of; None if none does."""
        if not may_split(self.symbol):
            return None
        for earlier, later in pairwise((*self.recent, *self.window[1:])):
            ratio = change(self.splits, earlier, later) + 1
            if not 1 / LARGEST_JUMP < ratio < LARGEST_JUMP:
                return later
        return None

    def _point(self, bar: Bar) -> PricePoint:
        return PricePoint(self.source, self.symbol, bar.closed_at, bar.close)


def may_split(symbol: str) -> bool:
    """Tell whether units of a market may be split; coins and currencies are not."""
    return asset_group(symbol) not in ("crypto", "forex")


def relative_change(track: Track, peers: Sequence[Track]) -> Decimal:
    """Return how much better than the mean of its peers a market did; 0.05 is 5 points."""
    return _beside(track.change, [peer.change for peer in peers])


def relative_moves(track: Track, peers: Sequence[Track]) -> list[Move]:
    """Return the moves beside the peers, from one moment that all have a close at to the next."""
    together = [track, *peers]
    closes = [{bar.closed_at: bar for bar in one.recent} for one in together]
    moments = sorted(set.intersection(*map(set, closes)))
    found = []
    for earlier, later in pairwise(moments):
        own, *others = (
            change(one.splits, bars[earlier], bars[later])
            for one, bars in zip(together, closes, strict=True)
        )
        found.append(Move(later - earlier, _beside(own, others)))
    return found


def _beside(own: Decimal, others: Sequence[Decimal]) -> Decimal:
    mean = RATES.divide(sum(others, Decimal(0)), Decimal(len(others)))
    return RATES.subtract(own, mean)
