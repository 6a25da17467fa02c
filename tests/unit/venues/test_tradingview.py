import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    closed_of,
    items_of,
    left_out_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


HEADER = "Trade #,Type,Signal,Date/Time,Price USDT,Contracts,Profit USDT,Profit %\n"
ROWS = (
    "1,Entry long,Long,2024-01-03 15:00,100,2,,\n1,Exit long,Close,2024-01-05 09:00,110,2,19.5,4\n"
)


def test_the_market_is_in_the_name_of_the_file(tmp_path: Path):
    named = write(tmp_path, HEADER + ROWS, "MACD_Strategy_BINANCE_ETHUSDT.P_2026-04-13.csv")

    assert [one.symbol for one in closed_of(items_of(named, "UTC"))] == ["ETHUSDT.P"]
    assert [one.symbol for one in closed_of(items_of(named, "UTC", "SOLUSDT"))] == ["SOLUSDT"]


def test_market_and_zone_are_asked_for(tmp_path: Path):
    path = write(tmp_path, HEADER + ROWS)

    with pytest.raises(InvalidInputError, match="--symbol"):
        items_of(path, "UTC")
    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path, None, "ETHUSDT")


def test_the_profit_of_a_trade_is_counted_once_and_net(tmp_path: Path):
    exit_first = ROWS.replace("2,,", "2,19.5,4").splitlines()[::-1]
    path = write(tmp_path, HEADER + "\n".join(exit_first) + "\n")

    (trade,) = closed_of(items_of(path, "UTC", "ETHUSDT"))

    assert (trade.net, trade.net_is_after, trade.gross, trade.fees) == (
        Decimal("19.5"),
        "fees",
        None,
        None,
    )
    assert (trade.entry_px, trade.exit_px, trade.label) == (100, 110, "Long")


def test_a_trade_that_is_still_open_is_left_out(tmp_path: Path):
    still_open = ROWS.replace("Close", "Open")
    path = write(tmp_path, HEADER + still_open)

    items = items_of(path, "UTC", "ETHUSDT")

    assert closed_of(items) == []
    assert left_out_of(items) == {"open trade": 2}


@shared_file
def test_the_list_of_2025_holds_twelve_trades():
    items = items_of(
        TRADES / "constructed_tradingview_list_of_trades_2025.csv", "UTC+8", "ETHUSDT.P"
    )

    trades = closed_of(items)
    # 1181.27 + 7433.77 - 5445.11 + 9508.39 + 6.96 + 762.44 + 309.17 + 6735.89 + 278.00
    # - 17588.62 + 13887.61 + 3460.83 = 20530.60; over both rows it would be 41061.20.
    assert sum(one.net for one in trades) == Decimal("20530.60")
    assert len(trades) == 12
    assert {one.direction for one in trades} == {"long"}
    assert {(one.quote, one.kind) for one in trades} == {("USD", "perp")}
    # Trade 25: 08:15 on a chart at UTC+8.
    assert trades[0].opened_at is not None
    assert trades[0].opened_at.isoformat() == "2026-04-13T00:15:00+00:00"
    assert (trades[0].entry_px, trades[0].exit_px) == (Decimal("2194.89"), Decimal("2197.49"))


@shared_file
def test_the_list_of_2023_leaves_out_its_open_trade():
    items = items_of(TRADES / "constructed_tradingview_list_of_trades_2023.csv", "UTC", "BTCUSDT")

    assert [(one.direction, one.size, one.net, one.quote) for one in closed_of(items)] == [
        ("long", Decimal("0.237"), Decimal("433.62"), "USDT"),
        ("short", Decimal("0.235"), Decimal("-124.74"), "USDT"),
    ]
    assert left_out_of(items) == {"open trade": 1}
