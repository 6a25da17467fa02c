import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fills_of,
    items_of,
    left_out_of,
    markets_of,
    read_items,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def flex(*trades: str, before: str = "") -> str:
    inside = "".join(f"<Trade {one} />\n" for one in trades)
    return (
        f'{before}<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">'
        f'<FlexStatement accountId="U1"><Trades>\n{inside}</Trades></FlexStatement>'
        "</FlexStatements></FlexQueryResponse>"
    )


TRADE = (
    'accountId="U1" currency="USD" assetCategory="STK" symbol="AAPL" quantity="-3" '
    'tradePrice="1,200.5" ibCommission="-1" ibCommissionCurrency="EUR" buySell="SELL" '
    'tradeID="99999999999999999999" levelOfDetail="EXECUTION" openCloseIndicator="C" '
)


def write(tmp_path: Path, text: str, name: str = "flex.xml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_trade_of_a_flex_report_keeps_its_ids_sign_and_the_currency_of_its_fee(tmp_path: Path):
    path = write(tmp_path, flex(TRADE + 'dateTime="20260126;115715"'))

    (fill,) = fills_of(items_of(path, zone="America/New_York"))

    assert (fill.side, fill.sz, fill.px, fill.effect) == ("A", 3, Decimal("1200.5"), "close")
    assert (fill.fee, fill.fee_token, fill.quote) == (1, "EUR", "USD")
    assert fill.tid == "99999999999999999999"
    # 11:57:15 in New York is 16:57:15 UTC in January.
    assert fill.time_ms == 1769446635000


@pytest.mark.parametrize(
    ("moment", "time_ms"),
    [
        ("2026-01-26;11:57:15 EST", 1769446635000),
        ("20260126;115715-0500", 1769446635000),
        ("20260126;165715+00:00", 1769446635000),
    ],
)
def test_a_zone_in_the_report_is_not_dropped(tmp_path: Path, moment: str, time_ms: int):
    path = write(tmp_path, flex(TRADE + f'dateTime="{moment}"'))

    assert [fill.time_ms for fill in fills_of(items_of(path))] == [time_ms]


def test_the_zone_of_the_account_is_asked_for(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(write(tmp_path, flex(TRADE + 'dateTime="20260126;115715"')))


def test_only_executions_of_a_flex_report_are_read(tmp_path: Path):
    execution = TRADE + 'dateTime="20260126;115715"'
    path = write(
        tmp_path,
        flex(
            execution,
            execution.replace("EXECUTION", "CLOSED_LOT"),
            execution.replace("STK", "BOND"),
        ).replace("</Trades>", '<Order symbol="AAPL" levelOfDetail="ORDER" /></Trades>'),
    )

    items = items_of(path, zone="UTC")

    assert len(fills_of(items)) == 1
    assert left_out_of(items) == {
        "closed lot": 1,
        "asset class that is not read": 1,
        "order": 1,
    }


BOUGHT = (
    'accountId="U1" currency="AUD" assetCategory="STK" symbol="ABC" quantity="5000" '
    'tradePrice="0.32" buySell="BUY" dateTime="20260701;100000" ibCommissionCurrency="AUD" '
)
CANCEL = BOUGHT.replace("5000", "-5000").replace('"BUY"', '"BUY (Ca.)"')


@pytest.mark.parametrize(
    ("bought", "cancel"),
    [
        ('transactionID="1"', 'transactionType="TradeCancel" origTransactionID="1"'),
        ('tradeID="7"', 'transactionType="TradeCancel" tradeID="7" origTransactionID="0"'),
        ("", ""),  # only market, units, price and moment join the two
    ],
    ids=["transaction", "trade", "terms"],
)
def test_a_cancelled_trade_is_left_out_with_its_cancel_and_its_fee_is_told(
    tmp_path: Path, bought: str, cancel: str
):
    booked_anew = BOUGHT + 'ibCommission="0" tradeID="9" transactionID="3"'
    path = write(
        tmp_path,
        flex(
            BOUGHT + 'ibCommission="-6" ' + bought,
            CANCEL + 'ibCommission="0" ' + cancel,
            booked_anew,
        ),
    )

    items = items_of(path, zone="UTC")

    (fill,) = fills_of(items)
    assert (fill.side, fill.sz, fill.fee, fill.tid) == ("B", 5000, 0, "9")
    assert left_out_of(items) == {
        "cancelled trade, whose fee of 6 AUD was not paid back": 1,
        "cancel of a trade": 1,
    }


def test_one_cancel_takes_back_one_of_two_equal_trades(tmp_path: Path):
    equal = BOUGHT + 'ibCommission="-6"'
    path = write(tmp_path, flex(equal, equal, CANCEL + 'ibCommission="6"'))

    items = items_of(path, zone="UTC")

    assert len(fills_of(items)) == 1
    assert left_out_of(items) == {"cancelled trade": 1, "cancel of a trade": 1}


def test_a_cancel_without_its_trade_says_so(tmp_path: Path):
    path = write(tmp_path, flex(CANCEL, BOUGHT.replace('"ABC"', '"XYZ"')))

    items = items_of(path, zone="UTC")

    assert left_out_of(items) == {"cancel of a trade that the file does not hold": 1}
    assert [fill.symbol for fill in fills_of(items)] == ["XYZ"]


def test_sheets_of_flex_queries_and_statements_leave_cancelled_trades_out(tmp_path: Path):
    sheet = (
        "ClientAccountID,Symbol,Buy/Sell,Quantity,TradePrice,CurrencyPrimary,TradeDate,DateTime,"
        "IBCommission,TransactionType\n"
        "U1,ABC,BUY,5,2,AUD,20260701,20260701;100000,-6,ExchTrade\n"
        "U1,ABC,BUY (Ca.),-5,2,AUD,20260701,20260701;100000,6,TradeCancel\n"
        "U1,ABC,BUY,4,2,AUD,20260701,20260701;100000,-6,ExchTrade\n"
    )
    statement = (
        "Statement,Header,Field Name,Field Value\n"
        "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,"
        "T. Price,Proceeds,Comm/Fee,Code\n"
        'Trades,Data,Order,Stocks,AUD,ABC,"2026-07-01, 10:00:00",5,2,-10,-6,O\n'
        'Trades,Data,Order,Stocks,AUD,ABC,"2026-07-01, 10:00:00",-5,2,10,6,Ca;O\n'
        'Trades,Data,Order,Stocks,AUD,ABC,"2026-07-01, 10:00:00",4,2,-8,-6,O\n'
    )
    for name, text in (("flex.csv", sheet), ("statement.csv", statement)):
        items = items_of(write(tmp_path, text, name), zone="UTC")

        assert [fill.sz for fill in fills_of(items)] == [4]
        assert left_out_of(items) == {"cancelled trade": 1, "cancel of a trade": 1}


@pytest.mark.parametrize(
    ("day", "time"), [("2011-08-11", "162000"), ("20110811", "16:20:00")], ids=["dashes", "colons"]
)
def test_day_and_time_in_two_fields_are_one_moment(tmp_path: Path, day: str, time: str):
    report = flex(TRADE + f'tradeDate="{day}" tradeTime="{time}"')

    (fill,) = fills_of(items_of(write(tmp_path, report), zone="America/New_York"))

    assert fill.time_ms == 1313094000000  # 20:20 UTC, in summer


def test_a_report_of_orders_alone_is_refused_with_the_query_that_works(tmp_path: Path):
    path = write(tmp_path, flex().replace("</Trades>", '<Order symbol="A" /></Trades>'))

    with pytest.raises(InvalidInputError, match="Trades: Executions"):
        items_of(path, zone="UTC")


def test_two_accounts_of_a_report_stay_apart(tmp_path: Path):
    one = TRADE + 'dateTime="20260126;115715"'
    path = write(tmp_path, flex(one, one.replace('"U1"', '"U2"')))

    assert [fill.account for fill in fills_of(items_of(path, zone="UTC"))] == ["main/U1", "main/U2"]


BOMB = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE a SYSTEM "file:///etc/passwd">'


@pytest.mark.parametrize("doctype", [BOMB, OUTSIDE])
def test_a_report_that_declares_entities_is_refused(tmp_path: Path, doctype: str):
    text = flex(TRADE + 'dateTime="&c;"' if doctype is BOMB else TRADE, before=doctype)

    with pytest.raises(InvalidInputError, match=r"flex\.xml: line 1: has a DOCTYPE"):
        items_of(write(tmp_path, text), zone="UTC")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (flex(TRADE + 'dateTime="20261326;115715"'), "line 2: Trade.dateTime"),
        (flex(TRADE + 'dateTime="20260126;115715"')[:-20], "is not XML"),
        (flex('assetCategory="STK" quantity="1" tradePrice="1"'), "line 2: lacks symbol"),
        (flex(TRADE + 'dateTime="20260126;115715 XYZT"'), "line 2, dateTime"),
        (flex(TRADE.replace('"-3"', '"NaN"')), "line 2, quantity: is 'NaN'"),
    ],
)
def test_a_bad_report_is_refused_with_its_line(tmp_path: Path, text: str, problem: str):
    with pytest.raises(InvalidInputError, match=problem):
        items_of(write(tmp_path, text), zone="UTC")


def test_a_contract_has_one_name_in_a_report_and_in_a_statement(tmp_path: Path):
    report = TRADE.replace("STK", "OPT").replace("AAPL", "AQN   220121C00015000")
    statement = (
        "Statement,Header,Field Name,Field Value\n"
        "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,"
        "T. Price,Proceeds,Comm/Fee,Code\n"
        'Trades,Data,Trade,Equity and Index Options,USD,AQN 21JAN22 15.0 C,"2026-01-11, 11:28:44",'
        "-1,0,0,0,C;Ep\n"
    )

    (one,) = fills_of(
        items_of(write(tmp_path, flex(report + 'multiplier="100" dateTime="20260126"')), "UTC")
    )
    (other,) = fills_of(items_of(write(tmp_path, statement, "statement.csv"), "UTC"))

    assert one.symbol == other.symbol == "AQN220121C00015000"
    assert one.base == other.base == "AQN"
    assert one.multiplier == other.multiplier == 100
    assert (other.px, other.effect) == (0, "close")


@shared_file
def test_the_flex_report_holds_the_executions_of_the_file():
    layout, found = read_items(TRADES / "tradetally_ibkr_flex_report.xml", "America/New_York")
    items = list(found)

    assert layout == "ibkr-flex-xml"
    assert markets_of(items) == {
        # 691 - 100; -691 x 43.1 + 100 x 44.19 = -29782.1 + 4419; 3.455 + 1.1108314
        "GOLD": MarketSum(2, Decimal(591), Decimal("-25363.1"), Decimal("4.5658314")),
        # 103 + 137, both at 300; 1.000309 + 0.200411
        "AAPL": MarketSum(2, Decimal(240), Decimal(-72000), Decimal("1.20072")),
    }
    assert left_out_of(items) == {"open position": 1}
    # Two executions of one order in one second stay two.
    assert [fill.tid for fill in fills_of(items) if fill.oid == "ORD00003"] == [
        "TRD00003",
        "TRD00004",
    ]


@shared_file
def test_the_activity_statement_counts_one_level_of_quantity():
    items = items_of(TRADES / "constructed_ibkr_activity_statement.csv", "America/New_York")

    assert markets_of(items) == {
        # bought at 15,000, sold at 15,500; 1.00 + 1.02
        "AAPL": MarketSum(2, Decimal(0), Decimal(500), Decimal("2.02")),
        "TSLA": MarketSum(1, Decimal(1200), Decimal(-300600), Decimal(6)),
        # one contract of 100 shares sold at 0.38
        "AQN220121C00015000": MarketSum(1, Decimal(-1), Decimal(38), Decimal("0.1945438")),
        # 8000 x 1.1173
        "EUR.USD": MarketSum(1, Decimal(8000), Decimal("-8938.4"), Decimal(2)),
    }
    # Statement 3, Account Information 3, Deposits 1.
    assert left_out_of(items) == {
        "row of another section": 7,
        "execution of an order": 2,
        "closed lot": 1,
        "total": 2,
    }
    assert [fill.fee_token for fill in fills_of(items)] == [None, None, None, None, "USD"]


@shared_file
def test_a_flex_sheet_of_days_keeps_its_order_and_leaves_conversions_out():
    items = items_of(TRADES / "ghostfolio_export_ibkr_flex_trades.csv")

    assert markets_of(items) == {
        "CH0111762537": MarketSum(1, Decimal(7), Decimal("-1978.9"), Decimal(5)),
        # 95+105+11+1+2+97+12; the column TradeMoney of these rows:
        # 8909.1+10019.1+1050.06+97.84+206.36+10050.17+1243.92; fees 6 x 1 + 0.979
        "US9220427424": MarketSum(7, Decimal(323), Decimal("-31576.55"), Decimal("6.979")),
    }
    assert left_out_of(items) == {"currency conversion without its pair": 3}
    # The first day is 22 May 2023, 00:00 in New York: 04:00 UTC.
    assert fills_of(items)[0].time_ms == 1684728000000


@shared_file
def test_partial_executions_of_a_confirmation_stay_five():
    items = items_of(TRADES / "tradetally_ibkr_flex_confirm.csv")

    assert markets_of(items) == {
        # 41+100+109+148+352; 128.33+313+341.17+571.28+1358.72;
        # 1.000123+0.0003+0.250327+1.000444+1.501056
        "VIVK": MarketSum(5, Decimal(750), Decimal("-2712.50"), Decimal("3.752250")),
    }
    assert left_out_of(items) == {}


HISTORY = """Statement,Header,Field Name,Field Value
Statement,Data,Title,Transaction History
Summary,Header,Field Name,Field Value
Summary,Data,Base Currency,GBP
Transaction History,Header,Date,Account,Description,Transaction Type,Symbol,Quantity,Price,Gross Amount ,Commission,Net Amount
Transaction History,Data,2025-08-15,U***1,FOO PLC,Sell,FOO,-2.0,12.50,25.0,-3.0,22.0
Transaction History,Data,2025-06-15,U***1,FOO(GB00) Cash Dividend,Dividend,FOO,-,-,0.5,-,0.5
Transaction History,Data,2025-03-15,U***1,FOO PLC,Buy,FOO,2.0,10.0,-20.0,-,-20.0
"""  # noqa: E501 (as the program writes it)


def test_a_transaction_history_is_read_and_not_taken_for_an_empty_statement(tmp_path: Path):
    items = items_of(write(tmp_path, HISTORY, "history.csv"))

    assert [(one.side, one.sz, one.px, one.fee, one.quote) for one in fills_of(items)] == [
        ("A", 2, Decimal("12.50"), 3, "GBP"),
        ("B", 2, 10, 0, "GBP"),
    ]
    assert left_out_of(items) == {"dividend": 1}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("12.50,25.0", "15.00,25.0", "column Price: is '15.00'; accepted: a price in GBP"),
        ("Sell,FOO,-2.0", "Assignment,FOO,-2.0", "is 'Assignment'; accepted: Buy or Sell"),
        ("Base Currency", "Currency", "does not say the base currency"),
    ],
)
def test_what_a_transaction_history_does_not_say_is_asked(tmp_path: Path, old, new, problem):
    path = write(tmp_path, HISTORY.replace(old, new), "history.csv")

    with pytest.raises(InvalidInputError, match=problem):
        items_of(path)
