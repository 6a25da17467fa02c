"""Gate.io: legs of orders, joined by what the action was about."""

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
HEAD = "no,time,action_desc,action_data,type,change_amount,amount,total\n"


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def bill(action: str, order: str, coin: str, change: str) -> str:
    return f"1,2024-01-15 12:00:00,{action},{order},{coin},{change},0,0\n"


def test_what_a_cancelled_order_gave_back_is_not_traded(tmp_path):
    text = (
        bill("Order Cancelled", "7", "USDT", "500")
        + bill("Order Fullfilled", "7", "BTC", "0.02")
        + bill("Order Fullfilled", "7", "BTC", "0.01")
        + bill("Trading Fees", "7", "BTC", "-0.00003")
        + bill("Order Placed", "7", "USDT", "-1500")
    )

    items = items_of(save(tmp_path, HEAD + text), zone="UTC+8")

    (fill,) = fills_of(items)
    assert (fill.symbol, fill.side, fill.sz) == ("BTC_USDT", "B", D("0.03"))
    assert round(fill.sz * fill.px, 12) == 1000
    assert (fill.fee, fill.fee_token, fill.oid) == (D("0.00003"), "BTC", "7")
    assert fill.time_ms == 1705291200000  # 04:00 UTC
    assert left_out_of(items) == {"leg of a trade": 4}


def test_an_order_without_execution_and_other_bills_are_left_out(tmp_path):
    text = (
        bill("Order Placed", "8", "USDT", "-1500")
        + bill("Order Cancelled", "8", "USDT", "1500")
        + bill("Order Fulfilled", "9", "BTC", "1")
        + bill("Deposits", "", "USDT", "10")
        + bill("Points", "", "POINT", "1")
    )

    items = items_of(save(tmp_path, HEAD + text), zone="UTC")

    assert fills_of(items) == []
    assert left_out_of(items) == {
        "order without execution": 2,
        "legs of no clear trade": 1,
        "deposit": 1,
        "other row": 1,
    }


@shared_file
def test_the_shared_file():
    path = TRADES / "constructed_gate_billing_details.csv"

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    items = items_of(path, zone="UTC+8")

    # +0.05 for 1500, -0.05 for 1550; fees 1.5 + 1.55
    assert markets_of(items) == {"BTC_USDT": MarketSum(2, D(0), D(50), D("3.05"))}
    assert fees_of(items) == {"USDT": D("3.05")}
    assert left_out_of(items) == {"leg of a trade": 4}
    assert [(fill.oid, fill.side, fill.px) for fill in fills_of(items)] == [
        ("trade-002", "A", 31000),
        ("trade-001", "B", 30000),
    ]
