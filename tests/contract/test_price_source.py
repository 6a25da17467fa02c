"""Contract of the price sources, in memory and in the store: no read sees the future."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import LookAheadError, PriceSource, Series
from afterword.pipeline.domain.prices.keep import keep_bars, keep_splits
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.rules.market.bars import PRINT, Bar
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.testing.clock import ManualClock

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
INSTANT = timedelta(microseconds=1)
START = datetime(2024, 3, 4, tzinfo=UTC)  # a Monday
LATER = START + 400 * DAY

SOL, ETH = Series("file", "SOLUSDT", HOUR), Series("file", "ETHUSDT", HOUR)

Bars = dict[Series, list[Bar]]
Make = Callable[..., PriceSource]


def a_bar(at: datetime, close: object, interval: timedelta = HOUR) -> Bar:
    price = Decimal(str(close))
    return Bar(at, interval, price, price, price, price, Decimal(1))


def hours(*closes: object) -> list[Bar]:
    return [a_bar(START + place * HOUR, close) for place, close in enumerate(closes)]


@pytest.fixture
def stored(store: Store, clock: ManualClock) -> Iterator[Make]:
    clock.set(LATER)
    with ExitStack() as stack:

        def source(bars: Bars, splits: dict[str, list[Split]] | None = None) -> PriceSource:
            for series, known in bars.items():
                keep_bars(store, series, known, clock)
            for symbol, known in (splits or {}).items():
                keep_splits(store, "file", symbol, known, clock)
            return StoredPrices(stack.enter_context(reading(store)))

        yield source


@pytest.fixture(params=["book", "stored"])
def make(request: pytest.FixtureRequest, stored: Make) -> Make:
    """Make a source of bars by series and splits by symbol."""
    return PriceBook if request.param == "book" else stored


def test_a_bar_is_seen_from_its_close_on(make):
    prices = make({SOL: hours(1, 2)})
    close = START + 2 * HOUR

    assert prices.close_at(SOL, START + HOUR - INSTANT, LATER) is None
    assert prices.close_at(SOL, close - INSTANT, LATER).close == 1
    assert prices.close_at(SOL, close, LATER).close == 2
    assert prices.next_close(SOL, close - INSTANT, close - INSTANT) is None
    assert prices.next_close(SOL, close - INSTANT, close).close == 2
    assert prices.next_close(SOL, close, LATER) is None


def test_a_stock_s_day_is_seen_from_the_end_of_its_date_on(make):
    apple = Series("file", "AAPL", DAY)
    prices = make({apple: [a_bar(START, 1, DAY)]})

    assert prices.close_at(apple, START + timedelta(hours=21), LATER) is None
    assert prices.close_at(apple, START + DAY, LATER) is not None


def test_the_bars_of_a_stretch_are_those_that_close_in_it_both_ends_included(make):
    prices = make({SOL: hours(1, 2, 3, 4)})
    two, three = START + 2 * HOUR, START + 3 * HOUR

    assert [bar.close for bar in prices.bars(SOL, two, three, LATER)] == [2, 3]
    assert prices.bars(SOL, two + INSTANT, three - INSTANT, LATER) == ()
    assert prices.bars(SOL, three, two, LATER) == ()


def test_what_is_missing_stays_missing(make):
    lost = START + HOUR
    prices = make({SOL: [bar for bar in hours(1, 2, 3) if bar.t_open != lost]})

    assert prices.close_at(SOL, lost + HOUR, LATER).close == 1
    assert prices.next_close(SOL, lost, LATER).close == 3
    assert len(prices.bars(SOL, START, LATER, LATER)) == 2


def test_a_series_nobody_has_holds_no_bar_and_no_split(make):
    prices = make({SOL: hours(1)})

    assert prices.series("ETH") == ()
    assert prices.close_at(ETH, LATER, LATER) is None
    assert prices.next_close(ETH, START, LATER) is None
    assert prices.bars(ETH, START, LATER, LATER) == ()
    assert prices.splits(ETH) == ()


@pytest.mark.parametrize("read", ["close_at", "next_close", "bars"])
def test_a_read_of_the_future_is_refused(make, read):
    prices = make({SOL: hours(1, 2, 3)})
    now = START + 2 * HOUR

    with pytest.raises(LookAheadError):
        _read(prices, read, SOL, START, now + INSTANT, now)


@pytest.mark.parametrize("read", ["close_at", "next_close", "bars"])
def test_a_moment_without_a_zone_is_refused(make, read):
    prices = make({SOL: hours(1, 2, 3)})

    with pytest.raises(LookAheadError, match="zone"):
        _read(prices, read, SOL, START, START.replace(tzinfo=None), LATER)


@pytest.mark.parametrize("written", ["SOL", "sol-usd", "SOL/USDC", "SOLUSDT", "SOL-PERP"])
def test_a_market_is_found_in_any_written_form_finest_series_first_prints_last(make, written):
    days, prints = Series("file", "SOLUSDT", DAY), Series("file", "SOL", PRINT)
    bars = {days: [a_bar(START, 1, DAY)], SOL: hours(1), prints: [a_bar(START, 1, PRINT)]}

    assert make(bars).series(written) == (SOL, days, prints)


def test_a_price_in_another_coin_is_another_asset(make):
    prices = make({Series("file", "ETHBTC", HOUR): hours(1, 2, 3)})

    assert prices.series("ETH") == ()
    assert prices.series("ETH/BTC") != ()


def test_the_splits_of_a_market_come_with_it(make):
    apple = Series("file", "AAPL", DAY)
    split = Split(START + DAY, Fraction(4))
    prices = make({apple: [a_bar(START, 1, DAY)], SOL: hours(1)}, {"AAPL": [split]})

    assert prices.splits(apple) == (split,)
    assert prices.splits(SOL) == ()


def _read(
    prices: PriceSource,
    read: str,
    series: Series,
    start: datetime,
    end: datetime,
    known_by: datetime,
) -> object:
    """Read a stretch, or what is around its end."""
    if read == "bars":
        return prices.bars(series, start, end, known_by)
    return getattr(prices, read)(series, end, known_by)


moments = st.integers(0, 60 * 60).map(lambda minutes: START + timedelta(minutes=minutes))
reads = st.tuples(
    st.sampled_from(["bars", "close_at", "next_close"]),
    st.sampled_from([SOL, ETH]),
    st.tuples(moments, moments, moments).map(sorted),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(places=st.sets(st.integers(0, 50)), asked=st.lists(reads, min_size=1, max_size=15))
def test_every_read_of_the_store_says_what_memory_says(store, clock, places, asked):
    clock.set(LATER)
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM price_series")
    bars = [a_bar(START + place * HOUR, 100 + place % 7) for place in sorted(places)]
    keep_bars(store, SOL, bars, clock)

    with reading(store) as conn:
        in_memory, in_store = PriceBook({SOL: bars}), StoredPrices(conn)
        for read, series, (start, end, known_by) in asked:
            args = (read, series, start, end, known_by)
            assert _read(in_store, *args) == _read(in_memory, *args)
