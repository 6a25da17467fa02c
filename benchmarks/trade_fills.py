"""Files that begin and end in the middle of positions: fills, and the trips that are read."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from types import SimpleNamespace

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.trips import rows
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.model import RoundTrip
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.trips.trip import Trip
from benchmarks.trade_ideas import MONEY, Idea
from benchmarks.trades_books import COINS, Chance


def cut_trips(found: Iterable[Idea], chance: Chance, *, tells_positions: bool) -> list[Trip]:
    """Return the trips of a file that has the middle of an account, cut at two moments by chance.

    Args:
        tells_positions: whether each fill says what was held before it. Else a file that begins
            inside a position is read as if it were flat before.
    """
    fills = fills_of(found, tells_positions=tells_positions)
    begin = int(chance.integers(0, len(fills) // 4))
    end = len(fills) - int(chance.integers(0, len(fills) // 4))
    return [_trip(one) for one in fills_trips(fills[begin:end])]


def fills_of(found: Iterable[Idea], *, tells_positions: bool) -> list[Fill]:
    """Return what a venue would report, in order."""
    rows = []
    for one in found:
        units = [Decimal(order.units).quantize(MONEY) for order in one.orders[:-1]]
        for place, (order, size) in enumerate(
            zip(one.orders, [*units, -sum(units, Decimal(0))], strict=True)
        ):
            move = size if one.is_long else -size
            rows.append(
                (order.at, one.number, place, one.coin, move, Decimal(f"{order.price:.9g}"))
            )
    held: dict[int, _Held] = defaultdict(_Held)
    return [
        Fill(
            venue="binance",
            account="me",
            symbol=f"{COINS[coin]}USDT",
            kind="perp",
            side="B" if move > 0 else "A",
            px=price,
            sz=abs(move),
            quote="USDT",
            time_ms=to_micros(at) // 1_000,
            raw="{}",
            tid=f"{number}:{place}",
            oid=f"{number}:{place}",
            start_position=held[coin].units if tells_positions else None,
            closed_pnl=held[coin].traded(move, price) if tells_positions else None,
        )
        for at, number, place, coin, move, price in sorted(rows)
        if move
    ]


class _Held:
    """What a venue knows of a position."""

    def __init__(self) -> None:
        self.units = self.cost = Decimal(0)

    def traded(self, move: Decimal, price: Decimal) -> Decimal:
        """Take in a fill, and return the profit of what it closed."""
        earned = Decimal(0)
        if self.units * move < 0:
            closed = max(move, -self.units) if move < 0 else min(move, -self.units)
            average = self.cost / self.units
            earned = closed * (average - price)
            self.units, self.cost = self.units + closed, self.cost + closed * average
            move -= closed
        self.units, self.cost = self.units + move, self.cost + move * price
        return earned


def fills_trips(fills: Sequence[Fill]) -> list[RoundTrip]:
    """Return the closed positions of fills in any markets."""
    return [trip for chain in chain_fills(fills) for trip in round_trips(chain).closed]


def _trip(one: RoundTrip) -> Trip:
    """Return a trip as it is read back from the store."""
    return rows._trip(SimpleNamespace(**rows._columns(one, (0, 0), None)))
