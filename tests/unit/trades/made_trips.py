"""Trips and hourly bars made for the tests of this room."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.bars import Bar

HOUR = timedelta(hours=1)
START = datetime(2026, 1, 5, tzinfo=UTC)
"""A Monday."""


def trip(number: int, opened: datetime, hours: float, net: str, **changes: Any) -> Trip:
    """Return a complete long of 1 BTC at 100, by its number."""
    values: dict[str, Any] = {
        "trip_uid": f"{number:032x}",
        "venue": "binance",
        "account": "me",
        "symbol": "BTCUSDT",
        "kind": "perp",
        "direction": "long",
        "quote": "USDT",
        "opened_at": opened,
        "closed_at": opened + hours * HOUR,
        "entry_px": Decimal(100),
        "exit_px": Decimal(100) + Decimal(net),
        "size": Decimal(1),
        "multiplier": Decimal(1),
        "notional": Decimal(100),
        "gross": Decimal(net),
        "fees": Decimal(0),
        "other_fees": (),
        "funding": None,
        "net": Decimal(net),
        "fills": 2,
        "losing_adds": 0,
        "is_incomplete": False,
        "is_liquidated": False,
        "flags": (),
    }
    return Trip(**values | changes)


def bars(closes: Sequence[str], first: datetime = START, wick: str = "0.5") -> list[Bar]:
    """Return hourly bars with these closes; each goes a wick beyond its open and close."""
    found, before = [], Decimal(closes[0])
    for place, written in enumerate(closes):
        close = Decimal(written)
        high, low = max(before, close) + Decimal(wick), min(before, close) - Decimal(wick)
        found.append(Bar(first + place * HOUR, HOUR, before, high, low, close, Decimal(1)))
        before = close
    return found


def prices(**series: list[Bar]) -> PriceBook:
    return PriceBook({Series("file", name, HOUR): found for name, found in series.items()})


def walk(chance: Random, count: int, step: float = 0.006) -> list[str]:
    """Return the closes of a random walk around 100."""
    price, found = 100.0, []
    for _ in range(count):
        price *= 1 + chance.gauss(0, step)
        found.append(f"{price:.4f}")
    return found
