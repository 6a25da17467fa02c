"""Programs for portfolios: sides out of what was received and sent, names behind signs."""

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
PIONEX = (
    "Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,"
    "Tag\n"
)
DELTA = (
    "Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,"
    "Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_month_stands_before_the_day_and_the_zone_is_asked(tmp_path):
    path = save(tmp_path, PIONEX + "3/4/2022 9:05,0.1,ETH,200,BUSD,0.01,ETH,\n")

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    (fill,) = fills_of(items_of(path, zone="UTC"))
    assert fill.time_ms == 1646384700000  # 4 March 2022 09:05
    assert (fill.symbol, fill.side, fill.px, fill.sz) == ("ETH_BUSD", "B", 2000, D("0.1"))


def test_one_leg_is_no_trade(tmp_path):
    text = "3/4/2022 9:05,0.1,ETH,,,,,\n3/4/2022 9:06,,,1,BTC,0.001,BTC,\n"

    items = items_of(save(tmp_path, PIONEX + text), zone="UTC")

    assert left_out_of(items) == {"deposit": 1, "withdrawal": 1}


def test_a_trade_without_a_price_is_left_out(tmp_path):
    row = "2023-06-01 19:31:54-04:00,SELL,100,SOL (Solana),CRYPTO,,,Binance,,,,,,\n"

    assert left_out_of(items_of(save(tmp_path, DELTA + row))) == {"trade without price": 1}


@shared_file
def test_the_shared_file_of_pionex():
    items = items_of(TRADES / "dali_pionex_trades.csv", zone="UTC")

    # +0.1 for 200, -0.05 for 110
    assert markets_of(items) == {"ETH_BUSD": MarketSum(2, D("0.05"), D(-90), D("0.06495"))}
    assert fees_of(items) == {"ETH": D("0.00995"), "BUSD": D("0.055")}
    assert fills_of(items)[0].time_ms == 1645963740000  # 2022-02-27 12:09


@shared_file
def test_the_shared_file_of_delta():
    items = items_of(TRADES / "ghostfolio_export_delta.csv")

    # 10 ETH for 0.6 BTC, 100 SOL for 0.88 ETH, 5 shares for 1250 dollars
    assert markets_of(items) == {
        "ETH/BTC": MarketSum(1, D(10), D("-0.6"), D("0.1")),
        "SOL/ETH": MarketSum(1, D(-100), D("0.88"), D(0)),
        "AAPL": MarketSum(1, D(5), D(-1250), D(0)),
    }
    assert fees_of(items) == {"BNB": D("0.1")}
    assert left_out_of(items) == {"withdrawal": 1, "deposit": 2, "dividend": 1}
    assert [fill.kind for fill in fills_of(items)] == ["spot", "spot", "stock"]
    assert fills_of(items)[0].time_ms == 1685736407000  # 16:06:47-04:00 is 20:06:47 UTC
