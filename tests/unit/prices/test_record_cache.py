"""A kept record is read again only when a bar before its last one changed."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars, keep_splits
from afterword.pipeline.domain.prices.record_cache import RecordCache
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import NOTHING_STATED
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split

HOUR = timedelta(hours=1)
AAPL, SOL = Series("file", "AAPL", HOUR), Series("file", "SOLUSDT", HOUR)


@pytest.fixture
def keep(store, clock):
    start = clock() - 100 * HOUR

    def bars(*hours: int, close: str = "100", series: Series = AAPL) -> None:
        price = Decimal(close)
        found = [
            Bar(start + hour * HOUR, HOUR, price, price, price, price, Decimal(0)) for hour in hours
        ]
        keep_bars(store, series, found, clock)

    return bars


def record(store, series: Series = AAPL) -> MarketRecord:
    with reading(store) as conn:
        return StoredPrices(conn).record(series)


def test_later_bars_are_added_to_the_record_that_is_kept(store, keep):
    keep(1, 2)
    before = record(store)
    keep(3)

    assert record(store) is before
    assert before.ladder.texts == ["100"] * 3


def test_a_revised_bar_is_read_again_and_known_as_revised(store, keep):
    keep(1, 2, 3)
    before = record(store)
    keep(2, close="90")

    after = record(store)
    assert after is not before
    assert (after.ladder.texts, after.ladder.revised) == (["100"] * 3, [1])


def test_a_bar_that_fills_a_hole_is_read(store, keep):
    keep(1, 3)
    record(store)
    keep(2, close="101")

    assert record(store).ladder.texts == ["100", "101", "100"]


def test_another_split_or_finer_prices_make_another_record(store, keep, clock):
    keep(1, 2)
    before = record(store)
    keep_splits(store, "file", "AAPL", [Split(clock() - 99 * HOUR, Fraction(4))], clock)
    split = record(store)
    keep(3, close="100.123")

    assert split is not before
    assert record(store) is not split
    assert record(store).ladder.texts[-1] == "100.123"


def test_the_least_recently_used_record_is_dropped_at_the_bound(store, keep):
    keep(1, 2, 3)
    keep(1, 2, series=SOL)
    cache = RecordCache(most_bars=4)
    with reading(store) as conn:
        first = cache.record(conn, 1, AAPL, (), NOTHING_STATED)
        assert cache.record(conn, 1, AAPL, (), NOTHING_STATED) is first
        cache.record(conn, 2, SOL, (), NOTHING_STATED)
        assert cache.record(conn, 1, AAPL, (), NOTHING_STATED) is not first
