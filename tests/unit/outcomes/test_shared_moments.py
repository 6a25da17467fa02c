"""A measurer shares what decisions of one moment share, and nothing that makes them differ."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import product
from random import Random
from zoneinfo import ZoneInfo

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.rules.market.outcome import STANCES
from afterword.pipeline.rules.market.windows import HOUR_US
from afterword.pipeline.testing.roles import HOUR, book

START = datetime(2024, 1, 1, tzinfo=UTC)
HOURS = 24 * 40
WINDOWS = (4, 24, 168)


def test_decisions_in_any_order_have_the_outcomes_of_each_alone():
    chance, prices = Random(7), walks("BTC", "SOL")
    calls = product(
        ("BTC", "SOL", "SOLUSDT"),
        (START + 20 * 24 * HOUR, START + 20 * 24 * HOUR + HOUR / 2, START + 25 * 24 * HOUR),
        STANCES,
        ((None, None), (Decimal(95), None), (None, Decimal(105)), (Decimal(95), Decimal(105))),
        (None, Decimal(1000)),
        ((), ("BTC",)),
    )
    asked = [
        (Subject("decision", row_id, asset, stance, at, *plan, size), peers)
        for row_id, (asset, at, stance, plan, size, peers) in enumerate(calls)
    ]
    chance.shuffle(asked)
    now = START + HOURS * HOUR
    shared = OutcomeMeasurer(prices, now)

    for subject, peers in asked:
        alone = OutcomeMeasurer(prices, now).over(subject, WINDOWS, peers)
        assert shared.over(subject, WINDOWS, peers) == alone
        assert [type(outcome) for outcome in alone] == [MeasuredOutcome] * len(WINDOWS)


def test_the_hour_that_comes_twice_in_autumn_is_two_moments():
    start = datetime(2024, 10, 1, tzinfo=UTC)
    measurer = OutcomeMeasurer(walks("BTC", start=start), start + HOURS * HOUR)
    once = datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))

    first, second = (
        measurer.over(Subject("decision", 1, "BTC", "long", moment), [24])[0]
        for moment in (once, once.replace(fold=1))
    )
    assert isinstance(first, MeasuredOutcome)
    assert isinstance(second, MeasuredOutcome)
    assert second.entry_at - first.entry_at == HOUR_US


def walks(*assets: str, start: datetime = START) -> PriceBook:
    """Return hourly prices that wander around 100."""
    series = {}
    for asset in assets:
        chance, close = Random(asset), 100.0
        closes = [close := close * (1 + chance.gauss(0, 0.004)) for _ in range(HOURS)]
        prices = book(f"{asset}USDT", start, closes)
        (one,) = prices.series(asset)
        series[one] = prices.bars(one, start, start + HOURS * HOUR, start + HOURS * HOUR)
    return PriceBook(series)
