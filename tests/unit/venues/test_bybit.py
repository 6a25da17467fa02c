"""Bybit: rows that are no trades, sides of orders, closed positions after fees."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    closed_of,
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
TRADES_HEAD = (
    "Market,Filled Type,Filled Quantity,Filled Price,Order Price,Fee Rate,Trading Fee,feeCoin,"
    "ExecFeeV2,Direction,Order Type,Trasaction ID,Order No.,Transaction Time(UTC+0)\n"
)
CLOSED_HEAD = (
    "Contracts,Closing Direction,Qty,Entry Price,Exit Price,Closed P&L,Exit Type,"
    "Trade Time(UTC+0),Order No.,Create Time\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def trade(
    market: str = "ETHUSDT", sort: str = "Trade", side: str = "Long", fee: str = "3.41"
) -> str:
    return (
        f"{market},{sort},2,3100,3100,0.00055,{fee},USDT,{fee},{side},Market, a1, o1,"
        "10:00 2026-01-10\n"
    )


def test_the_minute_stands_before_the_day_and_ids_lose_their_blank(tmp_path):
    (fill,) = fills_of(items_of(save(tmp_path, TRADES_HEAD + trade())))

    assert fill.time_ms == 1768039200000  # 2026-01-10 10:00 UTC
    assert (fill.tid, fill.oid) == ("a1", "o1")


def test_the_zone_of_the_heading_outranks_the_one_that_was_said(tmp_path):
    text = TRADES_HEAD.replace("UTC+0", "UTC+8") + trade()

    (fill,) = fills_of(items_of(save(tmp_path, text), zone="America/New_York"))

    assert fill.time_ms == 1768039200000 - 8 * 3_600_000


def test_a_mended_spelling_of_the_id_is_read_too(tmp_path):
    text = TRADES_HEAD.replace("Trasaction", "Transaction") + trade()

    (fill,) = fills_of(items_of(save(tmp_path, text)))

    assert fill.tid == "a1"


def test_direction_is_the_side_of_the_order_and_a_rebate_is_negative(tmp_path):
    text = TRADES_HEAD + trade(side="Short", fee="-0.2")

    (fill,) = fills_of(items_of(save(tmp_path, text)))

    assert (fill.side, fill.fee, fill.effect) == ("A", D("-0.2"), None)


@pytest.mark.parametrize("sort", ["Liquidation", "BustTrade"])
def test_a_liquidation_is_a_fill(tmp_path, sort):
    (fill,) = fills_of(items_of(save(tmp_path, TRADES_HEAD + trade(sort=sort))))

    assert fill.liquidation is not None
    assert fill.liquidation.method == "liquidation"


def test_funding_and_contracts_paid_in_coins_are_left_out(tmp_path):
    text = TRADES_HEAD + trade(sort="Funding") + trade("BTCUSD") + trade("BTCUSDH26")

    items = items_of(save(tmp_path, text))

    assert fills_of(items) == []
    assert left_out_of(items) == {"funding": 1, "coin-margined contract": 2}


@pytest.mark.parametrize(
    ("market", "base", "quote", "kind"),
    [
        ("ETHUSDT", "ETH", "USDT", "perp"),
        ("ETHPERP", "ETH", "USDC", "perp"),
        ("BTC-27MAR26", "BTC", "USDC", "future"),
        ("BTCUSDT-27MAR26", "BTC", "USDT", "future"),
        ("BTC-27MAR26-60000-C", "BTC", "USDC", "option"),
    ],
)
def test_markets_name_their_currency(tmp_path, market, base, quote, kind):
    (fill,) = fills_of(items_of(save(tmp_path, TRADES_HEAD + trade(market))))

    assert (fill.symbol, fill.base, fill.quote, fill.kind) == (market, base, quote, kind)


@pytest.mark.parametrize(
    ("closing", "direction"),
    [("Close Long", "long"), ("Sell", "long"), ("Close Short", "short"), ("Buy", "short")],
)
def test_the_closing_order_is_against_the_position(tmp_path, closing, direction):
    row = f"OPUSDT,{closing},10,2,3,9.5,Trade,2025-06-05 10:05:40,x1,2025-06-05 10:05:40\n"

    (trade_,) = closed_of(items_of(save(tmp_path, CLOSED_HEAD + row)))

    assert trade_.direction == direction
    assert (trade_.net, trade_.net_is_after) == (D("9.5"), "fees")
    assert (trade_.opened_at, trade_.gross, trade_.fees) == (None, None, None)


def test_an_unknown_closing_direction_is_refused_with_its_line(tmp_path):
    row = "OPUSDT,Flat,10,2,3,9.5,Trade,2025-06-05 10:05:40,x1,2025-06-05 10:05:40\n"

    with pytest.raises(InvalidInputError, match="line 2, column Closing Direction"):
        items_of(save(tmp_path, CLOSED_HEAD + row))


@shared_file
def test_the_shared_file_of_trades():
    items = items_of(TRADES / "constructed_bybit_derivatives_trade_history_uta.csv")

    # ETHUSDT: +2 -1 -1, cash -6200 + 3150 + 3080 = 30, fees 3.41 + 0.63 + 1.694 = 5.734
    # SOLUSDT: -10 +10, cash +1455 - 1600 = -145, fees 0.80025 + 0.88 = 1.68025
    assert markets_of(items) == {
        "ETHUSDT": MarketSum(3, D(0), D(30), D("5.734")),
        "SOLUSDT": MarketSum(2, D(0), D(-145), D("1.68025")),
    }
    assert fees_of(items) == {"USDT": D("7.41425")}
    assert left_out_of(items) == {"funding": 2}
    assert [fill.liquidation is not None for fill in fills_of(items)] == [False] * 4 + [True]


@shared_file
def test_the_shared_file_of_closed_positions():
    trades = closed_of(items_of(TRADES / "constructed_bybit_closed_pnl_2022.csv"))

    # 2.01880767 - 1.54566602 + 1.206966 + 0.68268788 - 17.45
    assert sum(trade_.net for trade_ in trades) == D("-15.08720447")
    assert [trade_.direction for trade_ in trades] == ["long"] * 4 + ["short"]
    # The first is below 793.7 x (0.6331 - 0.6299) = 2.53984: fees are off already.
    assert trades[0].net < trades[0].size * (trades[0].exit_px - trades[0].entry_px)
