"""The markets of the exchanges on loopback, and the rows of trades in them.

Shapes as the venues document them, with made-up values.
"""

from typing import Any, Final

from afterword.pipeline.testing.faulty_server import Reply

EXCHANGE_MARKETS: Final[dict[str, Any]] = {
    "binance": {
        "symbols": [
            {
                "symbol": symbol,
                "pair": symbol,
                "contractType": "PERPETUAL",
                "deliveryDate": 4133404800000,
                "onboardDate": 1569398400000,
                "status": "TRADING",
                "baseAsset": symbol.removesuffix("USDT"),
                "quoteAsset": "USDT",
                "marginAsset": "USDT",
                "pricePrecision": 2,
                "quantityPrecision": 3,
                "filters": [],
            }
            for symbol in ("BTCUSDT", "ETHUSDT")
        ]
    },
    "bybit": {
        "linear": [
            {
                "symbol": "BTCUSDT",
                "contractType": "LinearPerpetual",
                "status": "Trading",
                "baseCoin": "BTC",
                "quoteCoin": "USDT",
                "settleCoin": "USDT",
                "launchTime": "1585526400000",
                "deliveryTime": "0",
                "priceScale": "2",
                "leverageFilter": {"minLeverage": "1", "maxLeverage": "100"},
                "priceFilter": {"tickSize": "0.10"},
                "lotSizeFilter": {"qtyStep": "0.001", "minOrderQty": "0.001"},
            }
        ],
        "spot": [
            {
                "symbol": "ETHUSDT",
                "baseCoin": "ETH",
                "quoteCoin": "USDT",
                "status": "Trading",
                "marginTrading": "none",
                "lotSizeFilter": {"basePrecision": "0.00001", "minOrderQty": "0.0001"},
                "priceFilter": {"tickSize": "0.01"},
            }
        ],
    },
    "okx": {
        "SWAP": [
            {
                "instType": "SWAP",
                "instId": f"{coin}-USDT-SWAP",
                "uly": f"{coin}-USDT",
                "baseCcy": "",
                "quoteCcy": "",
                "settleCcy": "USDT",
                "ctVal": size,
                "ctMult": "1",
                "ctValCcy": coin,
                "ctType": "linear",
                "expTime": "",
                "tickSz": "0.1",
                "lotSz": "0.01",
                "minSz": "0.01",
                "lever": "100",
                "state": "live",
            }
            for coin, size in (("BTC", "0.01"), ("ODD", "0.012345678"))
        ]
    },
    "kraken": {
        "XXBTZEUR": {
            "altname": "XBTEUR",
            "wsname": "XBT/EUR",
            "aclass_base": "currency",
            "base": "XXBT",
            "aclass_quote": "currency",
            "quote": "ZEUR",
            "pair_decimals": 1,
            "lot_decimals": 8,
            "lot_multiplier": 1,
            "fees": [[0, 0.4]],
            "fees_maker": [[0, 0.25]],
            "ordermin": "0.0001",
            "status": "online",
        }
    },
}


def binance_trade(number: int, time_ms: int, qty: str, profit: str = "0", **more: Any) -> Reply:
    """Return a futures trade of Binance; a negative quantity is a sale."""
    row = {
        "symbol": "BTCUSDT",
        "id": number,
        "orderId": 9_000 + number,
        "side": "SELL" if qty.startswith("-") else "BUY",
        "price": "50000.10",
        "qty": qty.lstrip("-"),
        "realizedPnl": profit,
        "quoteQty": "0",
        "commission": "0.02000004",
        "commissionAsset": "USDT",
        "time": time_ms,
        "positionSide": "BOTH",
        "maker": False,
        "buyer": not qty.startswith("-"),
    }
    return row | more


def binance_spot(number: int, time_ms: int, qty: str, **more: Any) -> Reply:
    """Return a spot trade of Binance; a negative quantity is a sale."""
    row = {
        "symbol": "ETHUSDT",
        "id": number,
        "orderId": 7_000 + number,
        "orderListId": -1,
        "price": "2000.50",
        "qty": qty.lstrip("-"),
        "quoteQty": "0",
        "commission": "0.001",
        "commissionAsset": "BNB",
        "time": time_ms,
        "isBuyer": not qty.startswith("-"),
        "isMaker": False,
        "isBestMatch": True,
    }
    return row | more


def binance_income(number: int, time_ms: int, kind: str, income: str, **more: Any) -> Reply:
    """Return a row of Binance's income: `COMMISSION`, `FUNDING_FEE`."""
    row = {
        "symbol": "BTCUSDT",
        "incomeType": kind,
        "income": income,
        "asset": "USDT",
        "time": time_ms,
        "info": kind,
        "tranId": number,
        "tradeId": "",
    }
    return row | more


def bybit_execution(number: int, time_ms: int, qty: str, **more: Any) -> Reply:
    """Return an execution of Bybit; a negative quantity is a sale."""
    row = {
        "symbol": "BTCUSDT",
        "orderType": "Market",
        "orderId": f"order-{number}",
        "orderLinkId": "",
        "side": "Sell" if qty.startswith("-") else "Buy",
        "execId": f"exec-{number}",
        "execTime": str(time_ms),
        "execPrice": "50000.1",
        "execQty": qty.lstrip("-"),
        "execValue": "",
        "execFee": "0.0275",
        "feeRate": "0.00055",
        "execType": "Trade",
        "closedSize": "",
        "isMaker": False,
    }
    return row | more


def okx_fill(number: int, time_ms: int, size: str, **more: Any) -> Reply:
    """Return a fill of OKX, in contracts of a hundredth of a coin; a negative size is a sale."""
    row = {
        "instType": "SWAP",
        "instId": "BTC-USDT-SWAP",
        "tradeId": str(500_000 + number),
        "ordId": str(600_000 + number),
        "clOrdId": "",
        "billId": str(700_000 + number),
        "fillPx": "50000.1",
        "fillSz": size.lstrip("-"),
        "fillPnl": "0",
        "side": "sell" if size.startswith("-") else "buy",
        "posSide": "net",
        "execType": "T",
        "fee": "-0.25",
        "feeCcy": "USDT",
        "ts": str(time_ms),
    }
    return row | more


def okx_bill(number: int, time_ms: int, change: str, **more: Any) -> Reply:
    """Return a bill of funding of OKX."""
    row = {
        "type": "8",
        "instType": "SWAP",
        "instId": "BTC-USDT-SWAP",
        "billId": str(800_000 + number),
        "bal": "1000",
        "balChg": change,
        "posBalChg": "0",
        "ccy": "USDT",
        "sz": "3",
        "ts": str(time_ms),
    }
    return row | more


def kraken_trade(time_ms: int, volume: str, **more: Any) -> Reply:
    """Return a trade of Kraken; a negative volume is a sale."""
    row = {
        "ordertxid": "OQCLML-BW3P3-BUCMWZ",
        "postxid": "TKH2SE-M7IF5-CFI7LT",
        "pair": "XXBTZEUR",
        "time": time_ms / 1_000,
        "type": "sell" if volume.startswith("-") else "buy",
        "ordertype": "limit",
        "price": "45000.10000",
        "cost": "4500.01",
        "fee": "7.20",
        "vol": volume.lstrip("-"),
        "margin": "0.00000",
        "misc": "",
        "maker": True,
    }
    return row | more
