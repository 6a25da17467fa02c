"""What became of a decision, read from prices as they were known: nobody sees tomorrow."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.domain.outcomes.measure import measure
from afterword.pipeline.domain.outcomes.model import Subject
from afterword.pipeline.domain.outcomes.probes import Claim, PeerRelative, PriceDelta, Probes
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import LookAheadError, PriceSource, Series, asset_of
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Outcome
from afterword.pipeline.rules.market.splits import Split

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2024, 3, 4, tzinfo=UTC)  # a Monday
LATER = START + 400 * DAY

Bars = dict[Series, list[Bar]]
Make = Callable[..., PriceSource]


def a_bar(at: datetime, close: object, interval: timedelta = HOUR) -> Bar:
    """A bar that was higher: with one price only, its open would be unknown."""
    price = Decimal(str(close))
    return Bar(at, interval, price, price + 1, price, price, Decimal(1))


def a_series(symbol: str = "SOLUSDT", interval: timedelta = HOUR, source: str = "file") -> Series:
    return Series(source, symbol, interval)


def walk(
    count: int, interval: timedelta = HOUR, skip: Callable[[datetime], bool] = lambda _: False
):
    """Return bars that go up 1 % and down 1 % in turn, without those that are skipped."""
    moments = [START + place * interval for place in range(count)]
    return [
        a_bar(at, "101" if place % 2 else "100", interval)
        for place, at in enumerate(moments)
        if not skip(at)
    ]


@pytest.fixture
def make() -> Make:
    """Make a price source of bars and splits; stored prices answer the same, as their contract
    suite proves."""
    return PriceBook


def outcome(
    prices: PriceSource,
    at: datetime,
    hours: int,
    asset: str = "SOL",
    known_by: datetime = LATER,
    stance: Any = "long",
) -> Outcome:
    spec, claim = PriceDelta(hours), Claim({"asset": asset}, stance, at)
    return Probes().outcome(spec, claim, prices, known_by)


@pytest.mark.parametrize("read", ["measure", "outcome"])
def test_a_read_of_the_future_is_refused(make, read):
    prices = make({a_series(): walk(300)})
    now, then = START + 200 * HOUR, START + 200 * HOUR + timedelta(microseconds=1)

    with pytest.raises(LookAheadError):
        if read == "measure":
            subject = Subject("decision", 1, "SOL", "long", then - 24 * HOUR)
            measure(prices, subject, 24, now)
        else:
            outcome(prices, then - 24 * HOUR, 24, known_by=now)


def test_an_outcome_before_its_time_is_refused_also_where_nobody_has_prices(make):
    with pytest.raises(LookAheadError):
        outcome(make({}), START, 24, known_by=START + 23 * HOUR)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_what_comes_later_changes_no_read_and_no_outcome(data):
    """Cut the prices off at any moment: what could be read then is what is read today."""
    missing = data.draw(st.sets(st.integers(0, 299), max_size=60))
    closes = data.draw(st.lists(st.decimals(50, 200, places=2), min_size=300, max_size=300))
    series = a_series()
    bars = [
        a_bar(START + place * HOUR, close)
        for place, close in enumerate(closes)
        if place not in missing
    ]
    minutes = data.draw(st.integers(0, 300 * 60))
    now = START + timedelta(minutes=minutes)
    whole = PriceBook({series: bars})
    cut = PriceBook({series: [bar for bar in bars if bar.closed_at <= now]})
    asked = START + timedelta(minutes=data.draw(st.integers(0, minutes)))

    assert whole.close_at(series, asked, now) == cut.close_at(series, asked, now)
    assert whole.next_close(series, asked, now) == cut.next_close(series, asked, now)
    assert whole.bars(series, START, asked, now) == cut.bars(series, START, asked, now)

    hours = data.draw(st.integers(1, 48))
    if asked + hours * HOUR <= now:
        then = outcome(cut, asked, hours, known_by=now)
        assert outcome(whole, asked, hours, known_by=now) == then
        # Once it is known it stays: whoever asks later gets the same.
        if then.verdict != "unknown":
            assert outcome(whole, asked, hours, known_by=LATER) == then
            assert asked <= then.entry.at < then.exit.at <= now
            assert then.exit.at - then.entry.at >= hours * HOUR


def test_a_price_in_another_coin_is_another_asset():
    assert asset_of("ETHBTC") == "ETH/BTC"
    assert asset_of("EUR/USD") == "EURUSD"
    assert asset_of("USDJPY") == "USDJPY"


def test_the_entry_is_the_next_close_and_the_exit_the_first_one_when_due(make):
    bars = walk(200)
    bars += [a_bar(START + place * HOUR, 110) for place in range(200, 260)]
    found = outcome(make({a_series(): bars}), START + timedelta(hours=199, minutes=30), 24)

    assert (found.entry.at, found.entry.price) == (START + 200 * HOUR, 101)
    assert (found.exit.at, found.exit.price) == (START + 224 * HOUR, 110)
    assert (found.verdict, found.change) == ("right", Decimal("0.089108911"))


def test_a_close_at_the_moment_of_a_decision_is_its_entry(make):
    at = START + 200 * HOUR
    prices = make({a_series(): walk(300)})

    exact = outcome(prices, at, 24)
    after = outcome(prices, at + timedelta(microseconds=1), 24)

    assert (exact.entry.at, exact.exit.at) == (at, at + 24 * HOUR)
    assert (after.entry.at, after.exit.at) == (at + HOUR, at + 25 * HOUR)


def test_an_exit_is_known_when_the_window_since_the_entry_ends_and_no_later_bar_proves_it(make):
    prices = make({a_series(): walk(210)})
    at, due = START + timedelta(hours=180, minutes=30), START + 205 * HOUR

    early = outcome(prices, at, 24, known_by=due - timedelta(microseconds=1))
    late = outcome(prices, at, 24, known_by=due)

    assert (early.verdict, early.reason, early.again_at) == ("unknown", "no_exit", due)
    assert (late.entry.at, late.exit.at) == (START + 181 * HOUR, due)


def test_an_outage_of_crypto_leaves_the_outcome_unknown(make):
    hole = (START + 200 * HOUR, START + 210 * HOUR)
    prices = make({a_series(): walk(300, skip=lambda at: hole[0] <= at < hole[1])})

    assert outcome(prices, START + 204 * HOUR, 24).reason == "no_entry"
    assert outcome(prices, START + 181 * HOUR, 24).reason == "no_exit"
    assert outcome(prices, START + 176 * HOUR, 24).verdict != "unknown"


def test_one_missing_bar_is_borne_and_never_filled(make):
    lost = START + 203 * HOUR
    prices = make({a_series(): walk(300, skip=lambda at: at == lost)})

    closed = lost + HOUR
    assert outcome(prices, closed - 24 * HOUR, 24).exit.at == closed + HOUR
    assert outcome(prices, closed, 24).entry.at == closed + HOUR


def test_too_short_a_history_leaves_the_outcome_unknown(make):
    assert outcome(make({a_series(): walk(60)}), START + 20 * HOUR, 24).reason == "no_volatility"


def test_a_market_nobody_has_leaves_the_outcome_unknown(make):
    found = outcome(make({}), START, 24)

    assert (found.verdict, found.reason) == ("unknown", "no_series")


def test_a_weekend_ends_with_the_next_open(make):
    closed = {5, 6}
    days = walk(120, DAY, skip=lambda at: at.weekday() in closed)
    prices = make({a_series("AAPL", DAY): days})
    friday = START + 95 * DAY
    monday, tuesday = friday + 3 * DAY, friday + 4 * DAY

    found = outcome(prices, friday + timedelta(days=1, hours=12), 24, "AAPL")
    over = outcome(prices, friday, 48, "AAPL")

    assert found.entry.at == monday  # its open
    assert found.exit.at == tuesday  # Monday's close, usable from then on
    assert (over.entry.at, over.exit.at) == (friday, tuesday)
    assert "in 96 h, band" in over.why  # the hours between the two, not those of the window


def test_bars_longer_than_the_window_judge_nothing(make):
    """Of a day's move, most may have been before a decision of four hours."""
    days = {a_series(interval=DAY): walk(120, DAY)}
    evening = START + 100 * DAY + timedelta(hours=22)

    found = outcome(make(days), evening, 4)
    assert (found.verdict, found.reason) == ("unknown", "too_coarse")
    assert found.why.startswith("a price of SOLUSDT (file) each 24 h says little about 4 h; ")
    assert outcome(make(days), evening, 24).verdict != "unknown"

    hours = {a_series(): walk(120 * 24)}
    fine = outcome(make(days | hours), evening, 4)
    assert (fine.entry.at, fine.exit.at) == (evening, evening + timedelta(hours=4))


def test_a_long_holiday_is_no_price(make):
    gone = (START + 100 * DAY, START + 110 * DAY)
    days = walk(150, DAY, skip=lambda at: gone[0] <= at < gone[1])
    prices = make({a_series("AAPL", DAY): days})

    assert outcome(prices, START + 104 * DAY, 24, "AAPL").reason == "no_entry"
    assert outcome(prices, START + 105 * DAY, 24, "AAPL").entry.at == gone[1]
    assert outcome(prices, START + 99 * DAY, 48, "AAPL").reason == "no_exit"


def split_days() -> list[Bar]:
    """Return 130 days of a stock, raw: from the hundredth on they are of a quarter of the unit."""
    days = walk(130, DAY)
    return [
        bar if place < 100 else a_bar(bar.t_open, bar.close / 4, DAY)
        for place, bar in enumerate(days)
    ]


def test_a_split_in_the_window_is_no_loss(make):
    split = Split(START + 99 * DAY + timedelta(hours=1), Fraction(4))
    prices = make({a_series("AAPL", DAY): split_days()}, {"AAPL": [split]})

    found = outcome(prices, START + 98 * DAY, 24 * 7, "AAPL")

    assert abs(found.change) < Decimal("0.011")
    assert (found.entry.price, found.exit.price) == (100, 25)


def test_a_split_nobody_told_of_leaves_the_outcome_unknown(make):
    prices = make({a_series("AAPL", DAY): split_days()})

    assert outcome(prices, START + 98 * DAY, 24 * 7, "AAPL").reason == "unexplained_jump"
    assert outcome(prices, START + 110 * DAY, 24, "AAPL").reason == "unexplained_jump"


def test_a_coin_may_double_in_an_hour(make):
    bars = [*walk(200), *(a_bar(START + place * HOUR, 300) for place in range(200, 240))]

    assert outcome(make({a_series(): bars}), START + 199 * HOUR, 24).verdict == "right"


def test_a_market_that_falls_less_than_its_peers_did_well(make):
    def falls(symbol: str, to: str) -> dict[Series, list[Bar]]:
        # Each goes its own way before, or beside its peers it would not move at all.
        odd = len(symbol) % 2
        bars = [
            a_bar(bar.t_open, bar.close + (place // 3 + odd) % 2)
            for place, bar in enumerate(walk(200))
        ]
        return {a_series(symbol): bars + [a_bar(START + i * HOUR, to) for i in range(200, 260)]}

    prices = make(falls("SOLUSDT", "95") | falls("BTCUSDT", "80") | falls("AVAXUSDT", "70"))
    claim = Claim({"asset": "SOL", "peers": ["BTC", "avax", "SOL"]}, "long", START + 200 * HOUR)

    alone = Probes().outcome(PriceDelta(24), claim, prices, LATER)
    beside = Probes().outcome(PeerRelative(24, peers_field="peers"), claim, prices, LATER)

    assert alone.verdict == "wrong"
    assert beside.verdict == "right"
    assert beside.why.startswith("long: +19.27 % beside its peers in 24 h, band ")
    assert "peers" not in alone.why
    assert beside.change == pytest.approx(Decimal("0.20"), abs=Decimal("0.02"))


def test_a_peer_without_a_price_leaves_the_outcome_unknown(make):
    prices = make({a_series(): walk(300)})
    claim = Claim({"asset": "SOL"}, "long", START + 200 * HOUR)

    found = Probes().outcome(PeerRelative(24, ("ETH",)), claim, prices, LATER)

    assert (found.reason, "ETH" in found.why) == ("no_series", True)
