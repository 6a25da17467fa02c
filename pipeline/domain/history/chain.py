"""The order in which fills executed: by time, and inside a millisecond by the positions they left.

On a perpetual, where one fill ends the next one starts. Up to 55 fills share a millisecond, and
neither tid nor page order is their order everywhere: some answers are newest first throughout,
some only from one millisecond to the next.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby, pairwise
from operator import attrgetter

from afterword.pipeline.domain.history.model import Chain, ChainBreak, Fill


def chain_fills(fills: Iterable[Fill]) -> tuple[Chain, ...]:
    """Order fills per account and coin, and report where a page is missing.

    A repeat (same account and `fill_uid`) is dropped: pages overlap at their last timestamp.
    Inside a millisecond the order given is kept if no other closes more links; where several
    orders close equally many, the order given decides. Breaks are reported, never repaired.
    Spot balances also move by transfers and by fees taken in the token, without a fill, so a
    spot chain has an order but no breaks.

    Args:
        fills: fills of any accounts and coins, in the order their pages gave them.

    Returns:
        One chain per account and coin, sorted by these names.
    """
    markets: dict[tuple[str, str], dict[str, Fill]] = defaultdict(dict)
    for fill in fills:
        markets[fill.account, fill.coin].setdefault(fill.fill_uid, fill)
    return tuple(
        _chain(account, coin, known.values()) for (account, coin), known in sorted(markets.items())
    )


def _chain(account: str, coin: str, fills: Iterable[Fill]) -> Chain:
    ordered: list[Fill] = []
    moments = groupby(sorted(fills, key=attrgetter("time_ms")), key=attrgetter("time_ms"))
    for _, moment in moments:
        position = ordered[-1].end_position if ordered else None
        ordered += _in_order(list(moment), position)
    return Chain(account, coin, tuple(ordered), tuple(_breaks(ordered)))


def _breaks(ordered: Sequence[Fill]) -> Iterator[ChainBreak]:
    for earlier, later in pairwise(ordered):
        if later.is_perp and earlier.end_position != later.start_position:
            yield ChainBreak(earlier, later)


def _in_order(moment: list[Fill], position: Decimal | None) -> list[Fill]:
    """Order the fills of one millisecond, given the position before it (None at the start)."""
    if _open_links(moment, position) == 0:
        return moment
    # An answer that is newest first throughout has this millisecond backwards too.
    candidates = (moment, moment[::-1], _followed(moment, position))
    return min(candidates, key=lambda order: _open_links(order, position))


def _open_links(order: list[Fill], position: Decimal | None) -> int:
    count = 0
    for fill in order:
        count += position is not None and fill.start_position != position
        position = fill.end_position
    return count


def _followed(moment: list[Fill], position: Decimal | None) -> list[Fill]:
    """Use every fill once, each starting where the one before it ended as far as that goes.

    Positions are points, fills are arrows between them: an Eulerian trail, found in linear time.
    """
    leaving: dict[Decimal, list[Fill]] = defaultdict(list)
    for fill in reversed(moment):
        leaving[fill.start_position].append(fill)
    left_over = Counter(fill.start_position for fill in moment)
    left_over.subtract(fill.end_position for fill in moment)
    # A trail must begin where more fills start than end; without such a point they form rings,
    # which begin at the position before them, or flat if nothing is known before them.
    begins = list((+left_over).elements()) or list(leaving)
    begins.sort(key=lambda point: point != (position or 0))
    return [fill for point in (*begins, *leaving) for fill in _trail(leaving, point)]


def _trail(leaving: dict[Decimal, list[Fill]], point: Decimal) -> list[Fill]:
    """Take the fills of one trail out of `leaving`.

    Source: C. Hierholzer, Mathematische Annalen 6 (1873), 30-32.
    """
    path: list[Fill] = []
    trail: list[Fill] = []
    while True:
        point_fills = leaving.get(path[-1].end_position if path else point)
        if point_fills:
            path.append(point_fills.pop())
        elif path:
            trail.append(path.pop())
        else:
            return trail[::-1]
