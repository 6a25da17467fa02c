"""The shared price files of other programs: each read to figures taken from it by hand, or refused
for what is wrong with it."""

import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.domain.prices.read_table import table_options
from afterword.pipeline.errors import InvalidInputError

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
PRICES = SHARED / "data" / "exports" / "prices"
NOW = datetime(2026, 11, 20, tzinfo=UTC)
pytestmark = pytest.mark.skipif(not PRICES.is_dir(), reason="no shared folder with price files")

READ = {
    # file: interval, bars, first and last opening, first open, last close
    "constructed_alphavantage_daily_adjusted": (
        "1d",
        3,
        "2020-08-28",
        "2020-09-01",
        "504.05",
        "134.18",
    ),
    "constructed_binance_spot_kline_2021_ms": (
        "1h",
        24,
        "2021-01-01",
        "2021-01-01T23",
        "4.1507",
        "4.1574",
    ),
    "constructed_binance_spot_kline_2025_us": (
        "1h",
        24,
        "2025-01-01",
        "2025-01-01T23",
        "4.1507",
        "4.1574",
    ),
    "constructed_german_semicolon_ohlc": ("1d", 20, "2026-03-02", "2026-03-21", "1100", None),
    "constructed_kraken_ohlcvt_XBTUSD_60": (
        "1h",
        44,
        "2026-03-02T14",
        "2026-03-04T13",
        "65000",
        None,
    ),
    "constructed_stooq_daily": ("1d", 30, "2026-03-02", "2026-03-31", "100", None),
    "constructed_tradingview_chart_iso": (
        "15m",
        40,
        "2026-03-02T14:30",
        "2026-03-03T00:15",
        "100",
        None,
    ),
    "cryptodatadownload_BTCUSDT_d": ("1d", 178, "2021-08-02", "2022-01-26", "39850.27", "36844.49"),
    "pandas_AAPL_1min_tz": ("1m", 179, "2023-05-24T21:16", "2023-05-25T08:14", "171.68", None),
    "pandas_spy_daily": ("1d", 179, "1999-11-01", "2000-07-17", "136.5", None),
    "pineforge_ETHUSDT_15m_ms": ("15m", 96, "2026-04-12T16", "2026-04-13T15:45", "2185.27", None),
    "quotes_iana_zone": (
        "1d",
        48,
        "2017-01-03T22:45:30",
        "2017-03-13T21:45:30",
        "212.61",
        "224.67",
    ),
    "yfinance_8TRA_daily": (
        "1d",
        5,
        "2023-05-30",
        "2023-06-06",
        "19.59000015258789",
        "18.65999984741211",
    ),
}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize("name", READ)
def test_a_shared_file_is_read(name):
    interval, count, first, last, opened, closed = READ[name]

    (found,) = read_prices(PRICES / f"{name}.csv", "file", "X", known_by=NOW)

    assert write_interval(found.series.interval) == interval
    assert len(found.bars) == count
    assert (found.bars[0].t_open, found.bars[-1].t_open) == (at(first), at(last))
    assert found.bars[0].open == Decimal(opened)
    assert closed is None or found.bars[-1].close == Decimal(closed)


def test_candles_of_coinbase_are_read_in_their_order_of_columns():
    (found,) = read_prices(PRICES / "constructed_coinbase_candles.json", "file", "X", known_by=NOW)

    assert len(found.bars) == 30
    # the newest: [1772566200, 98.9, 100.0, 99.7, 99.2, 2073.0] is time, low, high, open, close
    assert found.bars[-1][2:] == tuple(map(Decimal, ("99.7", "100.0", "98.9", "99.2", "2073.0")))


def test_metatrader_is_read_once_its_zone_is_said():
    file = PRICES / "mt4like_EURUSD_H1.csv"
    with pytest.raises(InvalidInputError, match="zone"):
        read_prices(file, "file", known_by=NOW)

    (found,) = read_prices(file, "file", known_by=NOW, options=table_options(zone="UTC+2"))

    assert (found.series.symbol, len(found.bars)) == ("EURUSD", 179)
    assert found.bars[0].t_open == at("2019-02-15T12")
    assert found.bars[8].t_open == at("2019-02-17T20:05")  # begins five minutes late


def test_a_split_that_the_prices_of_its_day_do_not_make_is_not_used():
    """The file names the split a day before its prices are in new units: 499.23, 498.32, 134.18."""
    file = PRICES / "constructed_alphavantage_daily_adjusted.csv"

    (found,) = read_prices(file, "file", "AAPL", known_by=NOW)

    assert found.splits == ()


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("yfinance_ASAI_1h", "line 13: jumps 102-fold"),  # pounds among pence
        ("constructed_yahoo_web_history", "line 2: has a high 100.300000, which is below its open"),
    ],
)
def test_a_shared_file_with_a_wrong_price_is_refused(name, named):
    with pytest.raises(ExceptionGroup) as told:
        read_prices(PRICES / f"{name}.csv", "file", "X", known_by=NOW)

    assert named in str(told.value.exceptions[0])
