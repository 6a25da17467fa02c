"""dYdX: perpetuals named like pairs, rebates, subaccounts."""

import json
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
FILL = {
    "id": "a0",
    "side": "BUY",
    "liquidity": "MAKER",
    "type": "LIMIT",
    "market": "ETH-USD",
    "marketType": "PERPETUAL",
    "price": "3100.0",
    "size": "0.4",
    "fee": "-0.136400",
    "createdAt": "2025-02-10T08:00:01.003Z",
    "orderId": "b1",
    "subaccountNumber": 0,
}


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, *fills: dict):
    return items_of(save(folder, json.dumps({"fills": fills}), "fills.json"))


def test_a_rebate_is_negative_and_a_market_named_like_a_pair_is_a_perpetual(tmp_path):
    (fill,) = fills_of(read(tmp_path, FILL))

    assert (fill.kind, fill.symbol, fill.base, fill.quote) == ("perp", "ETH-USD", "ETH", "USDC")
    assert (fill.fee, fill.fee_token, fill.tid, fill.oid) == (D("-0.1364"), "USDC", "a0", "b1")
    assert fill.time_ms == 1739174401003


def test_a_subaccount_is_an_account_and_a_liquidation_is_told(tmp_path):
    (fill,) = fills_of(read(tmp_path, FILL | {"subaccountNumber": 128, "type": "LIQUIDATED"}))

    assert fill.account == "main/128"
    assert fill.liquidation is not None


def test_a_spot_market_is_left_out_and_a_bad_price_refused(tmp_path):
    assert left_out_of(read(tmp_path, FILL | {"marketType": "SPOT"})) == {"spot market": 1}
    with pytest.raises(InvalidInputError, match=r"fills.json: fills\[1\].price"):
        read(tmp_path, FILL, FILL | {"price": "-1"})


@shared_file
def test_the_shared_file():
    items = items_of(TRADES / "constructed_dydx_v4_fills.json")

    # +0.4 -0.4, -1240 + 1262.08 = 22.08; fees 0.63104 - 0.1364 = 0.49464
    assert markets_of(items) == {"ETH-USD": MarketSum(2, D(0), D("22.08"), D("0.49464"))}
    assert fees_of(items) == {"USDC": D("0.49464")}
