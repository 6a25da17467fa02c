"""Hours at which a position was held and no payment of funding is known."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from afterword.pipeline.domain.fills.model import Fill

HOUR_MS: Final = 3_600_000
"""Hyperliquid books funding each full hour; milliseconds."""


def missing_hours(
    fills: Sequence[Fill],
    payments: Sequence[tuple[int, str, Decimal]],
    first_ms: int,
    last_ms: int,
) -> dict[str, list[int]]:
    """Return the hours of a span without a payment, by market; UTC milliseconds, in order.

    Args:
        fills: of an account, in the order in which they executed.
        payments: as (UTC milliseconds, symbol, amount).
        first_ms, last_ms: the span, without its first moment; UTC milliseconds.
    """
    paid = {(symbol, at_ms // HOUR_MS) for at_ms, symbol, _ in payments}
    markets: dict[str, list[Fill]] = defaultdict(list)
    for fill in fills:
        if fill.states_position:
            markets[fill.symbol].append(fill)
    missing = {
        symbol: [
            hour * HOUR_MS
            for hour in _held_hours(of, first_ms, last_ms)
            if (symbol, hour) not in paid
        ]
        for symbol, of in sorted(markets.items())
    }
    return {symbol: hours for symbol, hours in missing.items() if hours}


def _held_hours(fills: Sequence[Fill], first_ms: int, last_ms: int) -> Iterator[int]:
    """Yield the hours since 1970 at which a market was held: after a fill, up to the next one."""
    for fill, end_ms in _ends(fills, last_ms):
        if fill.end_position:
            start = max(fill.time_ms, first_ms) // HOUR_MS + 1
            yield from range(start, min(end_ms, last_ms) // HOUR_MS + 1)


def _ends(fills: Sequence[Fill], last_ms: int) -> Iterator[tuple[Fill, int]]:
    """Yield each fill with the moment of the next one."""
    for fill, later in pairwise(fills):
        yield fill, later.time_ms
    if fills:
        yield fills[-1], last_ms
