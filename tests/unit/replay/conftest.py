"""Series with chosen closes, and walks drawn from a seed."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow

START = datetime(2024, 1, 4, tzinfo=UTC)
"""A Thursday: weeks since 1970 begin on Thursdays."""


@pytest.fixture(scope="session")
def closes():
    """Make a series of bars without a gap from their closes, the first one opened at `start`."""

    def make(
        values, symbol="SOLUSDT", interval=timedelta(days=1), splits=(), start=START, without=()
    ):
        ladder, step = Ladder(symbol, interval, splits), interval // timedelta(microseconds=1)
        rows = (
            PriceRow(to_micros(start) + place * step, *4 * (str(value),))
            for place, value in enumerate(values)
            if place not in without
        )
        ladder.extend(rows)
        return ladder

    return make


@pytest.fixture(scope="session")
def walk():
    """Draw a walk of prices with two decimals."""

    def draw(count, seed=1, step=0.01):
        chance, price, found = random.Random(seed), 100.0, []
        for _ in range(count):
            price *= 1 + chance.gauss(0, step)
            found.append(f"{price:.2f}")
        return found

    return draw
