"""Splits through `afterword learn`: stated by a row of a file, or by a table of the owner."""

from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command

HEAD = "Date,Pair,Type,Amount,Price,Fee\n"
COLUMNS = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
TRADES = HEAD + "2024-06-03 14:00:00,NVDA,buy,10,1150,1\n2024-06-12 14:00:00,NVDA,sell,100,125,1\n"
TABLE = "symbol,date,factor\nNVDA,2024-06-10,10:1\n"
NET = "998.00"  # 100 x 125 - 10 x 1,150 - 2 of fees


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def report(command: Command, *words: str) -> Any:
    done = command("learn", *words, "--json")
    assert (done.code, done.err) == (0, "")
    return done.json


def mapped(command: Command, file: str, *more: str) -> Any:
    return report(command, file, "--columns", COLUMNS, "--zone", "UTC", *more)


def nets(told: Any) -> list[tuple[int, str]]:
    return [(one["trips"], f"{float(one['net']):.2f}") for one in told["trades"]["sums"]]


def words_of(told: Any) -> str:
    return " ".join(line["words"] + " " + line["remedy"] for line in told["unread"])


def test_a_table_of_splits_gives_the_right_number_and_says_so(command: Command, tmp_path: Path):
    file, table = write(tmp_path, "a.csv", TRADES), write(tmp_path, "s.csv", TABLE)

    without, told = mapped(command, file), mapped(command, file, "--splits", table)

    assert not without["trades"]["sums"] and "--splits FILE" in words_of(without)
    assert nets(told) == [(1, NET)]
    assert "units and prices are those after the split" in words_of(told)


def test_a_table_that_comes_later_settles_kept_trades_again(command: Command, tmp_path: Path):
    file, table = write(tmp_path, "a.csv", TRADES), write(tmp_path, "s.csv", TABLE)
    mapped(command, file, "--keep")
    before = command("trades", "ls", "--json").json

    told = mapped(command, file, "--keep", "--splits", table)

    assert len(before) == 2 and nets(told) == [(1, NET)]
    assert nets(report(command)) == [(1, NET)]
    # A look takes the splits that are kept, and a third time changes nothing.
    assert nets(mapped(command, file)) == [(1, NET)]
    assert nets(mapped(command, file, "--keep", "--splits", table)) == [(1, NET)]


def test_a_table_alone_is_kept_for_trades_that_are_kept(command: Command, tmp_path: Path):
    mapped(command, write(tmp_path, "a.csv", TRADES), "--keep")
    assert nets(report(command, "--splits", write(tmp_path, "s.csv", TABLE))) == [(1, NET)]


def test_why_tells_the_split(command: Command, tmp_path: Path):
    file, table = write(tmp_path, "a.csv", TRADES), write(tmp_path, "s.csv", TABLE)
    told = mapped(command, file, "--keep", "--splits", table)
    uid = told["outcomes"][0]["trip"]["trip_uid"]

    assert "split 10:1 on 2024-06-10" in command("memory", "why", uid).out


IBKR = (
    '<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">'
    '<FlexStatement accountId="U1"><Trades>'
    '<Trade accountId="U1" currency="USD" assetCategory="STK" symbol="NVDA" tradeID="1"'
    ' quantity="10" tradePrice="1150" ibCommission="-1" ibCommissionCurrency="USD" buySell="BUY"'
    ' dateTime="20240603;100000" levelOfDetail="EXECUTION" />'
    '<Trade accountId="U1" currency="USD" assetCategory="STK" symbol="NVDA" tradeID="2"'
    ' quantity="-100" tradePrice="125" ibCommission="-1" ibCommissionCurrency="USD" buySell="SELL"'
    ' dateTime="20240612;100000" levelOfDetail="EXECUTION" />'
    "</Trades><CorporateActions>"
    '<CorporateAction accountId="U1" currency="USD" assetCategory="STK" symbol="NVDA" type="FS"'
    ' description="NVDA(US67066G1040) SPLIT 10 FOR 1 (NVDA, NVIDIA CORP, US67066G1040)"'
    ' dateTime="20240607;202500" quantity="90" />'
    "</CorporateActions></FlexStatement></FlexStatements></FlexQueryResponse>"
)
STATEMENT = """\
Statement,Header,Field Name,Field Value
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,\
Proceeds,Comm/Fee,Code
Trades,Data,Order,Stocks,USD,NVDA,"2024-06-03, 10:00:00",10,1150,-11500,-1,O
Trades,Data,Order,Stocks,USD,NVDA,"2024-06-12, 10:00:00",-100,125,12500,-1,C
Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity
Corporate Actions,Data,Stocks,USD,2024-06-10,"2024-06-07, 20:25:00","NVDA(US67066G1040) Split 10 \
for 1 (NVDA, NVIDIA CORP, US67066G1040)",90
Corporate Actions,Data,Total,,,,,0
"""
TRADING_212 = """\
Action,Time,ISIN,Ticker,No. of shares,Price / share,Currency (Price / share),Exchange rate,\
Total (USD),Finra fee,Currency (Finra fee),ID
Market buy,2024-06-03 14:00:00,X,NVDA,10,1150,USD,1,11500,1,USD,A1
Stock split close,2024-06-10 08:00:00,X,NVDA,10,1200,USD,1,12000,,,A2
Stock split open,2024-06-10 08:00:00,X,NVDA,100,120,USD,1,12000,,,A3
Market sell,2024-06-12 14:00:00,X,NVDA,100,125,USD,1,12500,1,USD,A4
"""
SCHWAB = """\
"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"06/12/2024","Sell","NVDA","NVIDIA","100","$125.00","$1.00","$12499.00"
"06/10/2024","Stock Split","NVDA","NVIDIA","90","","",""
"06/03/2024","Buy","NVDA","NVIDIA","10","$1150.00","$1.00","-$11501.00"
"""
ROBINHOOD = """\
"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity",\
"Price","Amount"
"6/12/2024","6/12/2024","6/13/2024","NVDA","NVIDIA","Sell","100","$125.00","$12,499.00"
"6/10/2024","6/10/2024","6/10/2024","NVDA","NVIDIA","SPL","90","",""
"6/3/2024","6/3/2024","6/4/2024","NVDA","NVIDIA","Buy","10","$1,150.00","($11,501.00)"
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("flex.xml", IBKR),
        ("statement.csv", STATEMENT),
        ("trading212.csv", TRADING_212),
        ("schwab.csv", SCHWAB),
        ("robinhood.csv", ROBINHOOD),
    ],
)
def test_a_row_of_a_broker_states_the_split(command: Command, tmp_path: Path, name: str, text: str):
    file, zone = write(tmp_path, name, text), ("--zone", "America/New_York")
    told = report(command, file, *zone)

    assert nets(told) == [(1, NET)]
    assert "does not say how" not in words_of(told) and "not told apart" not in words_of(told)
    # A table of the same split, some days off, is that split and not a second one.
    again = report(command, file, *zone, "--splits", write(tmp_path, "s.csv", TABLE))
    assert nets(again) == [(1, NET)]


def test_units_that_were_added_tell_no_ratio_where_purchases_are_missing(
    command: Command, tmp_path: Path
):
    """100 were held, of which the file knows 10: 110 / 10 is no ratio of the split."""
    text = SCHWAB.replace('"90"', '"100"').replace("$125.00", "$575.00")
    text = text.replace("$12499.00", "$57499.00")
    told = report(command, write(tmp_path, "schwab.csv", text))

    assert not told["trades"]["sums"] and "does not say how" in words_of(told)


def test_a_row_that_does_not_say_how_asks_for_a_table(command: Command, tmp_path: Path):
    rows = TRADES + "2024-06-10 08:00:00,NVDA,STOCK_SPLIT,90,0,0\n"
    file, table = write(tmp_path, "a.csv", rows), write(tmp_path, "s.csv", TABLE)

    without, told = mapped(command, file), mapped(command, file, "--splits", table)

    assert not without["trades"]["sums"] and "--splits FILE" in words_of(without)
    assert nets(told) == [(1, NET)] and "does not say how" not in words_of(told)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("NVDA,2024-06-10\n", "line 1"),
        ("NVDA,10.06.2024,10\n", "line 1: date"),
        ("symbol,date,factor\nNVDA,2024-06-10,0\n", "line 2: factor"),
        ("NVDA,2024-06-10,1\n", "line 1: factor"),
        ("NVDA,2024-06-10,-10\n", "line 1: factor"),
        ("NVDA,2024-06-10,1e99\n", "line 1: factor"),
        ("NVDA,2024-06-10,10:0\n", "line 1: factor"),
        ("NVDA,2024-06-10,10\nNVDA,2024-06-10,4\n", "line 2: states a second factor"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(
    command: Command, tmp_path: Path, text: str, named: str
):
    file, table = write(tmp_path, "a.csv", TRADES), write(tmp_path, "s.csv", text)
    words = ("--columns", COLUMNS, "--zone", "UTC", "--keep", "--splits", table)
    done = command("learn", file, *words)

    assert done.code != 0 and f"s.csv: {named}" in done.err
    assert not command.home.joinpath("groups").exists() or "no trades" in command("learn").err
