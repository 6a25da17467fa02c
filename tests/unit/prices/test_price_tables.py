"""Prices in the tables that other programs write; expected values are worked out by hand."""

import gzip
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from afterword.pipeline.domain.prices import read_table
from afterword.pipeline.domain.prices.csv_file import PriceFile, read_prices
from afterword.pipeline.domain.prices.names import read_name
from afterword.pipeline.domain.prices.read_table import table_options
from afterword.pipeline.errors import InvalidInputError

NOW = datetime(2026, 11, 20, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def read(
    path: Path, content: str | bytes, name="a.csv", symbol: str | None = "X", interval=None, **said
) -> PriceFile:
    file = path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    options = table_options(**said)
    (found,) = read_prices(file, "file", symbol, interval, known_by=NOW, options=options)
    return found


def problems(path: Path, content: str | bytes, **options) -> list[str]:
    with pytest.raises((InvalidInputError, ExceptionGroup)) as told:
        read(path, content, **options)
    if isinstance(told.value, ExceptionGroup):
        return [str(one) for one in told.value.exceptions]
    return [str(told.value)]


KLINES = (
    "{0},4.15,4.16,4.14,4.155,539.23,{1},2240.3,13,401.8,1669.9,0\n"
    "{2},4.155,4.17,4.15,4.16,501,{3},2082.8,11,250,1039.3,0\n"
)
TABLES = {
    # layout: text, interval, opens of the bars, the first bar's prices and volume
    "binance, milliseconds": (
        KLINES.format(1609459200000, 1609462799999, 1609462800000, 1609466399999),
        HOUR,
        ["2021-01-01T00:00", "2021-01-01T01:00"],
        "4.15 4.16 4.14 4.155 539.23",
    ),
    "binance, microseconds": (
        KLINES.format(1735689600000000, 1735693199999999, 1735693200000000, 1735696799999999),
        HOUR,
        ["2025-01-01T00:00", "2025-01-01T01:00"],
        "4.15 4.16 4.14 4.155 539.23",
    ),
    "binance, with a header": (
        "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,"
        "taker_buy_quote_volume,ignore\n"
        + KLINES.format(1609459200000, 1609462799999, 1609462800000, 1609466399999),
        HOUR,
        ["2021-01-01T00:00", "2021-01-01T01:00"],
        "4.15 4.16 4.14 4.155 539.23",
    ),
    "kraken": (
        "1772460000,65000,65000.3,64998.9,64999.2,10.0,100\n"
        "1772463600,64999.2,65000.0,64998.9,64999.7,10.37,103\n"
        "1772470800,64999.7,65000.1,64999.4,64999.8,10.74,107\n",  # an hour without trades
        HOUR,
        ["2026-03-02T14:00", "2026-03-02T15:00", "2026-03-02T17:00"],
        "65000 65000.3 64998.9 64999.2 10",
    ),
    "coinbase, json": (
        "[[1772463600, 98.9, 100.1, 99.2, 99.7, 1037], [1772460000, 98.9, 100.3, 100, 99.2, 1e3]]",
        HOUR,
        ["2026-03-02T14:00", "2026-03-02T15:00"],
        "100 100.3 98.9 99.2 1000",
    ),
    "candles as objects, json": (
        '{"candles": [{"start": "1772463600", "low": "98.9", "high": "100.1", "open": "99.2",'
        ' "close": "99.7", "volume": "1037"}, {"start": "1772460000", "low": "98.9",'
        ' "high": "100.3", "open": "100", "close": "99.2", "volume": "1000"}]}',
        HOUR,
        ["2026-03-02T14:00", "2026-03-02T15:00"],
        "100 100.3 98.9 99.2 1000",
    ),
    "yahoo, web": (
        "Date,Open,High,Low,Close,Adj Close,Volume\n"
        "2026-03-02,100.0,100.3,98.9,99.2,98.1,1000\n"
        "2026-03-03,null,null,null,null,null,null\n"  # a holiday
        "2026-03-04,99.2,100.0,98.9,99.7,98.5,1037\n"
        "2026-03-05,99.2,100.0,98.9,99.7,98.5,1037\n",
        DAY,
        ["2026-03-02", "2026-03-04", "2026-03-05"],
        "100 100.3 98.9 99.2 1000",
    ),
    "yfinance, daily, over the end of summer time": (
        "Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits\n"
        "2025-10-24 00:00:00+02:00,19.59000015258789,19.8,19.27,19.35,19.35,196309,0.0,0.0\n"
        "2025-10-27 00:00:00+01:00,19.12,19.14,18.7,18.79,18.79,156652,0.0,0.0\n"
        "2025-10-28 00:00:00+01:00,19.12,19.14,18.7,18.79,18.79,156652,0.0,0.0\n",
        DAY,
        ["2025-10-24", "2025-10-27", "2025-10-28"],
        "19.59000015258789 19.8 19.27 19.35 196309",
    ),
    "yfinance, hourly": (
        "Datetime,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits\n"
        "2024-10-21 10:00:00+01:00,69,72,67,72,72,3061,0,0\n"
        "2024-10-21 11:00:00+01:00,69.5,69.5,68.25,68.25,68.25,0,0,0\n",
        HOUR,
        ["2024-10-21T09:00", "2024-10-21T10:00"],
        "69 72 67 72 3061",
    ),
    "tradingview, iso": (
        "time,open,high,low,close,Volume,Volume MA\n"
        "2026-03-02T14:30:00+02:00,100,100.3,98.9,99.2,1000,\n"
        "2026-03-02T14:45:00+02:00,99.2,100.0,98.9,99.7,1037,NaN\n",
        15 * MINUTE,
        ["2026-03-02T12:30", "2026-03-02T12:45"],
        "100 100.3 98.9 99.2 1000",
    ),
    "tradingview, unix": (
        "time,open,high,low,close,Plot,Plot\n"
        "1772460000,100,100.3,98.9,99.2,,1\n1772460300,99.2,100.0,98.9,99.7,1,2\n",
        5 * MINUTE,
        ["2026-03-02T14:00", "2026-03-02T14:05"],
        "100 100.3 98.9 99.2 0",
    ),
    "stooq": (
        "Date,Open,High,Low,Close,Volume\r\n2026-03-02,100,100.3,98.9,99.2,1000\r\n"
        "2026-03-03,99.2,100.0,98.9,99.7,1037\r\n",
        DAY,
        ["2026-03-02", "2026-03-03"],
        "100 100.3 98.9 99.2 1000",
    ),
    "stooq, in Polish": (
        "Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen\n"
        "2026-03-02,100,100.3,98.9,99.2,1000\n2026-03-03,99.2,100.0,98.9,99.7,1037\n",
        DAY,
        ["2026-03-02", "2026-03-03"],
        "100 100.3 98.9 99.2 1000",
    ),
    "cryptodatadownload": (
        "https://www.CryptoDataDownload.com\n"
        "unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT,tradecount\n"
        "1643155200000,2022-01-26 00:00:00,BTC/USDT,36958.32,37000,36783.39,36844.49,318.7,117,1\n"
        "1643068800000,2022-01-25 00:00:00,BTC/USDT,36660.35,37545.14,35701,36958.32,49232,17,1\n",
        DAY,
        ["2022-01-25", "2022-01-26"],
        "36660.35 37545.14 35701 36958.32 49232",
    ),
    "pandas, a number as index": (
        ",Unnamed: 0,date,open,high,low,close,volume\n"
        "0,0,2023-05-24 21:16:00+00:00,171.68,171.7,171.65,171.66,2031.0\n"
        "1,1,2023-05-24 21:17:00+00:00,171.65,171.67,171.65,171.65,6786.0\n",
        MINUTE,
        ["2023-05-24T21:16", "2023-05-24T21:17"],
        "171.68 171.7 171.65 171.66 2031",
    ),
    "pandas, the time as index": (
        ",open,high,low,close,volume\n2023-05-24 21:16:00+00:00,171.68,171.7,171.65,171.66,2031.0\n"
        "2023-05-24 21:17:00+00:00,171.65,171.67,171.65,171.65,6786.0\n",
        MINUTE,
        ["2023-05-24T21:16", "2023-05-24T21:17"],
        "171.68 171.7 171.65 171.66 2031",
    ),
    "zone by its name": (
        "index,date,open,high,low,close,volume\n"
        "1,2017-01-03T17:45:30 America/New_York,212.61,213.35,211.52,212.8,96708880\n"
        "2,2017-01-04T17:45:30 America/New_York,213.16,214.22,213.15,214.06,83348752\n",
        DAY,
        ["2017-01-03T22:45:30", "2017-01-04T22:45:30"],
        "212.61 213.35 211.52 212.8 96708880",
    ),
    "german": (
        "\ufeffDatum;Öffnung;Hoch;Tief;Schluss;Volumen\r\n"
        "02.03.2026;1.100;1.100,30;1.098,90;1.099,20;1.000\r\n"
        "03.03.2026;1.099,2;1.100,00;1.098,90;1.099,70;1037\r\n",
        DAY,
        ["2026-03-02", "2026-03-03"],
        "1100 1100.3 1098.9 1099.2 1000",
    ),
}


@pytest.mark.parametrize("layout", TABLES)
def test_a_table_of_another_program_is_read(tmp_path, layout):
    text, interval, opens, first = TABLES[layout]

    found = read(tmp_path, text)

    assert found.series.interval == interval
    assert [bar.t_open for bar in found.bars] == [at(text) for text in opens]
    assert list(found.bars[0][2:]) == [Decimal(number) for number in first.split()]
    assert all(bar.interval == interval for bar in found.bars)
    assert found.splits == ()


METATRADER = (
    "2019.02.15,14:00,1.12525,1.12851,1.12514,1.12686,9915\n"
    "2019.02.15,15:00,1.1269,1.1276,1.12574,1.12628,7985\n"
)


@pytest.mark.parametrize(
    "text",
    [
        METATRADER,
        "Date,Time,Open,High,Low,Close,Volume\n" + METATRADER,
        "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n"
        + METATRADER.replace(",", "\t").replace("\n", "\t9\t1\n").replace(":00\t", ":00:00\t"),
    ],
)
def test_the_zone_of_a_metatrader_server_is_asked_for(tmp_path, text):
    (told,) = problems(tmp_path, text)
    assert "does not say the time zone of its times" in told and "--zone" in told

    found = read(tmp_path, text, zone="UTC+2")

    assert [bar.t_open for bar in found.bars] == [at("2019-02-15T12:00"), at("2019-02-15T13:00")]
    assert found.bars[0].high == Decimal("1.12851")


def test_the_newer_form_of_yfinance_names_its_market_above_the_bars(tmp_path):
    text = (
        "Price,Close,High,Low,Open,Volume\nTicker,AAPL,AAPL,AAPL,AAPL,AAPL\nDate,,,,,\n"
        "2024-01-02,184.73,187.5,182.99,186.23,82488700\n"
        "2024-01-03,183.35,184.97,182.53,183.32,58414500\n"
    )

    found = read(tmp_path, text, symbol=None)

    assert found.series.symbol == "AAPL"
    assert found.bars[0][2:] == tuple(
        map(Decimal, ("186.23", "187.5", "182.99", "184.73", "82488700"))
    )


def test_a_column_of_splits_is_told(tmp_path):
    text = (
        "timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient\r\n"
        "2020-09-01,132.76,134.8,130.53,134.18,134.18,152470142,0.0000,1.0000\r\n"
        "2020-08-31,127.58,131.0,126.0,129.04,124.58,115847020,0.0000,4.0000\r\n"
        "2020-08-28,504.05,505.77,498.31,499.23,124.8075,46907479,0.0000,1.0000\r\n"
    )

    found = read(tmp_path, text)

    assert [(one.effective_at, one.ratio) for one in found.splits] == [
        (at("2020-08-31"), Fraction(4))
    ]
    assert found.bars[0].close == Decimal("499.23")


@pytest.mark.parametrize(
    ("before", "splits"),
    [(20, [(at("2024-06-10"), Fraction(1, 10))]), (200, [])],
    ids=["as traded", "divided afterwards"],
)
def test_a_split_is_used_where_the_prices_before_it_are_in_old_units(tmp_path, before, splits):
    head = "Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n"
    day = "2024-06-{0:02} 00:00:00-04:00,{1},{1},{1},{1},5,0.0,{2}\n"
    text = head + day.format(7, before, "0.0") + day.format(10, 190, "0.1")

    found = read(tmp_path, text)

    assert [(one.effective_at, one.ratio) for one in found.splits] == splits


def test_a_daily_bar_is_known_when_its_market_has_closed(tmp_path):
    """Stocks are filed under their date; what trades on weekends closes with its midnight."""
    row = "{0} 00:00:00-05:00,10,12,9,11,5\n"
    head = "Date,Open,High,Low,Close,Volume\n"
    stock = read(tmp_path, head + "".join(row.format(f"2024-01-0{day}") for day in (2, 3, 4, 5)))
    coin = read(tmp_path, head + "".join(row.format(f"2024-01-0{day}") for day in (4, 5, 6, 7)))
    east = read(
        tmp_path,
        (head + "".join(row.format(f"2024-01-0{day}") for day in (4, 5, 6, 7))).replace(
            "-05:00,", "+09:00,"
        ),
    )

    assert stock.bars[0].t_open == at("2024-01-02")
    assert coin.bars[0].t_open == at("2024-01-04T05:00")  # closes at 05:00 UTC of the next day
    assert east.bars[0].t_open == at("2024-01-04")  # closed at 15:00 UTC


def test_market_and_length_are_said_by_options_then_the_name_then_the_file(tmp_path):
    text = (
        "time,symbol,open,high,low,close\n1772460000,SOL/USDT,1,1,1,1\n"
        "1772463600,SOL/USDT,1,1,1,1\n"
    )

    assert read(tmp_path, text, symbol=None).series.symbol == "SOL/USDT"
    named = read(tmp_path, text, name="ETHUSDT_2026_1h.csv", symbol=None)
    assert named.series.symbol == "ETHUSDT"
    assert read(tmp_path, text, name="ETHUSDT_2026_1h.csv", symbol="BTC").series.symbol == "BTC"
    (told,) = problems(tmp_path, text, name="ETHUSDT_2026_1d.csv")
    assert "line 3: is 1:00:00 after another bar, not 1 day" in told
    (told,) = problems(tmp_path, text.replace("symbol", "note"), symbol=None)
    assert "does not name its market" in told


@pytest.mark.parametrize(
    ("name", "symbol", "interval"),
    [
        ("SOLUSDT_2024_1h.csv.gz", "SOLUSDT", HOUR),
        ("BTCUSDT-1h-2021-01.csv", "BTCUSDT", HOUR),
        ("BINANCE_BTCUSDT, 60.csv", "BTCUSDT", HOUR),
        ("NASDAQ_DLY_AAPL, 1D_3f2a1.csv", "AAPL", DAY),
        ("XBTUSD_60.csv", "XBTUSD", HOUR),
        ("my_dump_XBTUSD_1440.csv", "XBTUSD", DAY),
        ("EURUSD60.csv", "EURUSD", HOUR),
        ("EURUSD_H4.csv", "EURUSD", 4 * HOUR),
        ("EURUSD_M15_202301020000_202312312300.csv", "EURUSD", 15 * MINUTE),
        ("Binance_BTCUSDT_d.csv", "BTCUSDT", DAY),
        ("Binance_BTCUSDT_minute.csv", "BTCUSDT", MINUTE),
        ("AAPL.csv", "AAPL", None),
        ("BTC-USD.csv", "BTC-USD", None),
        ("my own prices.csv", None, None),
    ],
)
def test_the_name_of_a_file_says_market_and_length(name, symbol, interval):
    assert read_name(name) == (symbol, interval)


HEAD = "time,open,high,low,close,volume\n"
GOOD = "".join(f"{1772460000 + 3600 * place},10,12,9,11,5\n" for place in range(12))


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("x,10,12,9,11,5", "column time must be a date and time, got 'x'"),
        ("1772416800,10,12,9,NaN,5", "column close must be a number, got 'NaN'"),
        ("1772416800,10,12,9,,5", "column close must be a number, got ''"),
        ("1772416800,10,8,9,9.5,5", "high 8, which is below its open 10"),
        ("1772416800,0,12,0,11,5", "open 0, which is not above 0"),
        ("1772416800,10,12,9,11,-5", "volume -5"),
        ("1772460000,10,12,9,9.5,5", "has other prices than line 2"),
        ("1772416800,10,12,9,11,1,234", "has 7 cells, not 6"),
        ("1795132800,10,12,9,11,5", "closes at 2026-11-20T01:00:00"),
        ("1772416800,=HYPERLINK(1),12,9,11,5", "column open must be a number, got '=HYPERLINK(1)'"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_read(tmp_path, row, named):
    (told,) = problems(tmp_path, f"{HEAD}{GOOD}{row}\n")

    assert "a.csv: line 14: " in told
    assert named in told


def test_all_bad_rows_are_named(tmp_path):
    assert len(problems(tmp_path, HEAD + GOOD + "x,1,1,1,1,1\n" * 7)) == 7


def test_an_error_of_the_unit_is_named_and_can_be_allowed(tmp_path):
    pence = "1772503200,5850,5900,5800,5850,5\n1772506800,58.5,59,58,58.5,5\n"
    inside = "1772503200,58.5,61.5,0.6,0.6,0\n"
    first = GOOD.replace(",10,12,9,11,", ",5850,5900,5800,5850,")

    (told,) = problems(tmp_path, HEAD + first + pence)
    assert "line 15: jumps 100-fold, an error of its unit?" in told
    assert "--allow-jumps" in told
    told, *_ = problems(tmp_path, HEAD + GOOD.replace(",10,12,9,11,", ",58,61,58,58.5,") + inside)
    assert "line 14: jumps 102-fold" in told
    assert len(read(tmp_path, HEAD + first + pence, allows_jumps=True).bars) == 14


def test_a_few_bars_may_begin_late_and_are_never_known_early(tmp_path):
    late = GOOD.replace("1772492400", "1772492700")  # 5 minutes after the hour

    found = read(tmp_path, HEAD + late)

    assert found.series.interval == HOUR
    assert found.bars[9].closed_at == at("2026-03-03T00:05")
    half = "".join(f"{1772460000 + 1740 * place},10,12,9,11,5\n" for place in range(12))
    assert "29" in problems(tmp_path, HEAD + half)[0]


def test_an_interval_that_is_too_short_is_refused(tmp_path):
    """Each bar would be used before its close."""
    (told,) = problems(tmp_path, HEAD + GOOD, interval="30m")

    assert "is 1:00:00 after another bar, not 0:30:00" in told


def test_one_bar_does_not_tell_its_length(tmp_path):
    text = HEAD + GOOD.splitlines()[0]

    assert "--interval" in problems(tmp_path, text)[0]
    assert read(tmp_path, text, interval="1h").series.interval == HOUR


def test_what_has_two_meanings_is_asked_about(tmp_path):
    days = "Date,Open,High,Low,Close\n" + "".join(
        f"0{day}/03/2024,10,12,9,11\n" for day in (4, 5, 6)
    )
    numbers = 'Date,Open,High,Low,Close\n2024-03-04,"1,200","1,300","1,100","1,250"\n'

    assert "--time-format" in problems(tmp_path, days)[0]
    assert read(tmp_path, days, time_format="dmy").bars[0].t_open == at("2024-03-04")
    assert "--decimal" in problems(tmp_path, numbers)[0]
    assert read(tmp_path, numbers, decimal=".", interval="1d").bars[0].close == 1250
    assert read(tmp_path, numbers, decimal=",", interval="1d").bars[0].close == Decimal("1.25")


def test_columns_of_an_unknown_table_are_named_by_its_owner(tmp_path):
    text = "When,A,B,C,D\n2024-03-04 10:00,10,12,9,11\n2024-03-04 11:00,11,12,9,11\n"
    (told,) = problems(tmp_path, text)
    assert "line 1: has no columns of prices" in told and "--columns" in told

    found = read(tmp_path, text, columns="time=When,open=A,high=B,low=C,close=D", zone="UTC")
    by_place = read(
        tmp_path, text[13:], columns="time=#1,open=#2,high=#3,low=#4,close=#5", zone="UTC"
    )

    with_header = read(
        tmp_path, text, columns="time=#1,open=#2,high=#3,low=#4,close=#5", zone="UTC"
    )

    assert found.bars == by_place.bars == with_header.bars
    assert found.bars[1].t_open == at("2024-03-04T11:00")
    for columns in ("time=When", "x=A", "time=When,open=A,high=B,low=C,close=E", '"'):
        assert "columns" in problems(tmp_path, text, columns=columns)[0]


def test_columns_that_their_owner_names_are_there_and_stand_for_one_each(tmp_path):
    """A table of trades is read by the same rules: tests/unit/exports/test_mapped_files.py."""
    text = "# notes\nWhen,A,B,C,D,D\n2024-03-04 10:00,10,12,9,11,1\n"
    bars = "time=When,open=A,high=B,low=C"

    (told,) = problems(tmp_path, text, columns=f"{bars},close=E", zone="UTC")
    assert "a.csv: line 2: has no column 'E'; accepted: its columns: 'When, A, B, C" in told
    (told,) = problems(tmp_path, text, columns=f"{bars},close=D", zone="UTC")
    assert "a.csv: line 2: has 2 columns D; accepted: #5 or #6 for it in --columns" in told
    (told,) = problems(tmp_path, text, columns=f"{bars},close=#5,close=#6", zone="UTC")
    assert "columns: 'close' is given twice" in told
    (told,) = problems(tmp_path, "<p>", columns=f"{bars},close=D", zone="UTC")
    assert told.startswith("a.csv: is a page or XML, not a table")


@pytest.mark.parametrize(
    "said", [{"zone": "Mars/Base"}, {"decimal": ";"}, {"time_format": "%H:%M"}]
)
def test_options_that_cannot_be_meant_are_refused(said):
    with pytest.raises(InvalidInputError):
        table_options(**said)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}", b"[]", b"[1]", b"[[1, 2]]", b'[{"a": 1}]', b"[[1],[1,2]]", b"\0\0", b"<p>"],
)
def test_what_is_no_table_of_prices_is_refused_by_name(tmp_path, content):
    (told,) = problems(tmp_path, content)

    assert told.startswith("a.csv")


def test_packed_tables_and_other_encodings_are_read(tmp_path):
    text = HEAD + GOOD
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("BTCUSDT-1h-2026-03.csv", text)

    zipped = read(tmp_path, packed.getvalue(), name="a.zip", symbol=None)

    assert zipped.series.symbol == "BTCUSDT"
    plain = read(tmp_path, text)
    assert plain.bars == zipped.bars == read(tmp_path, text.encode("utf-16")).bars
    assert plain.bars == read(tmp_path, gzip.compress(text.encode()), name="a.csv.gz").bars
    assert plain.bars == read(tmp_path, text.replace(",", ";")).bars


@pytest.mark.parametrize("text", [HEAD + GOOD, json.dumps([[1772460000, 10, 12, 9, 11, 5]] * 40)])
def test_a_packed_table_is_read_up_to_a_bound_of_bytes(tmp_path, monkeypatch, text):
    bound = read_table.BARS_OF_A_TABLE._replace(most_bytes=200, most_whole_bytes=200)
    monkeypatch.setattr(read_table, "BARS_OF_A_TABLE", bound)

    (told,) = problems(tmp_path, gzip.compress(text.encode()), name="a.csv.gz")

    assert told.startswith("a.csv.gz: is ") and "200 bytes" in told


def test_prices_of_several_columns_of_one_name_are_not_guessed(tmp_path):
    bars = "2026-01-0{0},1,4,1,2,3,5\n"
    text = "Date,Open,High,Low,Close,Close,Volume\n" + bars.format(1) + bars.format(2)

    (told,) = problems(tmp_path, text)

    assert told.startswith("a.csv: line 1: has 2 columns Close; accepted: --columns ")
    assert told.endswith("with #5 or #6 for it")
    given = "time=Date,open=Open,high=High,low=Low,close=#6,volume=Volume"
    assert read(tmp_path, text, columns=given).bars[0].close == 3
    assert read(tmp_path, text.replace("Close,Close", "Close,Note")).bars[0].close == 2


def test_candles_that_each_have_other_names_are_refused(tmp_path):
    candles = [{f"name {number}": "1"} for number in range(1_001)]

    (told,) = problems(tmp_path, json.dumps(candles), name="a.json")

    assert "has candles with 1,001 names; accepted: 1,000 names at most" in told


def test_the_name_of_a_file_in_a_zip_may_be_of_any_length():
    assert read_name("a_" * 20_000 + "1h.csv") == (None, None)
