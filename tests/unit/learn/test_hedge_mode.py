"""An account that holds a long and a short position of one market at once has trips of both."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command

MINUTE = 60_000
START = 1_767_225_600_000

HEDGED = (
    # (side, position, price): long from 100 to 110, short from 105 to 95, both open at once
    ("buy", "long", "100"),
    ("sell", "short", "105"),
    ("sell", "long", "110"),
    ("buy", "short", "95"),
)
TRIPS = [("long", "10"), ("short", "10")]
"""Two trips, each with 10 before fees; netted it is a long of 5, and a short of 15."""


def fetched(number: int, side: str, price: str, info: dict[str, Any]) -> dict[str, Any]:
    """Return a trade as ccxt's `fetch_my_trades` writes it."""
    at = START + number * MINUTE
    return {
        "info": info,
        "id": str(number),
        "order": f"9{number}",
        "timestamp": at,
        "datetime": "",
        "symbol": "BTC/USDT:USDT",
        "side": side,
        "price": float(price),
        "amount": 1,
        "cost": float(price),
        "fee": {"cost": 0, "currency": "USDT"},
    }


def binance(side: str, position: str) -> dict[str, Any]:
    return {
        "symbol": "BTCUSDT",
        "orderId": "1",
        "commissionAsset": "USDT",
        "realizedPnl": "0",
        "positionSide": position.upper(),
    }


def okx(side: str, position: str) -> dict[str, Any]:
    return {"instId": "BTC-USDT-SWAP", "fillPx": "1", "fillPnl": "0", "posSide": position}


def bitget(side: str, position: str) -> dict[str, Any]:
    effect = "open" if (side == "buy") == (position == "long") else "close"
    return {
        "tradeId": "1",
        "feeDetail": [],
        "symbol": "BTCUSDT",
        # The venue writes the side of the position, also where the position is closed.
        "side": "buy" if position == "long" else "sell",
        "tradeSide": effect,
        "posMode": "hedge_mode",
    }


def trips(report: Any) -> list[tuple[str, str]]:
    return sorted((one["trip"]["direction"], one["trip"]["gross"]) for one in report["outcomes"])


def saved(path: Path, rows: Sequence[dict[str, Any]]) -> str:
    path.write_text(json.dumps(rows))
    return str(path)


@pytest.mark.parametrize("venue", [binance, okx, bitget])
def test_trades_of_an_api_make_a_trip_of_each_position(command: Command, tmp_path: Path, venue):
    rows = []
    for number, (side, held, price) in enumerate(HEDGED):
        info = venue(side, held)
        rows.append(fetched(number, info.get("side", side), price, info))

    report = command("learn", saved(tmp_path / "trades.json", rows), "--json").json

    assert trips(report) == TRIPS
    assert not any(one["trip"]["is_incomplete"] for one in report["outcomes"])


def test_an_account_with_one_position_is_netted_as_before(command: Command, tmp_path: Path):
    rows = [
        fetched(number, side, price, binance(side, "both"))
        for number, (side, _, price) in enumerate(HEDGED)
    ]

    report = command("learn", saved(tmp_path / "trades.json", rows), "--json").json

    assert trips(report) == [("long", "5"), ("short", "15")]


def test_closed_sizes_of_bybit_that_contradict_one_position_are_told(command, tmp_path: Path):
    rows = []
    for number, (side, held, price) in enumerate(HEDGED):
        closes = (side == "buy") != (held == "long")
        info = {
            "execId": "1",
            "execPrice": price,
            "symbol": "BTCUSDT",
            "closedSize": str(int(closes)),
        }
        rows.append(fetched(number, side, price, info))

    told = command("learn", saved(tmp_path / "trades.json", rows)).out

    assert "held long and short at once (hedge mode)" in " ".join(told.split())


def okx_export(path: Path) -> str:
    words = {True: "Open", False: "Close"}
    lines = [
        "UID:0,Account Type:Trading,Time Zone:UTC+8",
        "id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,"
        "Fee Unit,Position Change,Position Balance,Balance Change,Balance,Balance Unit",
    ]
    for number, (side, held, price) in enumerate(HEDGED):
        action = f"{words[(side == 'buy') == (held == 'long')]} {held}"
        lines.append(
            f"{number},9{number},2025-01-10 12:0{number}:00,Perpetual,BTC-USDT-SWAP,"
            f"{action},100,cont,{price},0,0,USDT,0,0,0,0,USDT"
        )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_words_of_okx_make_a_trip_of_each_position(command: Command, tmp_path: Path):
    report = command("learn", okx_export(tmp_path / "okx.csv"), "--json").json

    assert trips(report) == TRIPS


def test_the_words_of_bitget_make_a_trip_of_each_position(command: Command, tmp_path: Path):
    lines = [
        "Date,Order ID,Direction,Coin,Futures,order source,Transaction type,Price,Average Price,"
        "Order amount,Executed,Trading volume,Realized P/L,NetProfits,Status"
    ]
    for number, (side, held, price) in enumerate(HEDGED):
        effect = "Open" if (side == "buy") == (held == "long") else "Close"
        profit = 10 if effect == "Close" else 0
        lines.append(
            f"2025-01-10 12:0{number}:00,9{number},{effect} {held},USDT,BTCUSDT,N,M,{price},"
            f"{price},1,1,{price},{profit},{profit},Filled"
        )
    path = tmp_path / "bitget.csv"
    path.write_text("\n".join(lines) + "\n")

    report = command("learn", str(path), "--zone", "UTC", "--json").json

    assert trips(report) == TRIPS


def test_a_kept_trip_shows_the_fills_of_its_own_position(command: Command, tmp_path: Path):
    path = okx_export(tmp_path / "okx.csv")
    first = command("history", "import", path, "--json").json
    again = command("history", "import", path, "--json").json
    listed = command("trades", "ls", "--json").json
    (long,) = [one["trip"] for one in listed if one["trip"]["direction"] == "long"]

    shown = command("history", "show", long["trip_uid"], "--json").json

    assert (first["trips_new"], again["fills_new"], again["trips_changed"]) == (2, 0, 0)
    assert [(one["price"], one["position_side"]) for one in shown["fills"]] == [
        ("100", "long"),
        ("110", "long"),
    ]


def test_pages_of_both_positions_may_come_in_any_order(command: Command, tmp_path: Path):
    rows = [
        fetched(number, side, price, binance(side, held))
        for number, (side, held, price) in enumerate(HEDGED)
    ]
    pages = [saved(tmp_path / f"page{n}.json", page) for n, page in enumerate((rows[2:], rows[:2]))]

    for page in pages:
        command("history", "import", page)

    listed = command("trades", "ls", "--json").json
    found = [(one["trip"]["direction"], one["trip"]["is_incomplete"]) for one in listed]
    assert sorted(found) == [
        ("long", False),
        ("short", False),
    ]


def test_an_export_that_hides_the_two_positions_is_told(command: Command, tmp_path: Path):
    head = (
        "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,"
        "Trade ID,Order ID"
    )
    rows = [
        f"1,25-01-10 12:0{number}:00,BTCUSDT,{side.upper()},{price},1,{price},0 USDT,"
        f"{0 if number < 2 else 10},true,false,{number},{number}"
        for number, (side, price) in enumerate(
            [("buy", "100"), ("sell", "105"), ("buy", "95"), ("sell", "110")]
        )
    ]
    path = tmp_path / "Binance-Futures-Trade-History-202501110000(UTC+0).csv"
    path.write_text("\n".join([head, *rows]) + "\n")

    told = command("learn", str(path)).out

    assert "held long and short at once (hedge mode)" in " ".join(told.split())
