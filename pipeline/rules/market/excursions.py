"""Excursions: how far a price went with a stance and against it while it was open."""

from typing import Literal

from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder, LadderEntry


def excursions(ladder: Ladder, entry: LadderEntry, last: int) -> tuple[int, int]:
    """Return how far the price went down and up from an entry to the close of an exit.

    Every bar between the two lies wholly inside the window.

    Args:
        last: place of the bar of the exit.

    Returns:
        Parts per billion of the entry; 0 or less, and 0 or more.
    """
    price, first = entry.price, entry.last + 1
    low, high = ladder.lows.between(first, last), ladder.highs.between(first, last)
    down = rounded((low - price) * PPB, price) if low < price else 0
    up = rounded((high - price) * PPB, price) if high > price else 0
    return down, up


def excursions_from(
    ladder: Ladder,
    prices: tuple[int, int, int],
    first: int,
    last: int,
    opened: int,
    closed: int,
    direction: Literal["long", "short"],
) -> tuple[int, int, int, int]:
    """Return the excursions of a position with entry and exit prices of its own.

    Sure are its exit, the bars wholly inside it, and the closes that fell into it. The bars of its
    entry and exit are only possible: they went there before or after it perhaps.

    Args:
        prices: entry and exit over one denominator, in the units of the ladder.
        first: place of the bar in which it was entered; `last` of that of its exit.
        opened: microseconds, like `closed`.

    Returns:
        Against it, surely and possibly; with it, surely and possibly; parts per billion of the
        entry, 0 or less against it, 0 or more with it.
    """
    entry, leave, parts = prices
    moments, closes, lows, highs = ladder.closed, ladder.closes, ladder.lows, ladder.highs
    low, high = min(entry, leave), max(entry, leave)
    begin = first if moments[first] - ladder.interval >= opened else first + 1
    end = last if moments[last] <= closed else last - 1
    if begin <= end:
        low, high = (
            min(low, lows.between(begin, end) * parts),
            max(high, highs.between(begin, end) * parts),
        )
    if begin > first and moments[first] <= closed:
        low, high = min(low, closes[first] * parts), max(high, closes[first] * parts)
    least = min(low, lows.values[first] * parts, lows.values[last] * parts)
    most = max(high, highs.values[first] * parts, highs.values[last] * parts)
    down, up = rounded((low - entry) * PPB, entry), rounded((high - entry) * PPB, entry)
    down_possible = rounded((least - entry) * PPB, entry)
    up_possible = rounded((most - entry) * PPB, entry)
    if direction == "short":
        return -up, -up_possible, -down, -down_possible
    return down, down_possible, up, up_possible
