"""Prices of a look come first, those of the group fill in for other markets."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.operations.learn.joint_prices import JointPrices
from afterword.pipeline.rules.market.bars import Bar

HOUR = timedelta(hours=1)
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)


def book(source: str, **closes: int) -> PriceBook:
    def bars(close: int) -> list[Bar]:
        price = Decimal(close)
        return [Bar(BEGIN + n * HOUR, HOUR, price, price, price, price, price) for n in range(5)]

    return PriceBook({Series(source, name, HOUR): bars(close) for name, close in closes.items()})


def close_of(prices: JointPrices, symbol: str) -> Decimal | None:
    now = BEGIN + 9 * HOUR
    found = prices.series(symbol)
    bar = prices.close_at(found[0], now, now) if found else None
    return None if bar is None else bar.close


def test_each_market_is_read_from_the_first_that_has_it():
    prices = JointPrices(book("file", SOL=1), book("hyperliquid", SOL=2, BTC=3))

    assert [close_of(prices, one) for one in ("SOL", "BTC", "ETH")] == [1, 3, None]


def test_all_reads_go_to_the_same_source():
    prices = JointPrices(book("file", SOL=1), book("hyperliquid", BTC=3))
    (series,) = prices.series("BTC")
    now = BEGIN + 9 * HOUR

    assert len(prices.bars(series, BEGIN, now, now)) == 5
    assert prices.next_close(series, BEGIN, now) is not None
    assert (
        prices.record(series).ladder.closes
        == PriceBook.record(book("hyperliquid", BTC=3), series).ladder.closes
    )
    assert prices.splits(series) == ()
