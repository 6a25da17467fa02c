"""A decision is measured from the first price at or after it: nothing that it may know counts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest

from afterword.pipeline.domain.outcomes.measure import measure
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=UTC)  # a Monday
LATER = datetime(2026, 1, 1, tzinfo=UTC)
SOL, AAPL = Series("test", "SOLUSDT", HOUR), Series("test", "AAPL", DAY)


def a_bar(at: datetime, length: timedelta, first: float, close: float) -> Bar:
    """A bar that goes from its open to its close."""
    ends = Decimal(f"{first:.6f}"), Decimal(f"{close:.6f}")
    return Bar(at, length, ends[0], max(ends), min(ends), ends[1], Decimal(0))


def hours(count: int, *gone: int) -> list[Bar]:
    """Hours that close at 101, 102, 103, ..., without some of them."""
    bars = [a_bar(START + at * HOUR, HOUR, 100 + at, 101 + at) for at in range(count)]
    return [bar for at, bar in enumerate(bars) if at not in gone]


def weekdays(count: int) -> list[Bar]:
    """Days of a market that closes: they open at .0, close at .5, and open one higher."""
    days = [day for day in range(count) if day % 7 < 5]
    return [a_bar(START + day * DAY, DAY, 100 + day, 100.5 + day) for day in days]


def outcome(
    series: Series, bars: list[Bar], asset: str, at: datetime, window: int, **plan: Decimal
) -> MeasuredOutcome | OutcomeObstacle:
    return measure(
        PriceBook({series: bars}),
        Subject("decision", 1, asset, "long", at, **plan),  # type: ignore[arg-type]
        window,
        LATER,
    )


def measured(*of: object, **plan: Decimal) -> MeasuredOutcome:
    found = outcome(*of, **plan)  # type: ignore[arg-type]
    assert isinstance(found, MeasuredOutcome), found
    return found


def moment(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("minutes", "entry", "age"), [(0, "140", 0), (1, "141", 59), (59, "141", 1), (60, "141", 0)]
)
def test_a_decision_enters_at_the_first_close_at_or_after_it(minutes, entry, age):
    found = measured(SOL, hours(100), "SOL", START + 40 * HOUR + minutes * MINUTE, 4)

    assert (found.entry_price, found.entry_age_us) == (entry, age * 60_000_000)
    assert found.exit_at == found.entry_at + 4 * 3_600_000_000
    assert Decimal(found.exit_price) == Decimal(entry) + 4


@pytest.mark.parametrize("hour", [0, 1, 15, 22])
def test_a_day_of_a_market_that_closes_is_entered_at_its_open(hour):
    """A decision inside a day may know its close, and the news after it."""
    wednesday = START + 58 * DAY
    found = measured(AAPL, weekdays(90), "AAPL", wednesday + hour * HOUR, 24)

    first = 158 if hour == 0 else 159
    assert (found.entry_price, found.exit_price) == (str(first), f"{first}.5")
    assert found.exit_at - found.entry_at == 24 * 3_600_000_000


@pytest.mark.parametrize("hour", [1, 23])
def test_where_a_day_has_one_price_that_of_the_next_day_is_the_entry(hour):
    """A file of closes repeats them as opens: they were printed in the evening."""
    days = [a_bar(one.t_open, DAY, float(one.close), float(one.close)) for one in weekdays(90)]
    wednesday = START + 58 * DAY

    found = measured(AAPL, days, "AAPL", wednesday + hour * HOUR, 24)

    assert (found.entry_price, found.exit_price) == ("159.5", "160.5")  # Thursday, Friday
    assert found.entry_at == moment(wednesday + 2 * DAY)


def test_a_decision_of_the_weekend_enters_on_monday():
    saturday = START + 61 * DAY
    found = measured(AAPL, weekdays(90), "AAPL", saturday + 9 * HOUR, 24)

    assert (found.entry_at, found.entry_price) == (moment(saturday + 2 * DAY), "163")


def test_without_a_price_near_enough_nothing_is_measured():
    """Two bars of a market that never closes may be missing; of a third one nothing is known."""
    at = START + 40 * HOUR
    near = measured(SOL, hours(100, 39, 40), "SOL", at, 4)
    far = outcome(SOL, hours(100, 39, 40, 41), "SOL", at, 4)

    assert near.entry_price == "142"
    assert isinstance(far, OutcomeObstacle)
    assert far.reason == "no_entry"


def test_the_exit_is_the_first_close_from_the_end_of_the_window_on():
    at = START + 40 * HOUR + MINUTE
    late = measured(SOL, hours(100, 44, 45), "SOL", at, 4)
    gone = outcome(SOL, hours(100, 44, 45, 46), "SOL", at, 4)

    assert late.exit_at == moment(START + 47 * HOUR)
    assert isinstance(gone, OutcomeObstacle)
    assert gone.reason == "no_exit"


def test_a_window_that_has_not_ended_since_its_entry_says_when_it_will():
    at = START + 40 * HOUR + 20 * MINUTE
    found = measure(
        PriceBook({SOL: hours(100)}), Subject("decision", 1, "SOL", "long", at), 4, at + 4 * HOUR
    )

    assert isinstance(found, OutcomeObstacle)
    assert found.again_at == moment(START + 45 * HOUR)


def test_both_ends_are_of_one_series():
    """The finer series ends inside the window, so the coarser one tells the whole."""
    minutes = Series("test", "SOLUSDT", 15 * MINUTE)
    quarters = [
        a_bar(START + place * 15 * MINUTE, 15 * MINUTE, 100, 100.25 + place % 2)
        for place in range(41 * 4)
    ]
    book = PriceBook({minutes: quarters, SOL: hours(100)})
    at = START + 40 * HOUR + 20 * MINUTE
    found = measure(book, Subject("decision", 1, "SOL", "long", at), 4, LATER)

    assert isinstance(found, MeasuredOutcome)
    assert (found.entry_price, found.exit_price) == ("141", "145")


@pytest.mark.parametrize("plan", [{"stop_price": Decimal(142)}, {"target_price": Decimal(141)}])
def test_a_plan_that_is_passed_at_the_entry_is_judged_by_the_window(plan):
    found = measured(SOL, hours(100), "SOL", START + 40 * HOUR + MINUTE, 4, **plan)

    assert (found.plan, found.plan_passed) == (None, True)
    assert found.verdict == found.window_verdict


def followed(style: str) -> Iterator[MeasuredOutcome]:
    """Decisions at random minutes that follow the minutes since the full hour, or fade them."""
    chance, price, minutes = Random(5), 100.0, []
    for _ in range(70 * 24 * 60):
        minutes.append(price)
        price *= 1 + chance.gauss(0, 0.0006)
    bars = [
        a_bar(START + hour * HOUR, HOUR, minutes[hour * 60], minutes[hour * 60 + 60])
        for hour in range(69 * 24)
    ]
    book, minute = PriceBook({SOL: bars}), 8 * 24 * 60
    while minute < 68 * 24 * 60:
        is_up = minutes[minute] > minutes[minute // 60 * 60]
        stance = "long" if is_up == (style == "follow") else "short"
        at = START + minute * MINUTE
        found = measure(book, Subject("decision", 1, "SOL", stance, at), 1, LATER)  # type: ignore[arg-type]
        assert isinstance(found, MeasuredOutcome)
        yield found
        minute += chance.randrange(61, 120)


@pytest.mark.parametrize("style", ["follow", "fade"])
def test_whoever_follows_the_minutes_before_has_no_skill(style):
    said = [one.verdict for one in followed(style)]

    assert 0.44 < said.count("right") / (said.count("right") + said.count("wrong")) < 0.56


def test_whoever_knows_what_came_after_the_close_has_no_skill():
    chance, price, bars, jumps = Random(7), 100.0, [], {}
    for day in range(700):
        if day % 7 >= 5:
            continue
        jumps[day] = chance.gauss(0, 0.015)  # after the close before
        first = price * (1 + jumps[day])
        price = first * (1 + chance.gauss(0, 0.01))
        bars.append(a_bar(START + day * DAY, DAY, first, price))
    book, said = PriceBook({AAPL: bars}), []
    for day in range(140, 690):
        if day % 7 < 4:  # decided in the evening, after the news of the next day's jump
            stance = "long" if jumps[day + 1] > 0 else "short"
            at = START + day * DAY + 23 * HOUR
            found = measure(book, Subject("decision", 1, "AAPL", stance, at), 24, LATER)  # type: ignore[arg-type]
            assert isinstance(found, MeasuredOutcome)
            said.append(found.verdict)

    assert 0.42 < said.count("right") / (said.count("right") + said.count("wrong")) < 0.58
