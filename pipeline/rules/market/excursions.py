"""Excursions: how far a price went with a stance and against it while it was open."""

from typing import Literal

from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.outcome import Stance


def excursions(
    ladder: Ladder, entry: int, last: int, decided: int, due: int, stance: Stance
) -> tuple[int, int, int, int]:
    """Return the excursions: against it, surely and possibly; with it, surely and possibly.

    Bars that were open at the decision, or at the due moment, are only possible. Of a neutral
    stance, the first two are down and the others up.

    Args:
        entry: place of the bar of the entry; `last` of that of the exit.
        decided: when the stance was taken; microseconds, like `due`.

    Returns:
        Parts per billion of the entry price; 0 or less against it, 0 or more with it.
    """
    closed, closes, lows, highs = ladder.closed, ladder.closes, ladder.lows, ladder.highs
    price, exit_price, first = closes[entry], closes[last], entry + 1
    begin = first if closed[first] - ladder.interval >= decided else first + 1
    end = last if closed[last] <= due else last - 1
    # The entry, the exit and the close of the first bar are points of the window in any case.
    low, high = min(price, exit_price, closes[first]), max(price, exit_price, closes[first])
    if begin <= end:
        low, high = min(low, lows.between(begin, end)), max(high, highs.between(begin, end))
    least = min(low, lows.values[first], lows.values[last])
    most = max(high, highs.values[first], highs.values[last])
    down, up = rounded((low - price) * PPB, price), rounded((high - price) * PPB, price)
    down_possible = rounded((least - price) * PPB, price) if least < low else down
    up_possible = rounded((most - price) * PPB, price) if most > high else up
    if stance == "short":
        return -up, -up_possible, -down, -down_possible
    return down, down_possible, up, up_possible


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
        As `excursions` does, in parts per billion of the entry.
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
