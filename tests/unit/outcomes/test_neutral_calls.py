"""A neutral call without skill is right about half of the time, like any other call."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import exp
from random import Random

import pytest

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer, Subject
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar

DAY = timedelta(days=1)
START = datetime(2018, 1, 1, tzinfo=UTC)
DAYS = 1_800
"""So many independent windows of a day that chance moves their share by 1.2 points."""


def calm(chance: Random) -> Iterator[float]:
    """Normal moves of one size."""
    while True:
        yield chance.gauss(0, 0.02)


def wild(chance: Random) -> Iterator[float]:
    """Many small moves and few large ones: by Student's t with three degrees of freedom."""
    while True:
        squares = sum(chance.gauss(0, 1) ** 2 for _ in range(3))
        yield max(-0.5, min(0.5, 0.015 * chance.gauss(0, 1) / (squares / 3) ** 0.5))


def in_clusters(chance: Random) -> Iterator[float]:
    """Volatility that wanders: quiet months and loud ones."""
    level = 0.0
    while True:
        level = 0.97 * level + chance.gauss(0, 0.15)
        yield chance.gauss(0, 0.02 * exp(level))


def rising(chance: Random) -> Iterator[float]:
    """A market that rises by a tenth of its deviation each day."""
    while True:
        yield chance.gauss(0.002, 0.02)


@pytest.mark.parametrize("moves", [calm, wild, in_clusters, rising])
@pytest.mark.parametrize(("symbol", "of_week"), [("SOLUSDT", 7), ("AAPL", 5)])
def test_half_of_the_neutral_calls_at_any_time_are_right(
    moves: Callable[[Random], Iterator[float]], symbol: str, of_week: int
):
    chance, price, bars = Random(f"{moves.__name__} {symbol}"), 100.0, []
    for day, move in zip(range(DAYS), moves(chance), strict=False):
        if day % 7 < of_week:
            first, price = Decimal(f"{price:.6f}"), price * (1 + move)
            close = Decimal(f"{price:.6f}")
            ends = min(first, close), max(first, close)
            bars.append(Bar(START + day * DAY, DAY, first, *ends[::-1], close, Decimal(0)))
    measurer = OutcomeMeasurer(PriceBook({Series("test", symbol, DAY): bars}), START + DAYS * DAY)
    asked = range(300, DAYS - 5)
    found = [
        measurer.over(
            Subject("decision", day, symbol, "neutral", START + day * DAY + timedelta(hours=9)),
            [24],
        )[0]
        for day in asked
    ]

    measured = [one for one in found if isinstance(one, MeasuredOutcome)]
    assert len(measured) == len(asked)
    votes = {one.entry_at: one for one in measured}.values()  # Saturday and Sunday share one
    said = Counter(one.verdict for one in votes)
    assert 0.45 <= said["right"] / (said["right"] + said["wrong"]) <= 0.55
    assert 0.03 <= said["noise"] / len(votes) <= 0.12
    assert 450_000_000 <= (measured[-1].base_ppb or 0) <= 550_000_000
