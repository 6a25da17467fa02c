"""Trades unified by ccxt: fees told twice, venues and their markets known by `info`."""

import json
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
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def unified(symbol: str = "BTC/USDT", info: dict | None = None, **other: object) -> dict:
    return {
        "info": info or {},
        "timestamp": 1709643346297,
        "datetime": "2024-03-05T12:55:46.297Z",
        "symbol": symbol,
        "id": "90071992547409931",
        "order": "o1",
        "side": "sell",
        "price": 60000.5,
        "amount": 0.02,
        "cost": 1200.01,
        "fee": {"currency": "USDT", "cost": 0.6},
        "fees": [{"currency": "USDT", "cost": 0.6}],
    } | other


def one(folder: Path, trade: dict):
    (fill,) = fills_of(items_of(save(folder, json.dumps([trade]), "t.json")))
    return fill


def test_a_trade_of_an_unknown_venue_keeps_the_name_of_its_market(tmp_path):
    fill = one(tmp_path, unified())

    assert (fill.venue, fill.symbol, fill.kind) == ("ccxt", "BTC/USDT", "spot")
    assert (fill.base, fill.quote, fill.side) == ("BTC", "USDT", "A")
    assert (fill.px, fill.sz, fill.time_ms) == (D("60000.5"), D("0.02"), 1709643346297)
    assert (fill.tid, fill.oid, fill.multiplier) == ("90071992547409931", "o1", 1)


def test_a_fee_that_is_told_twice_counts_once(tmp_path):
    assert one(tmp_path, unified()).fee == D("0.6")
    only_listed = unified(fee=None, fees=[{"currency": "BNB", "cost": 0.1}, {"cost": None}])
    fill = one(tmp_path, only_listed)
    assert (fill.fee, fill.fee_token) == (D("0.1"), "BNB")
    free = one(tmp_path, unified(fee={"cost": None, "currency": None}, fees=[]))
    assert (free.fee, free.fee_token) == (0, None)


def test_fees_in_two_tokens_are_refused_with_their_place(tmp_path):
    listed = [{"currency": "BNB", "cost": 0.1}, {"currency": "USDT", "cost": 0.2}]

    with pytest.raises(InvalidInputError, match=r"t.json: \[0\].fees"):
        one(tmp_path, unified(fee=None, fees=listed))


@pytest.mark.parametrize(
    ("symbol", "info", "expected"),
    [
        (
            "BTC/USDT:USDT",
            {"symbol": "BTCUSDT", "orderId": "1", "commissionAsset": "USDT", "realizedPnl": "5"},
            ("binance", "BTCUSDT", "perp", "close", 5),
        ),
        (
            "ETH/USDT:USDT",
            {"instId": "ETH-USDT-SWAP", "fillPx": "1", "fillPnl": "0", "posSide": "short"},
            ("okx", "ETH-USDT-SWAP", "perp", "open", 0),
        ),
        (
            "ETH/USDT:USDT-260327",
            {"symbol": "ETHUSDT-27MAR26", "execId": "x", "execPrice": "1"},
            ("bybit", "ETHUSDT-27MAR26", "future", None, None),
        ),
        (
            "BTC/EUR",
            {"ordertxid": "O", "pair": "XXBTZEUR", "margin": "0.000", "misc": ""},
            ("kraken", "XXBTZEUR", "spot", None, None),
        ),
        (
            "KAS/USDT",
            {"symbol": "KASUSDT", "orderId": "1", "commissionAsset": "X", "isSelfTrade": False},
            ("mexc", "KAS_USDT", "spot", None, None),
        ),
    ],
)
def test_a_known_venue_gives_its_own_name_of_the_market(tmp_path, symbol, info, expected):
    fill = one(tmp_path, unified(symbol, info))

    assert (fill.venue, fill.symbol, fill.kind, fill.effect, fill.closed_pnl) == expected


def test_a_kraken_trade_on_margin_is_in_the_account_that_its_own_export_names(tmp_path):
    info = {"ordertxid": "O", "pair": "XXBTZEUR", "margin": "12.5", "misc": ""}

    fill = one(tmp_path, unified("BTC/EUR", info))

    assert (fill.account, fill.effect) == ("main/margin", "open")


@pytest.mark.parametrize(("cost", "expected"), [(120.001, "0.1"), (1200.0100001, "1"), (None, "1")])
def test_the_cost_tells_the_size_of_a_contract(tmp_path, cost, expected):
    assert one(tmp_path, unified("BTC/USDT:USDT", cost=cost)).multiplier == D(expected)


def test_a_contract_paid_in_coins_is_left_out(tmp_path):
    path = save(tmp_path, json.dumps([unified("BTC/USD:BTC")]), "t.json")

    assert left_out_of(items_of(path)) == {"coin-margined contract": 1}


@pytest.mark.parametrize(
    "change", [{"price": 0}, {"amount": True}, {"side": None}, {"timestamp": "x"}]
)
def test_a_bad_value_is_refused_with_its_place(tmp_path, change):
    name = next(iter(change))

    with pytest.raises(InvalidInputError, match=rf"t.json: \[0\].{name}"):
        one(tmp_path, unified(**change))


@shared_file
def test_the_shared_file():
    items = items_of(TRADES / "ccxt_hyperliquid_fetch_my_trades.json")

    # HYPE: -5.2 +0.73, 109.9644 - 24.24257; fees 0.047504 + 0.012896: the unified 0.01532 counts
    # the builder's 0.002424 twice. SOL: 0.5 x 132.31 = 66.155; PURR: 49 x 0.9641 = 47.2409
    assert markets_of(items) == {
        "HYPE": MarketSum(2, D("-4.47"), D("85.72183"), D("0.0604")),
        "SOL": MarketSum(1, D("0.5"), D("-66.155"), D("0.023154")),
        "PURR/USDC": MarketSum(1, D(-49), D("47.2409"), D("0.016534")),
    }
    assert [fill.kind for fill in fills_of(items)] == ["perp", "perp", "perp", "spot"]
    # -46.0356 - 0.489055
    assert sum(fill.closed_pnl for fill in fills_of(items)) == D("-46.524655")
