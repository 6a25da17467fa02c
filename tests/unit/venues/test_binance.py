"""Binance: amounts with their coins, zones in file names, legs of statements."""

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
    read_items,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
SPOT = "Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n"
FUTURES = (
    "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,Trade ID,Order ID\n"
)
STATEMENT = "User_ID,UTC_Time,Account,Operation,Coin,Change,Remark\n"


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def futures(symbol: str = "BTCUSDT", time: str = "26-03-17 09:34:12", fee: str = "0.1 USDT") -> str:
    return f"{FUTURES}1,{time},{symbol},BUY,100,2,200,{fee},0,true,false,9007199254740993,7\n"


def legs(*rows: str) -> str:
    return STATEMENT + "".join(f"1,2025-01-03 {row},\n" for row in rows)


def test_a_byte_order_mark_small_letters_and_blanks_do_not_hide_a_header(tmp_path):
    head = "\ufeffdate(utc) , PAIR,Side,Price,Executed,Amount,Fee\n"
    row = '2021-06-05 12:00:07,BTCUSDT,SELL,"37,120.55",0.02BTC,742.411USDT,0.1BNB\n'

    (fill,) = fills_of(items_of(save(tmp_path, head + row)))

    assert (fill.px, fill.sz, fill.side) == (D("37120.55"), D("0.02"), "A")


@pytest.mark.parametrize(
    ("pair", "executed", "amount", "fee", "expected"),
    [
        ("DOGEBTC", "200DOGE", "0.002BTC", "0.1DOGE", ("DOGE", "BTC", D(200), D("0.1"), "DOGE")),
        (
            "1INCHUSDT",
            "5.01INCH",
            "2USDT",
            "0.011INCH",
            ("1INCH", "USDT", D(5), D("0.01"), "1INCH"),
        ),
        ("BNBUSDT", "1BNB", "390USDT", "0.39USDT", ("BNB", "USDT", D(1), D("0.39"), "USDT")),
        ("SOLUSDT", "1SOL", "150USDT", "0.0001BNB", ("SOL", "USDT", D(1), D("0.0001"), "BNB")),
    ],
)
def test_the_coins_of_the_amounts_cut_the_pair(tmp_path, pair, executed, amount, fee, expected):
    row = f"2021-06-05 12:00:07,{pair},BUY,1,{executed},{amount},{fee}\n"

    (fill,) = fills_of(items_of(save(tmp_path, SPOT + row)))

    assert (fill.base, fill.quote, fill.sz, fill.fee, fill.fee_token) == expected


def test_amounts_of_other_coins_than_the_pair_are_refused_with_their_line(tmp_path):
    row = "2021-06-05 12:00:07,BTCUSDT,BUY,1,5ETH,5USDT,0\n"

    with pytest.raises(InvalidInputError, match="line 2, column Executed"):
        items_of(save(tmp_path, SPOT + row))


@pytest.mark.parametrize(
    ("name", "millis"),
    [
        ("a(UTC+8).csv", 1773711252000),  # 2026-03-17 01:34:12 UTC
        ("a(UTC--6).csv", 1773761652000),  # 15:34:12 UTC
        ("a(UTC).csv", 1773740052000),
    ],
)
def test_the_zone_of_futures_is_that_in_the_file_name(tmp_path, name, millis):
    for time in ("26-03-17 09:34:12", "2026-03-17 09:34:12"):
        (fill,) = fills_of(items_of(save(tmp_path, futures(time=time), name), zone="Asia/Tokyo"))

        assert fill.time_ms == millis


def test_a_renamed_file_of_futures_asks_for_its_zone(tmp_path):
    path = save(tmp_path, futures())

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    (fill,) = fills_of(items_of(path, zone="UTC"))
    assert fill.time_ms == 1773740052000


def test_a_future_keeps_its_ids_its_kind_and_the_token_of_its_fee(tmp_path):
    text = futures("BTCUSDT_260327", fee="0.00001 BNB")

    (fill,) = fills_of(items_of(save(tmp_path, text), zone="UTC"))

    assert (fill.tid, fill.oid) == ("9007199254740993", "7")
    assert (fill.kind, fill.base, fill.quote) == ("future", "BTC", "USDT")
    assert (fill.fee, fill.fee_token, fill.effect) == (D("0.00001"), "BNB", None)


def test_a_contract_paid_in_coins_is_left_out(tmp_path):
    items = items_of(save(tmp_path, futures("BTCUSD_PERP")), zone="UTC")

    assert left_out_of(items) == {"coin-margined contract": 1}


def test_the_legs_of_a_trade_may_lie_a_second_apart(tmp_path):
    text = legs(
        "10:00:00,Spot,Transaction Buy,BTC,0.001",
        "10:00:01,Spot,Transaction Spend,USDT,-95",
        "10:00:01,Spot,Transaction Fee,BTC,-0.000001",
    )

    items = items_of(save(tmp_path, text))

    (fill,) = fills_of(items)
    assert (fill.symbol, fill.side, fill.px, fill.sz) == ("BTCUSDT", "B", D(95000), D("0.001"))
    assert (fill.fee, fill.fee_token) == (D("0.000001"), "BTC")
    assert left_out_of(items) == {"leg of a trade": 2}


def test_two_trades_a_second_apart_stay_two_and_a_late_fee_is_not_lost(tmp_path):
    text = legs(
        "10:00:00,Spot,Transaction Buy,BTC,0.001",
        "10:00:00,Spot,Transaction Spend,USDT,-95",
        "10:00:01,Spot,Transaction Fee,BNB,-0.0001",
        "10:00:05,Spot,Transaction Sold,BTC,-0.001",
        "10:00:05,Spot,Transaction Revenue,USDT,96",
        "10:00:06,Spot,Transaction Buy,ETH,0.01",
        "10:00:06,Spot,Transaction Spend,USDT,-30",
    )

    fills = fills_of(items_of(save(tmp_path, text)))

    assert [(fill.symbol, fill.side, fill.fee) for fill in fills] == [
        ("BTCUSDT", "B", D("0.0001")),
        ("BTCUSDT", "A", D(0)),
        ("ETHUSDT", "B", D(0)),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ["10:00:00,Spot,Transaction Buy,BTC,0.001"],
        [  # two trades of one second with one currency: which spend is whose cannot be known
            "10:00:00,Spot,Transaction Buy,BTC,0.001",
            "10:00:00,Spot,Transaction Buy,ETH,0.01",
            "10:00:00,Spot,Transaction Spend,USDT,-125",
        ],
        [  # bought and sold in one second
            "10:00:00,Spot,Transaction Buy,BTC,0.002",
            "10:00:00,Spot,Transaction Sold,BTC,-0.001",
            "10:00:00,Spot,Transaction Spend,USDT,-95",
        ],
        [  # a fill has one fee
            "10:00:00,Spot,Transaction Buy,BTC,0.002",
            "10:00:00,Spot,Transaction Spend,USDT,-95",
            "10:00:00,Spot,Transaction Fee,BNB,-0.1",
            "10:00:00,Spot,Transaction Fee,USDT,-0.1",
        ],
    ],
)
def test_legs_that_make_no_clear_trade_are_left_out_all(tmp_path, rows):
    items = items_of(save(tmp_path, legs(*rows)))

    assert fills_of(items) == []
    assert left_out_of(items) == {"legs of no clear trade": len(rows)}


@shared_file
def test_the_shared_file_of_spot_trades():
    items = items_of(TRADES / "constructed_binance_spot_trade_history.csv")

    # BTCUSDT: +0.01 +0.01 +0.01003 -0.02 -0.01 = +0.00003
    #   cash: -365 -365 -366.0948997 (= 36499.99 x 0.01003) +742.411 +371.2055 = +17.5216003
    #   fees: 0.00001+0.00001+0.00001003 BTC, 0.00141+0.000705 BNB
    # BNBUSDT: +0.5, cash -195.06; DOGEEUR: +500, cash -155.155; DOGEBTC: -200, cash +0.002012
    assert markets_of(items) == {
        "DOGEBTC": MarketSum(1, D(-200), D("0.002012"), D("0.00000201")),
        "BNBUSDT": MarketSum(1, D("0.5"), D("-195.06"), D("0.000375")),
        "DOGEEUR": MarketSum(1, D(500), D("-155.155"), D("0.5")),
        "BTCUSDT": MarketSum(5, D("0.00003"), D("17.5216003"), D("0.00214503")),
    }
    # BTC: 0.00003003 of the purchases + 0.00000201 of DOGEBTC; BNB: 0.002115 + 0.000375
    assert fees_of(items) == {"BTC": D("0.00003204"), "BNB": D("0.00249"), "DOGE": D("0.5")}
    # What is left after the fees in BTC: 0.00003 - 0.00003003
    bought = [fill for fill in fills_of(items) if fill.symbol == "BTCUSDT"]
    in_btc = sum(fill.fee for fill in bought if fill.fee_token == "BTC")
    assert D("0.00003") - in_btc == D("-0.00000003")


@shared_file
def test_the_shared_file_of_futures():
    name = "constructed_Binance-Futures-Trade-History-202603230520(UTC+8).csv"

    layout, read = read_items(TRADES / name)
    items = list(read)

    assert layout == "binance-futures-trades"
    # BTCUSDC: +0.01 -0.01 = 0, cash -738.223 + 738.51 = 0.287
    # BTCUSDT: +0.007 -0.007 = 0, cash -564.2014 + 662.05010666669 = 97.84870666669
    # COMPUSDT: +0.872 -0.436 -0.436 = 0, cash -30.87752 + 11.00028 + 11.00028 = -8.87696
    assert markets_of(items) == {
        "BTCUSDC": MarketSum(2, D(0), D("0.287"), D("0.29528919")),
        "BTCUSDT": MarketSum(2, D(0), D("97.84870666669"), D("0.2825617")),
        "COMPUSDT": MarketSum(3, D(0), D("-8.87696"), D("0.02643904")),
    }
    # USDT: 0.2821007 + 2 x 0.00550014 + 0.01543876
    assert fees_of(items) == {
        "USDC": D("0.29528919"),
        "USDT": D("0.30853974"),
        "BNB": D("0.000461"),
    }
    fills = fills_of(items)
    # 0.28699999 + 97.84870666 - 2 x 4.43848
    assert sum(fill.closed_pnl for fill in fills) == D("89.25874665")
    assert [fill.effect for fill in fills] == ["close", None, "close", None, "close", "close", None]
    assert fills[0].time_ms == 1773711252000  # 09:34:12 in UTC+8 is 01:34:12 UTC


@shared_file
def test_the_shared_file_of_all_transactions():
    items = items_of(TRADES / "constructed_binance_transaction_history.csv")

    # BTCUSDT: +0.001 -0.0005, cash -95 + 48.6; ETHUSDC: -0.5 for +1650
    assert markets_of(items) == {
        "BTCUSDT": MarketSum(2, D("0.0005"), D("-46.4"), D("0.0487")),
        "ETHUSDC": MarketSum(1, D("-0.5"), D(1650), D(0)),
    }
    assert fees_of(items) == {"BNB": D("0.0001"), "USDT": D("0.0486")}
    # 12 rows: 3 fills, 2 + 1 + 2 further legs, 4 that are none
    assert left_out_of(items) == {
        "leg of a trade": 5,
        "interest": 1,
        "funding": 1,
        "futures without market": 2,
    }
