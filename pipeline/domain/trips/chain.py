"""The order in which fills executed: by time, and inside a millisecond by the positions they left.

Where the venue states positions, one fill starts where the one before it ended. Up to 55 fills
share a millisecond, and neither tid nor page order is their order everywhere: some answers are
newest first throughout, some only from one millisecond to the next. Where the venue states none,
the order given is the order.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from afterword.pipeline.domain.fills.model import AccountMarket, Fill
from afterword.pipeline.domain.trips.model import Chain, ChainBreak


class _Arrow(NamedTuple):
    """A fill from one position to another."""

    fill: Fill
    start: Decimal
    end: Decimal


def chain_fills(fills: Iterable[Fill]) -> tuple[Chain, ...]:
    """Order fills per account market, and report where a page is missing.

    A repeat (same account and `fill_uid`) is dropped: pages overlap at their last timestamp.
    Inside a millisecond the order given is kept if no other closes more links; where several
    orders close equally many, the order given decides. Breaks are reported, never repaired.
    Spot balances also move without a fill, so a spot chain has an order but no breaks.

    Args:
        fills: fills of any accounts and coins, in the order their pages gave them.

    Returns:
        One chain per account market, sorted by account and symbol.
    """
    markets: dict[AccountMarket, dict[str, Fill]] = defaultdict(dict)
    for fill in fills:
        markets[fill.market].setdefault(fill.fill_uid, fill)
    return tuple(_chain(market, known.values()) for market, known in sorted(markets.items()))


def _chain(market: AccountMarket, fills: Iterable[Fill]) -> Chain:
    ordered: list[Fill] = []
    moments = groupby(sorted(fills, key=attrgetter("time_ms")), key=attrgetter("time_ms"))
    for _, moment in moments:
        position = ordered[-1].end_position if ordered else None
        ordered += _in_order(list(moment), position)
    return Chain(market, tuple(ordered), tuple(_breaks(ordered)))


def _breaks(ordered: Sequence[Fill]) -> Iterator[ChainBreak]:
    for earlier, later in pairwise(ordered):
        expected, start = earlier.end_position, later.start_position
        if not later.states_position or expected is None or start is None:
            continue
        if expected != start:
            yield ChainBreak(earlier, later, expected, start)


def _in_order(moment: list[Fill], position: Decimal | None) -> list[Fill]:
    """Order the fills of one millisecond, given the position before it (None if unknown)."""
    if _open_links(moment, position) == 0:
        return moment
    # An answer that is newest first throughout has this millisecond backwards too.
    candidates = (moment, moment[::-1], _followed(moment, position))
    return min(candidates, key=lambda order: _open_links(order, position))


def _open_links(order: list[Fill], position: Decimal | None) -> int:
    count = 0
    for fill in order:
        start = fill.start_position
        count += position is not None and start is not None and start != position
        position = fill.end_position
    return count


def _followed(moment: list[Fill], position: Decimal | None) -> list[Fill]:
    """Use every fill once, each starting where the one before it ended as far as that goes.

    Positions are points, fills are arrows between them: an Eulerian trail, found in linear time.
    Fills without a position come last.
    """
    arrows = [
        _Arrow(fill, fill.start_position, fill.end_position)
        for fill in moment
        if fill.start_position is not None and fill.end_position is not None
    ]
    leaving: dict[Decimal, list[_Arrow]] = defaultdict(list)
    for arrow in reversed(arrows):
        leaving[arrow.start].append(arrow)
    left_over = Counter(arrow.start for arrow in arrows)
    left_over.subtract(arrow.end for arrow in arrows)
    # A trail must begin where more fills start than end; without such a point they form rings,
    # which begin at the position before them, or flat if nothing is known before them.
    begins = list((+left_over).elements()) or list(leaving)
    begins.sort(key=lambda point: point != (position or 0))
    return [
        *(arrow.fill for point in (*begins, *leaving) for arrow in _trail(leaving, point)),
        *(fill for fill in moment if fill.start_position is None),
    ]


def _trail(leaving: dict[Decimal, list[_Arrow]], point: Decimal) -> list[_Arrow]:
    """Take the fills of one trail out of `leaving`.

    Source: C. Hierholzer, Mathematische Annalen 6 (1873), 30-32.
    """
    path: list[_Arrow] = []
    trail: list[_Arrow] = []
    while True:
        point_fills = leaving.get(path[-1].end if path else point)
        if point_fills:
            path.append(point_fills.pop())
        elif path:
            trail.append(path.pop())
        else:
            return trail[::-1]
