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
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
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


HOUR = timedelta(hours=1)
WEEKS = 60


def busy_week() -> dict[datetime, float]:
    """Return the moves of a market that is closed at weekends and moves most in the afternoon."""
    chance, moves = Random(7), {}
    for hour in range(WEEKS * 168):
        at = START + hour * HOUR  # a Monday
        if at.weekday() < 5:
            moves[at] = chance.gauss(0, 0.002 if 12 <= at.hour < 16 else 0.0005)
    return moves


def measured_calls(
    moves: dict[datetime, float], asked: list[datetime], hours: int
) -> list[MeasuredOutcome | OutcomeObstacle]:
    """Return neutral calls on a market with these moves of its hours."""
    price, bars = 100.0, []
    for at, move in moves.items():
        price *= 1 + move
        close = Decimal(f"{price:.6f}")
        bars.append(Bar(at, HOUR, close, close, close, close, Decimal(0)))
    measurer = OutcomeMeasurer(
        PriceBook({Series("test", "EURUSD", HOUR): bars}), START + DAYS * DAY
    )
    return [
        measurer.over(Subject("decision", 0, "EURUSD", "neutral", at), [hours])[0] for at in asked
    ]


def test_no_part_of_the_day_makes_a_neutral_call_right():
    moves = busy_week()
    asked = [at for at in list(moves)[120 * 30 : -24] if at.hour % 4 == 0]
    said: dict[int, Counter[str]] = {}
    for at, found in zip(asked, measured_calls(moves, asked, 4), strict=True):
        assert isinstance(found, MeasuredOutcome)
        said.setdefault(at.hour, Counter())[found.verdict] += 1

    assert len(said) == 6
    for verdicts in said.values():
        right = verdicts["right"] / (verdicts["right"] + verdicts["wrong"])
        assert 0.35 <= right <= 0.65


def test_a_neutral_call_says_nothing_of_a_holiday():
    moves = busy_week()
    friday = START + 50 * 7 * DAY + 4 * DAY
    open_hours = {at: move for at, move in moves.items() if not friday <= at < friday + DAY}
    (found,) = measured_calls(open_hours, [friday], 24)

    assert isinstance(found, OutcomeObstacle)
    assert found.reason == "closed"
