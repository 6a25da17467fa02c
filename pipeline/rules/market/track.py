"""The prices of a decision's market that its outcome needs, alone or beside its peers."""

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
"""The greatest ratio between two bars (and 1 / 1.8 the smallest) that is believed for a market that
may split."""


@dataclass(frozen=True, slots=True)
class Track:
    """The prices of one market around one decision.

    Args:
        symbol: the market as its source writes it.
        recent: bars known at the decision, the entry last.
        window: entry and exit, and the bars between if the market may split.
        splits: splits of this market at any time.
    """

    source: str
    symbol: str
    recent: tuple[Bar, ...]
    window: tuple[Bar, ...]
    splits: tuple[Split, ...] = ()

    @property
    def entry(self) -> PricePoint:
        """The price known at the decision."""
        return self._point(self.window[0])

    @property
    def exit(self) -> PricePoint:
        """The price at the due moment of the decision."""
        return self._point(self.window[-1])

    @property
    def change(self) -> Decimal:
        """The relative price move from entry to exit, adjusted for splits."""
        return change(self.splits, self.window[0], self.window[-1])

    def moves(self) -> list[Move]:
        """The moves known at the decision."""
        return moves(self.recent, self.splits)

    def jump(self) -> Bar | None:
        """The bar of a move that looks like an unexplained split; None if there is none."""
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
    """Return whether units of a market may be split; coins and currencies never are."""
    return asset_group(symbol) not in ("crypto", "forex")


def relative_change(track: Track, peers: Sequence[Track]) -> Decimal:
    """Return the move of a market minus the mean move of its peers; 0.05 is 5 points."""
    return _beside(track.change, [peer.change for peer in peers])


def relative_moves(track: Track, peers: Sequence[Track]) -> list[Move]:
    """Return the moves relative to the peers, between moments at which all have a close."""
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
