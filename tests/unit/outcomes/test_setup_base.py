"""What a market does after a move is in the base rate of the setup, and is no skill of a role."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.patterns.family import vote_of
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Stance

DAY = timedelta(days=1)
START = datetime(2022, 1, 1, tzinfo=UTC)
DAYS = 400


def reverting_outcomes(stance: Stance) -> list[MeasuredOutcome]:
    """Measure a call each day on a market that takes three of four moves back."""
    chance, price, way, bars = Random(3), 100.0, 1, []
    for day in range(DAYS):
        way = -way if chance.random() < 0.75 else way
        price *= 1 + way * 0.02
        close = Decimal(f"{price:.6f}")
        bars.append(Bar(START + day * DAY, DAY, close, close, close, close, Decimal(0)))
    prices = PriceBook({Series("test", "SOLUSDT", DAY): bars})
    measurer = OutcomeMeasurer(prices, START + DAYS * DAY)
    found = [
        measurer.over(Subject("decision", day, "SOL", stance, START + day * DAY), [24])[0]
        for day in range(200, DAYS)
    ]
    return [one for one in found if isinstance(one, MeasuredOutcome)]


def test_a_short_after_a_rise_is_compared_with_what_any_short_met_there():
    last = [one for one in reverting_outcomes("short") if one.trend == "up"][-1]

    assert last.base_ppb is not None
    assert last.setup_base_ppb is not None
    assert 0.45e9 <= last.base_ppb <= 0.55e9
    assert 0.65e9 <= last.setup_base_ppb <= 0.75e9  # of about 195 windows, beside 60 with a half
    assert 150 <= (last.setup_votes or 0) <= 200


def test_a_pattern_bets_against_the_base_of_its_setup():
    last = [one for one in reverting_outcomes("long") if one.trend == "down"][-1]
    row = OutcomeRow(
        **{name: getattr(last, name, None) for name in OutcomeRow._fields}  # type: ignore[arg-type]
    )
    vote = vote_of(row)

    assert vote is not None
    assert vote.base == (last.setup_base_ppb or 0) / 1e9


def test_a_neutral_call_has_no_setup():
    assert {(one.setup_base_ppb, one.setup_votes) for one in reverting_outcomes("neutral")} == {
        (None, None)
    }
