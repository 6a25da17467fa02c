"""Roles without skill on made prices that are awkward: they are told nothing.

The benchmark `evidence` has the same worlds with many runs; seeds are fixed.
"""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import product
from math import exp, sqrt
from random import Random

import pytest

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.patterns.family import families_by_class
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.rules.market.bars import Bar

DAY = timedelta(days=1)
START = datetime(2020, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 1, tzinfo=UTC)
COINS = ("SOL", "AVAX", "NEAR")
WARM, DAYS = 100, 360


def correlated(chance):
    """Coins that share nine tenths of their moves."""
    market = [chance.gauss(0, 0.03) for _ in range(DAYS + 3)]
    return {
        coin: [sqrt(0.9) * move + sqrt(0.1) * chance.gauss(0, 0.03) for move in market]
        for coin in COINS
    }


def in_regimes(chance):
    """Coins that rise for eighty days and fall for eighty, ever wilder."""
    return {
        coin: [
            (1 + day // 80) * (chance.gauss(0, 0.01) + (0.001 if day // 80 % 2 else -0.001))
            for day in range(DAYS + 3)
        ]
        for coin in COINS
    }


def with_gaps(chance):
    """Coins whose source is silent on one day of six, and no day knows of it."""
    return {
        coin: [chance.gauss(0, 0.03) if chance.random() < 5 / 6 else None for _ in range(DAYS + 3)]
        for coin in COINS
    }


def book(moves):
    bars = {}
    for coin, each in moves.items():
        price, found = 100.0, []
        for day, move in enumerate(each):
            first, price = price, price * exp(Random(day).gauss(0, 0.03) if move is None else move)
            if move is not None:
                ends = Decimal(f"{first:.5f}"), Decimal(f"{price:.5f}")
                found.append(
                    Bar(START + day * DAY, DAY, ends[0], max(ends), min(ends), ends[1], Decimal(0))
                )
        bars[Series("test", f"{coin}USDT", DAY)] = found
    return PriceBook(bars)


def of_both_sides(world, chance):
    """Return what a long and a short become on each day, of each coin with a price."""
    measurer, found = OutcomeMeasurer(book(world(chance)), LATER), {}
    for day, coin, side in product(range(WARM, DAYS), COINS, ("long", "short")):
        subject = Subject("decision", day, coin, side, START + day * DAY + DAY / 3)
        (one,) = measurer.over(subject, (24,))
        if isinstance(one, MeasuredOutcome):
            known = one._asdict() | {"id": day, "confidence": None}
            found[day, coin, side] = OutcomeRow(
                **{name: known[name] for name in OutcomeRow._fields}
            )
    return found


@pytest.mark.parametrize("world", [correlated, in_regimes, with_gaps])
def test_of_roles_without_skill_few_are_told_of_a_pattern(world):
    """A coin a day decides for all assets at once. Twenty roles, five on the same prices."""
    told = 0
    for seed in range(4):
        chance = Random(seed)
        both = of_both_sides(world, chance)
        assert len(both) > (DAYS - WARM) * len(COINS)  # gaps leave enough
        for _ in range(5):
            sides = [chance.choice(("long", "short")) for _ in range(DAYS)]
            rows = [row for (day, _, side), row in both.items() if side == sides[day]]
            rows.sort(key=lambda row: row.entry_at)
            families = families_by_class(rows, CONFIRMED_LEVEL).values()
            told += any(one.was_confirmed for one in families)

    assert told / 20 <= 0.05 + 2 * (0.05 * 0.95 / 20) ** 0.5
