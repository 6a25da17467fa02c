"""Coinbase: currency signs, conversions told in notes, ids that repeat."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fees_of,
    fills_of,
    items_of,
    left_out_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
HEAD = (
    "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,"
    "Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes\n"
)
FILLS = (
    "portfolio,trade id,product,side,created at,size,size unit,price,fee,total,"
    "price/fee/total unit\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(sort: str, quantity: str = "2", notes: str = "", identity: str = "a") -> str:
    return (
        f"{identity},2024-12-05 06:33:40 UTC,{sort},BTC,{quantity},EUR,\u20ac90,\u20ac100,"
        f"\u20ac101,\u20ac1,{notes}\n"
    )


def test_lines_before_the_header_and_old_names_of_columns_are_read(tmp_path):
    old = HEAD.replace("Price Currency", "Spot Price Currency").replace(" and/or spread", "")
    text = '\nTransactions\nUser,name,"x, y"\n' + old + row("Buy")

    (fill,) = fills_of(items_of(save(tmp_path, text)))

    assert (fill.symbol, fill.side, fill.px, fill.sz) == ("BTC-EUR", "B", 50, 2)
    assert (fill.fee, fill.fee_token) == (1, "EUR")
    assert fill.time_ms == 1733380420000


def test_a_sale_with_negative_amounts_is_read_like_one_without(tmp_path):
    signed = row("Advanced Trade Sell", "-2").replace("\u20ac100,", "-\u20ac100,")

    (fill,) = fills_of(items_of(save(tmp_path, HEAD + signed)))

    assert (fill.side, fill.px, fill.sz) == ("A", 50, 2)


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Converted 0.5 BTC to 8 ETH", ("ETH-BTC", "B", 8, D("0.0625"))),
        ("Converted 8 ETH to 0.5 BTC", ("ETH-BTC", "A", 8, D("0.0625"))),
        ("Converted 100 USDC to 4 SOL", ("SOL-USDC", "B", 4, 25)),
        ("Converted 4 SOL to 8 XRP", ("XRP-SOL", "B", 8, D("0.5"))),
    ],
)
def test_a_conversion_is_a_trade_of_the_two_coins_in_its_notes(tmp_path, notes, expected):
    (fill,) = fills_of(items_of(save(tmp_path, HEAD + row("Convert", notes=notes))))

    assert (fill.symbol, fill.side, fill.sz, fill.px) == expected


def test_a_conversion_without_readable_notes_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="line 2, column Notes"):
        items_of(save(tmp_path, HEAD + row("Convert", notes="Swapped something")))


def test_rows_that_are_no_trades_are_left_out(tmp_path):
    sorts = ["Staking Income", "Send", "Receive", "Deposit", "Learning Reward", "Something New"]

    items = items_of(save(tmp_path, HEAD + "".join(map(row, sorts))))

    assert left_out_of(items) == {
        "staking": 1,
        "transfer": 2,
        "deposit": 1,
        "reward": 1,
        "other row": 1,
    }


def test_one_id_on_two_rows_stays_two_fills(tmp_path):
    fills = fills_of(items_of(save(tmp_path, HEAD + row("Buy") + row("Buy", "3"))))

    assert [(fill.oid, fill.tid) for fill in fills] == [("a", None), ("a", None)]


def test_another_portfolio_is_another_account(tmp_path):
    fill_row = "My Bots,1,XLM-EUR,SELL,2019-06-26T13:35:21.940Z,131,XLM,0.1,0.02,13.08,EUR\n"

    (fill,) = fills_of(items_of(save(tmp_path, FILLS + fill_row)))

    assert fill.account == "main/My-Bots"
    assert (fill.time_ms, fill.fee_token) == (1561556121940, "EUR")


@shared_file
def test_the_shared_file_of_transactions():
    items = items_of(TRADES / "coinbase_transactions_2025.csv")

    found = markets_of(items)
    # 156.145683 XRP for 0.00363125 BTC; 0.00166779 BTC for 67.01 and 2.99, once in each currency
    rounded = {name: market._replace(cash=round(market.cash, 15)) for name, market in found.items()}
    assert rounded == {
        "XRP-BTC": MarketSum(1, D("156.145683"), D("-0.00363125"), D(0)),
        "BTC-EUR": MarketSum(1, D("0.00166779"), D("-67.01"), D("2.99")),
        "BTC-USD": MarketSum(1, D("0.00166779"), D("-67.01"), D("2.99")),
    }
    assert fees_of(items) == {"EUR": D("2.99"), "USD": D("2.99")}
    assert left_out_of(items) == {"staking": 2, "transfer": 2, "renamed coin": 1}


@shared_file
def test_the_shared_file_of_fills():
    items = items_of(TRADES / "constructed_coinbase_advanced_fills.csv")

    # XLM-EUR: 1782 - 131 - 439 = 1212; -201.03633 + 14.90125 + 49.93625 = -136.19883
    #   fees 0.301554495 + 0.022351875 + 0.074904375 = 0.398810745
    # BTC-USDC: 0.75789 x 19295 = 14623.48755 = total 14572.305343575 + fee 51.182206425
    assert markets_of(items) == {
        "XLM-EUR": MarketSum(3, D(1212), D("-136.19883"), D("0.398810745")),
        "BTC-USDC": MarketSum(1, D("-0.75789"), D("14623.48755"), D("51.182206425")),
        "BAT-ETH": MarketSum(1, D(-1), D("0.00131511"), D("0.00000657555")),
    }
    assert fees_of(items) == {
        "EUR": D("0.398810745"),
        "USDC": D("51.182206425"),
        "ETH": D("0.00000657555"),
    }
    assert left_out_of(items) == {}
