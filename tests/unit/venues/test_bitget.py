"""Bitget: one row an order, its side in its direction, its fee in what profit lost to net."""

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
    "Date,Order ID,Direction,Coin,Futures,order source,Transaction type,Price,Average Price,"
    "Order amount,Executed,Trading volume,Realized P/L,NetProfits,Status\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(
    direction: str = "Close long", coin: str = "USDT", futures: str = "SOLUSDT", done: str = "4"
) -> str:
    return (
        f"2025-03-02 14:10:00,\t1258113040865390599,{direction},{coin},{futures},NORMAL,Limit,150,"
        f"151,10,{done},1512,12,11.5,Cancelled\n"
    )


@pytest.mark.parametrize(
    ("direction", "side", "effect"),
    [
        ("Open long", "B", "open"),
        ("Close long", "A", "close"),
        ("Open short", "A", "open"),
        ("Close short", "B", "close"),
        ("Sell", "A", None),
    ],
)
def test_a_direction_tells_side_and_effect(tmp_path, direction, side, effect):
    path = save(tmp_path, "\ufeff" + HEAD + row(direction))

    (fill,) = fills_of(items_of(path, zone="UTC"))

    assert (fill.side, fill.effect, fill.oid) == (side, effect, "1258113040865390599")
    assert (fill.px, fill.sz, fill.fee, fill.closed_pnl) == (151, 4, D("0.5"), 12)


def test_what_was_executed_before_an_order_was_cancelled_counts_and_nothing_else(tmp_path):
    items = items_of(save(tmp_path, HEAD + row() + row(done="0")), zone="UTC")

    assert len(fills_of(items)) == 1
    assert left_out_of(items) == {"cancelled order": 1}


def test_a_contract_paid_in_coins_is_left_out(tmp_path):
    items = items_of(save(tmp_path, HEAD + row(coin="BTC", futures="BTCUSD")), zone="UTC")

    assert left_out_of(items) == {"coin-margined contract": 1}


def test_an_unknown_direction_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="line 2, column Direction"):
        items_of(save(tmp_path, HEAD + row("Hedge")), zone="UTC")


@shared_file
def test_the_shared_file():
    path = TRADES / "constructed_bitget_futures_order_history.csv"

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    items = items_of(path, zone="UTC+8")

    # SOLUSDT: +10 -10, -1500 + 1512 = 12, fees 0.9 + (12 - 11.0928) = 1.8072
    # ETHUSDT: -0.5 +0.5, +1100 - 1105 = -5, fees 0.66 + (-5 + 5.663) = 1.323
    assert markets_of(items) == {
        "SOLUSDT": MarketSum(2, D(0), D(12), D("1.8072")),
        "ETHUSDT": MarketSum(2, D(0), D(-5), D("1.323")),
    }
    assert fees_of(items) == {"USDT": D("3.1302")}
    # Net of the file: 11.0928 - 0.9 - 5.663 - 0.66 = 3.8698 = 12 - 5 - 3.1302
    assert sum(fill.closed_pnl - fill.fee for fill in fills_of(items)) == D("3.8698")
    assert left_out_of(items) == {"cancelled order": 1}
    assert fills_of(items)[0].time_ms == 1740895800000  # 14:10 in UTC+8 is 06:10 UTC
